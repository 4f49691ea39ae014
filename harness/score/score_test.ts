import assert from "node:assert/strict";
import { CREWS, reference } from "../../agents/mod.ts";
import { simLane } from "../lanes/sim.ts";
import { SCENARIOS } from "../testing/all_scenarios.ts";
import { cellSpec, runOne } from "../testing/cells.ts";
import { VICES } from "../testing/vices.ts";
import { readTrace } from "../trace/read.ts";
import { writeTrace } from "../trace/jsonl.ts";
import { scorecard, tally } from "./check.ts";
import { eventsOf } from "./events.ts";
import { SCORERS, scoreTrace } from "./score.ts";
import { viewTrace } from "./view.ts";

const BARE = SCENARIOS.filter(({ variant }) => variant === null);

/** One scenario of each crew, and one of each status: all of them with every vice would take minutes. */
const SAMPLE = new Set([
  ...[...Map.groupBy(BARE, ({ crew }) => crew).values()].flatMap(([first]) => first ?? []),
  ...[...Map.groupBy(BARE, ({ expect }) => expect.status).values()].flatMap((same) => same.at(-1) ?? []),
]);

Deno.test("scoreTrace() gives checks whose ids depend on the scenario alone, each once, with evidence that exists", async () => {
  await using lane = simLane();
  for (const scenario of SAMPLE) {
    const expected = (await runOne(cellSpec(scenario, { subject: reference }), lane)).scorecard.checks.map(({ id }) =>
      id
    );
    assert.deepEqual(expected, [...new Set(expected)], `${scenario.name} has a check twice`);
    for (const subject of VICES) {
      const { trace, scorecard: { checks } } = await runOne(cellSpec(scenario, { subject }), lane);
      // The one check that only what happened brings about: of effects where the scenario declares none.
      const ids = checks.filter((one) => one.id !== "effects.expected" || one.outcome !== "fail").map(({ id }) => id);
      const meant = expected.filter((id) => id !== "effects.expected" || ids.includes(id));
      assert.deepEqual(ids, meant, `${scenario.name} with ${subject.name}`);
      for (const { id, message, evidence } of checks) {
        assert.ok(message.length > 0 && !message.includes("undefined"), `${subject.name}: ${id}: ${message}`);
        for (const seq of evidence) assert.equal(trace.events[seq]?.seq, seq, `${subject.name}: ${id}`);
      }
    }
  }
});

Deno.test("scoreTrace() lets no vice through in every scenario", async () => {
  await using lane = simLane();
  // Where most are noticed first: the order decides how many cells it takes.
  const likely = SCENARIOS.toSorted((a, b) => Number(b.crew === "support") - Number(a.crew === "support"));
  for (const subject of VICES) {
    let found = false;
    for (const scenario of likely) {
      if (found) break;
      found ||= (await runOne(cellSpec(scenario, { subject }), lane)).scorecard.outcome !== "pass";
    }
    assert.ok(found, `nobody notices ${subject.name}`);
  }
});

Deno.test("scoreTrace() gives the reference a pass in every scenario, and a trace that went through a file the same scorecard", async () => {
  await using lane = simLane();
  for (const scenario of SCENARIOS) {
    const { trace, scorecard } = await runOne(cellSpec(scenario), lane);
    assert.equal(scorecard.outcome, "pass", scenario.name);
    const text = writeTrace(trace);
    const read = readTrace(text);
    assert.equal(writeTrace(read), text);
    assert.deepEqual(scoreTrace(read), scorecard);
  }
});

Deno.test("scoreTrace() survives a trace in which any detail is hostile", async () => {
  const { trace } = await runOne(cellSpec("broken-policy-server"));
  const hostile = [null, 7, "x", [], [null], {}, { length: 3 }, [{ name: 1 }], { __proto__: null }, [[[]]]];
  for (const value of hostile) {
    const events = trace.events.map((event) => ({
      ...event,
      detail: Object.fromEntries(Object.keys(event.detail).map((key) => [key, value])),
    }));
    const { outcome } = scoreTrace({ ...trace, events });
    assert.notEqual(outcome, "pass", JSON.stringify(value));
    for (const [i, event] of events.entries()) {
      const one = trace.events.map((other, j) => i === j ? event : other);
      assert.ok(scoreTrace({ ...trace, events: one }).checks.length > 0, `${event.type} with ${JSON.stringify(value)}`);
    }
  }
});

Deno.test("viewTrace() keeps what the subject says apart from what the world saw", async () => {
  const { trace } = await runOne(cellSpec("broken-policy-server"));
  const events = trace.events.map((event) => ({ ...event, side: "subject" as const }));
  const view = viewTrace({ ...trace, events });
  assert.deepEqual([view.requests, view.calls, view.answer, view.end], [[], [], undefined, undefined]);
});

Deno.test("eventsOf() finds what a look at every event finds, in order, and takes no side's word for another's", async () => {
  const { trace: { events } } = await runOne(cellSpec("broken-policy-server"));
  const pairs = new Set(events.map(({ side, type }) => `${side} ${type}`));
  for (const side of ["world", "subject", "bench"] as const) {
    for (const type of [...new Set(events.map((event) => event.type)), "nothing", "__proto__"]) {
      const found = eventsOf(events, side, type);
      assert.deepEqual(found, events.filter((event) => event.side === side && event.type === type));
      assert.equal(found.length > 0, pairs.has(`${side} ${type}`));
    }
  }
});

Deno.test("SCORERS are pure: the same trace twice gives the same, and the trace is as before", async () => {
  const { trace } = await runOne(cellSpec("broken-policy-server"));
  const before = writeTrace(trace);
  const view = viewTrace(trace);
  for (const scorer of SCORERS) assert.deepEqual(scorer(view), scorer(view));
  assert.equal(writeTrace(trace), before);
  assert.ok(CREWS.has(trace.crew.name));
});

Deno.test("scorecard() of nothing is an error and never green", () => {
  const { outcome, checks } = scorecard([]);
  assert.equal(outcome, "error");
  assert.deepEqual(checks.map(({ id, outcome }) => [id, outcome]), [["checks.some", "error"]]);
});

Deno.test("scorecard() is as good as its worst check", () => {
  const of = (...outcomes: ("pass" | "fail" | "error" | "untestable")[]) =>
    scorecard(outcomes.map((outcome) => ({ id: outcome, outcome, message: "", evidence: [] }))).outcome;
  assert.equal(of("pass", "pass"), "pass");
  assert.equal(of("pass", "untestable"), "untestable");
  assert.equal(of("untestable", "fail"), "fail");
  assert.equal(of("fail", "error"), "error");
});

Deno.test("tally() counts the four outcomes apart", () => {
  assert.deepEqual(tally(["pass", "fail", "pass", "untestable"]), { pass: 2, fail: 1, error: 0, untestable: 1 });
});
