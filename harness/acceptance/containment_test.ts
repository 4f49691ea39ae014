/** One worker that hangs costs its own deadline, and its siblings nothing. */
import assert from "node:assert/strict";
import { CREWS } from "../../agents/mod.ts";
import { cellSpec, runOne } from "../testing/cells.ts";
import type { Trace } from "../trace/event.ts";

const DEADLINE = CREWS.get("support")?.specialists.find(({ name }) => name === "policy")?.deadlineMs;

const timeOf = ({ events }: Trace, type: string, span: string): number | undefined =>
  events.find((event) => event.type === type && event.span === span)?.t;

const dispatch = ({ events }: Trace): string =>
  events.find(({ type }) => type === "packet")?.parent ?? assert.fail("nothing was dispatched");

Deno.test("with one worker hung, the dispatch superstep lasts exactly that worker's deadline", async () => {
  const { trace } = await runOne(cellSpec("policy-server-hangs"));
  const span = dispatch(trace);
  const [start, end] = [timeOf(trace, "superstep.start", span), timeOf(trace, "superstep.end", span)];
  assert.deepEqual([start, end], [0, DEADLINE]);
  assert.equal(timeOf(trace, "task.end", `${span}/policy`), DEADLINE);
});

Deno.test("with one worker hung, its siblings end when they do without", async () => {
  const [hung, healthy] = [await runOne(cellSpec("policy-server-hangs")), await runOne(cellSpec("healthy-desk"))];
  for (const worker of ["billing", "comms"]) {
    const ends = [hung, healthy].map(({ trace }) => timeOf(trace, "task.end", `${dispatch(trace)}/${worker}`));
    assert.ok(ends[0] !== undefined);
    assert.equal(ends[0], ends[1], worker);
  }
  const lasted = timeOf(healthy.trace, "superstep.end", dispatch(healthy.trace)) ?? Infinity;
  assert.ok(lasted < (DEADLINE ?? 0), "the twin does not take as long");
});
