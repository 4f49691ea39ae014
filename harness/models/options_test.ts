import assert from "node:assert/strict";
import { parseModelOptions } from "./options.ts";

Deno.test("parseModelOptions() makes nothing of nothing: the script plays everybody", () => {
  assert.equal(parseModelOptions({}, "/home"), undefined);
  assert.equal(parseModelOptions({ model: ["scripted"] }, "/home"), undefined);
});

Deno.test("parseModelOptions() reads live models with their limits, and a file beside the user", () => {
  const flags = {
    model: ["anthropic:x"],
    record: "tape.jsonl",
    maxCost: "0.50",
    maxTokens: "1000",
    callsPerMinute: "30",
    prices: "own.json",
  };
  const options = parseModelOptions(flags, "/home");
  assert.ok(options?.kind === "live");
  assert.equal(options.record, "/home/tape.jsonl");
  assert.deepEqual(options.live, {
    limits: { maxCostUsd: 0.5, maxTokens: 1000 },
    ...{ concurrent: 4, perMinute: 30, streamed: false, pricesFile: "/home/own.json" },
  });
});

for (
  const [flags, why] of [
    [{ model: ["gpt"] }, /--model: "gpt" is no model/],
    [{ model: ["plannr=openai:x"] }, /unknown agent "plannr" \(did you mean "planner"\?\)/],
    [{ maxCost: "5" }, /--max-cost is for live models; choose one with --model/],
    [{ record: "a" }, /--record is for live models/],
    [{ prices: "a" }, /--prices is for live models; choose one with --model/],
    [{ replay: "a", record: "b" }, /--record is for live models, and --replay asks none/],
    [{ replay: "" }, /--replay needs a file/],
    [
      { model: ["openai:x"], maxCost: "-1" },
      /--max-cost "-1" is not allowed; give US dollars, a number that is not below 0, as in 5 or 0\.50$/,
    ],
    [
      { model: ["openai:x"], maxTokens: "many" },
      /--max-tokens "many" is not allowed; give a whole number that is not below 0/,
    ],
    [
      { model: ["openai:x"], callsAtOnce: "0" },
      /--calls-at-once "0" is not allowed; give a whole number from 1 to 9999/,
    ],
  ] as const
) {
  Deno.test(`parseModelOptions() refuses ${JSON.stringify(flags)}, and says why`, () => {
    assert.throws(() => parseModelOptions(flags, "/home"), { name: "UsageError", message: why });
  });
}
