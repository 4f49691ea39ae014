import assert from "node:assert/strict";
import { choiceLabel, parseModelChoice, parseModelSpec, specsOf } from "./choice.ts";

Deno.test("parseModelChoice() reads a model for all, models for some, and the script for the rest", () => {
  const all = parseModelChoice(["anthropic:claude-x"]);
  assert.ok(all);
  assert.equal(choiceLabel(all), "anthropic:claude-x");
  const mixed = parseModelChoice(["planner=openai:gpt-x", "comms=scripted", "compatible:m@http://h:1/v1/"]);
  assert.ok(mixed);
  assert.equal(choiceLabel(mixed), "comms=scripted+planner=openai:gpt-x+compatible:m");
  assert.deepEqual(specsOf(mixed).map(({ name }) => name), ["gpt-x", "m"]);
  const one = parseModelChoice(["planner=openai:gpt-x"]);
  assert.equal(one && choiceLabel(one), "planner=openai:gpt-x+scripted");
  assert.equal(parseModelChoice(["scripted"]), undefined);
  assert.equal(parseModelChoice([]), undefined);
});

for (
  const [text, why] of [
    ["gpt-5", /is no model; give anthropic:NAME, openai:NAME or compatible:/],
    ["anthropic:", /names no model/],
    ["openai:a,b", /names no model/],
    ["openai:../../x y", /names no model/],
    ["compatible:m", /has no address/],
    ["compatible:m@http://", /has no address/],
    ["openai:m@http://h/v1", /only compatible: takes an address; for openai set OPENAI_BASE_URL/],
    ["compatible:m@http://u:p@h/v1", /holds a credential; put it into COMPATIBLE_API_KEY/],
  ] as const
) {
  Deno.test(`parseModelSpec() refuses ${text}, and says what is allowed`, () => {
    assert.throws(() => parseModelSpec(text), { name: "RangeError", message: why });
  });
}

Deno.test("parseModelChoice() refuses two models for the same agent", () => {
  assert.throws(() => parseModelChoice(["openai:a", "openai:b"]), /every agent has two models/);
  assert.throws(() => parseModelChoice(["planner=openai:a", "planner=openai:b"]), /planner has two models/);
});
