import assert from "node:assert/strict";
import { failed } from "../hub/outcome.ts";
import { answered } from "../hub/reading.ts";
import type { ToolAnnotations } from "../models/model.ts";
import { sim, use } from "../testing.ts";
import { fails, inTurn, text, type Tool, work } from "./testing.ts";

const ACTS: ToolAnnotations = { readOnlyHint: false, idempotentHint: false };

/** What a worker that makes three calls and never reports has done, in short. */
async function effectsOf(annotations: ToolAnnotations, ...tools: Tool[]) {
  let effects: string[][] | undefined;
  await sim(async (clock) => {
    const moves = [use("s.find"), use("s.find"), use("s.find")];
    const { report } = await work(clock, moves, { tools: { "s.find": inTurn(...tools) }, annotations });
    effects = report.effects?.map(({ state, observation }) => [state, observation.text]);
  });
  return effects;
}

const lost: Tool = () => failed("timeout", "no reply", { code: "outcome_unknown" });

Deno.test("a report names the calls that have acted or may have, whatever ended the work", async () => {
  assert.deepEqual(await effectsOf(ACTS, text("paid"), fails("db down"), lost), [
    ["done", "paid"],
    ["unknown", "no reply"],
  ]);
  assert.deepEqual(await effectsOf({}, text("paid"), fails("db down"), fails("db down")), [["possible", "paid"]]);
});

Deno.test("a report of a worker whose tools act says that it has done nothing; of one whose tools read, no word", async () => {
  const nothing = [fails("a"), fails("b"), fails("c")];
  assert.deepEqual(await effectsOf(ACTS, ...nothing), []);
  assert.equal(await effectsOf({ readOnlyHint: true }, text("a"), text("b"), text("c")), undefined);
});

Deno.test("a call in doubt that a later result settles has acted, and that result shows it", async () => {
  let span = "";
  const first: Tool = (_, options) => (span = options.span ?? "", failed("timeout", "x", { code: "outcome_unknown" }));
  const settles: Tool = () => ({ ...answered("PAY-1"), settles: [span] });
  assert.deepEqual(await effectsOf(ACTS, first, settles, fails("c")), [["done", "PAY-1"], ["done", "PAY-1"]]);
});
