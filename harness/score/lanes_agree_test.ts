import assert from "node:assert/strict";
import type { CellResult } from "../runner/run.ts";
import { cellSpec, runOne } from "../testing/cells.ts";
import { clockwatcher, hanger, liar } from "../testing/subjects.ts";
import { scoreLanesAgree } from "./lanes_agree.ts";
import { scoreTrace } from "./score.ts";

/** The same events, as if they had come about in the other lane. */
function inWire(
  { trace }: CellResult,
  change: (events: CellResult["trace"]["events"]) => CellResult["trace"]["events"],
) {
  const twin = { ...trace, cell: { ...trace.cell, lane: "wire" as const }, events: change(trace.events) };
  return { trace: twin, scorecard: scoreTrace(twin) };
}

Deno.test("scoreLanesAgree() pairs what differs in the lane alone", async () => {
  const sim = await runOne(cellSpec("broken-policy-server"));
  const wire = inWire(sim, (events) => events.map((event) => ({ ...event, t: event.t + 3.5 })));
  assert.deepEqual(scoreLanesAgree([sim]), []);
  assert.deepEqual(scoreLanesAgree([wire]), []);
  const [agree, ...more] = scoreLanesAgree([wire, sim]);
  assert.deepEqual([agree?.id, agree?.outcome, more], ["lanes.agree:broken-policy-server", "pass", []]);
  const seeded = { ...wire, trace: { ...wire.trace, cell: { ...wire.trace.cell, seed: "7" } } };
  assert.deepEqual(scoreLanesAgree([sim, seeded]), []);
});

Deno.test("scoreLanesAgree() finds a check on which the lanes disagree", async () => {
  const sim = await runOne(cellSpec("broken-policy-server"));
  const lied = await runOne(cellSpec("broken-policy-server", { subject: { ...liar, name: "reference" } }));
  const [odd] = scoreLanesAgree([sim, inWire(lied, (events) => events)]);
  assert.deepEqual([odd?.id, odd?.outcome], ["lanes.agree:broken-policy-server", "fail"]);
  assert.equal(odd?.message, "the lanes disagree on coherence.status: sim pass, wire fail");
});

Deno.test("scoreLanesAgree() finds a check that only one lane has", async () => {
  const sim = await runOne(cellSpec("broken-policy-server"));
  const wire = inWire(sim, (events) => events);
  const more = { id: "new", outcome: "pass", message: "", evidence: [] } as const;
  const [odd] = scoreLanesAgree([sim, {
    ...wire,
    scorecard: { ...wire.scorecard, checks: [...wire.scorecard.checks, more] },
  }]);
  assert.equal(odd?.message, "the lanes disagree on new: sim has none, wire pass");
});

Deno.test("scoreLanesAgree() finds the first line in which the traces differ, and a trace that goes on", async () => {
  const sim = await runOne(cellSpec("broken-policy-server"));
  const other = inWire(
    sim,
    (events) =>
      events.map((event) => event.type === "verify" ? { ...event, detail: { ...event.detail, more: 1 } } : event),
  );
  assert.match(
    scoreLanesAgree([sim, other])[0]?.message ?? "",
    /^the canonical traces differ: sim has verify at run\/s\d+\/verify/,
  );
  const longer = inWire(
    sim,
    (events) => [...events, { ...events[0], span: "run/zz", type: "extra" } as typeof events[0]],
  );
  assert.match(scoreLanesAgree([sim, longer])[0]?.message ?? "", /sim ends, wire has extra at run\/zz/);
});

Deno.test("scoreLanesAgree() does not compare what the bench itself has spoilt", async () => {
  const spoilt = await runOne(cellSpec("broken-policy-server", { subject: { ...clockwatcher, name: "reference" } }));
  const good = await runOne(cellSpec("broken-policy-server"));
  assert.equal(scoreLanesAgree([spoilt, inWire(good, (events) => events)])[0]?.outcome, "untestable");
});

Deno.test("scoreLanesAgree() takes a stall for what it is in wire, where it cannot be seen", async () => {
  const sim = await runOne(cellSpec("broken-policy-server", { subject: hanger }));
  const wire = inWire(
    sim,
    (events) =>
      events.map((event) =>
        event.type === "run.end"
          ? { ...event, outcome: "overdue", detail: { outcome: "overdue", detail: "no answer within 120000 ms" } }
          : event
      ),
  );
  assert.equal(scoreLanesAgree([sim, wire])[0]?.outcome, "pass");
});
