import assert from "node:assert/strict";
import { cellSpec } from "../testing/cells.ts";
import { playedBy } from "./played.ts";

function of(model: string, isForeign = true) {
  const { cell, scenario } = cellSpec("healthy-desk");
  const { agents, isScripted } = playedBy({ cell: { ...cell, model }, scenario, isForeign });
  return { agents, scripted: ["planner", "billing", "poet"].filter((agent) => isScripted?.(agent)) };
}

Deno.test("playedBy() tells by a model's name who plays the script, and whom a stranger can ask", () => {
  assert.deepEqual(of("anthropic:x"), { agents: undefined, scripted: [] });
  assert.deepEqual(of("openai:a+b"), { agents: undefined, scripted: [] });
  assert.deepEqual(of("planner=scripted+openai:a"), { agents: undefined, scripted: ["planner"] });
  const { agents, scripted } = of("planner=openai:a+poet=openai:b+scripted");
  assert.deepEqual([agents?.toSorted(), scripted], [["billing", "comms", "planner", "poet", "policy"], ["billing"]]);
  assert.equal(of("planner=openai:a+scripted", false).agents, undefined);
});
