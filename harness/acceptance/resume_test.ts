/**
 * A run that is killed after any event whatsoever, and goes on: the same answer, nobody who has reported works again, no
 * effect is had twice, each call has one result.
 *
 * One thing cannot be the same. A call that acts is written down before it is sent. Killed between that and the record of
 * its end (after the events `effect` sent, `server.request` and `server.reply` of that call), nobody can know whether it
 * has acted: it is not made again, and the answer says `outcome_unknown`, unless the model looks at what is there.
 */
import assert from "node:assert/strict";
import { contracts } from "../../agents/mod.ts";
import { canonicalJson, type Json, Random } from "../../core/mod.ts";
import { simLane } from "../lanes/sim.ts";
import type { CellResult } from "../runner/run.ts";
import { effectsOf } from "../score/effects.ts";
import { SCENARIOS } from "../testing/all_scenarios.ts";
import { cellSpec, notGreen, runOne, type WrittenScenario } from "../testing/cells.ts";
import type { TraceEvent } from "../trace/event.ts";

const CASES = [
  "healthy-desk",
  "broken-policy-server",
  "refund-over-the-limit",
  "refund-and-message",
  "approval-mixed-batch",
  "healthy-review",
  "healthy-research",
  "healthy-brief",
  "peers-hand-over-in-turn",
  "refund-approved-before-the-handoff",
];

/** Killed after each event: a call that acts, several at once that wait for a person, peers. The others after every third. */
const WHOLE: ReadonlySet<string> = new Set([
  "refund-over-the-limit",
  "approval-mixed-batch",
  "peers-hand-over-in-turn",
]);

type Kill = NonNullable<WrittenScenario["interrupts"]>[number];

/** A scenario without its own kills. How long it takes is left out: what is begun again takes its time again. */
function uninterrupted(name: string): WrittenScenario {
  const found = SCENARIOS.find((one) => one.name === name && one.variant === null) ?? assert.fail(`no ${name}`);
  const { interrupts: _, expect: { makespan: _ms, ...expect }, ...scenario } = found;
  return { ...scenario, expect };
}

/** The kill right after an event. */
function killAfter(events: readonly TraceEvent[], k: number): Kill {
  const after = events[k]?.type ?? assert.fail(`no event ${k}`);
  return { after, nth: events.slice(0, k + 1).filter(({ type }) => type === after).length };
}

const settledAt = (events: readonly TraceEvent[]) => events.findIndex(({ type }) => type === "run.settled");
const answerOf = ({ trace }: CellResult) => contracts.Answer.parse(trace.events.at(-1)?.detail["answer"]);
const effects = ({ trace }: CellResult) =>
  effectsOf({ trace }).map(({ server, kind, detail }) => canonicalJson({ server, kind, detail: detail as Json }))
    .sort();

/** The calls that may have acted by an event, for all that is on record: sent, and not ended. */
function inDoubt(events: readonly TraceEvent[], k: number): string[] {
  const open = new Set<string>();
  for (const { type, span, detail } of events.slice(0, k + 1)) {
    if (type === "effect" && detail["state"] === "sent") open.add(span);
    else if (type === "effect") open.delete(span);
  }
  return [...open];
}

/** What must hold whenever and however often a run was killed. */
function assertSound(killed: CellResult, whole: CellResult, about: string): void {
  const { events } = killed.trace;
  const end = events.at(-1);
  assert.equal(end?.detail["outcome"], "answered", `${about}: ${end?.detail["detail"]}`);
  const reported = new Set<string>();
  for (const { type, detail } of events) {
    if (type === "packet") {
      const { id, attempt = 1 } = contracts.Handoff.parse(detail["packet"]);
      assert.ok(!reported.has(`${id} ${attempt}`), `${about}: ${id} had reported, and works again`);
    } else if (type === "report") {
      const { packetId } = contracts.Report.parse(detail["report"]);
      const attempts = [...reported].filter((one) => one.startsWith(`${packetId} `)).length;
      reported.add(`${packetId} ${attempts + 1}`);
    }
  }
  const had = effects(killed);
  assert.equal(new Set(had).size, had.length, `${about}: an effect was had twice`);
  const allowed = effects(whole);
  assert.ok(had.every((one) => allowed.includes(one)), `${about}: an effect that was not to be`);
  assertOneResult(events, about);
}

/** In the life that answers each call has one end, and each id in a conversation one result. */
function assertOneResult(events: readonly TraceEvent[], about: string): void {
  const last = events.findLastIndex(({ type }) => type === "subject.resumed");
  const ended = new Map<string, number>();
  for (const { type, span } of events.slice(last + 1)) {
    if (type === "call.start") ended.set(span, ended.get(span) ?? 0);
    else if (type === "call.end") ended.set(span, (ended.get(span) ?? 0) + 1);
  }
  for (const [span, times] of ended) assert.equal(times, 1, `${about}: ${span} has ended ${times} times`);
  for (const { type, detail: { messages } } of events) {
    if (type !== "model.request" || !Array.isArray(messages)) continue;
    const asked: string[] = [];
    const answered: string[] = [];
    for (const message of messages) {
      if (typeof message !== "object" || message === null || Array.isArray(message)) continue;
      for (const call of Array.isArray(message["calls"]) ? message["calls"] : []) {
        if (typeof call === "object" && call !== null && !Array.isArray(call)) asked.push(String(call["id"]));
      }
      if (message["role"] === "tool") answered.push(String(message["callId"]));
    }
    assert.deepEqual(answered.toSorted(), asked.toSorted(), `${about}: each call id has one result`);
  }
}

/** Either nothing can be told from a run that was never killed, or somebody was in doubt and the answer says so. */
function assertAnswer(killed: CellResult, whole: CellResult, doubts: readonly string[], about: string): boolean {
  const [got, wanted] = [answerOf(killed), answerOf(whole)];
  if (canonicalJson(got) === canonicalJson(wanted)) {
    // Where somebody looked, it is the look that says what the receipt would have said.
    const red = notGreen(killed).filter((one) => doubts.length === 0 || !one.startsWith("fail says:"));
    assert.deepEqual(red, [], about);
    assert.deepEqual(effects(killed), effects(whole), about);
    return true;
  }
  assert.notDeepEqual(doubts, [], `${about}: another answer\n${got.text}\n\n${wanted.text}`);
  const unknown = got.failures.filter(({ code }) => code === "outcome_unknown");
  assert.equal(unknown.length, doubts.length, `${about}: the answer does not say what is in doubt`);
  assert.match(got.text, /outcome_unknown/, about);
  // Whoever was not in doubt has lost nothing by it.
  const without = ({ sections }: typeof got) =>
    sections.filter(({ worker }) => !unknown.some(({ specialist }) => specialist === worker));
  const later = new Set(got.failures.map(({ specialist }) => specialist));
  assert.deepEqual(without(got), without(wanted).filter(({ worker }) => !later.has(worker)), about);
  return false;
}

for (const [i, name] of CASES.entries()) {
  const step = WHOLE.has(name) ? 1 : 3;
  Deno.test(`${name}, killed after ${step === 1 ? "any" : "every third"} of its events, ends as if nothing had happened`, async () => {
    await using lane = simLane();
    const scenario = uninterrupted(name);
    const whole = await runOne(cellSpec(scenario), lane);
    assert.deepEqual(notGreen(whole), []);
    const { events } = whole.trace;
    const changed: string[] = [];
    for (let k = i % step; k < settledAt(events); k += step) {
      const kill = killAfter(events, k);
      const about = `${name} killed after event ${k}, ${kill.after} ${events[k]?.span}`;
      const killed = await runOne(cellSpec({ ...scenario, interrupts: [kill] }), lane);
      const at = killed.trace.events.findIndex(({ type }) => type === "subject.killed");
      assert.deepEqual(killed.trace.events.slice(0, k + 1), events.slice(0, k + 1), about);
      const between = killed.trace.events.slice(k + 1, at).map(({ type }) => type);
      assert.ok(between.every((type) => type === "server.close"), `${about}: ${between}`);
      assert.equal(killed.trace.events[at + 1]?.type, "subject.resumed", about);
      assertSound(killed, whole, about);
      const doubts = inDoubt(events, k);
      if (!assertAnswer(killed, whole, doubts, about)) changed.push(kill.after);
    }
    // One call that acts has three such moments, and no other event is one.
    assert.deepEqual([...new Set(changed)].filter((type) => !DOUBTFUL.has(type)), [], name);
  });
}

const DOUBTFUL: ReadonlySet<string> = new Set(["effect", "server.request", "server.reply"]);

Deno.test("a run that is killed twice, at moments drawn by seed, ends as if nothing had happened", async () => {
  await using lane = simLane();
  for (const name of CASES) {
    const random = new Random(`killed twice:${name}`);
    const scenario = uninterrupted(name);
    const whole = await runOne(cellSpec(scenario), lane);
    for (let i = 0; i < 6; i++) {
      const { events } = whole.trace;
      const first = Math.floor(random.next() * settledAt(events));
      const kills = [killAfter(events, first)];
      const once = await runOne(cellSpec({ ...scenario, interrupts: kills }), lane);
      const from = once.trace.events.findIndex(({ type }) => type === "subject.resumed");
      const second = from + Math.floor(random.next() * (settledAt(once.trace.events) - from));
      kills.push(killAfter(once.trace.events, second));
      const about = `${name} killed after ${JSON.stringify(kills)}`;
      const killed = await runOne(cellSpec({ ...scenario, interrupts: kills }), lane);
      assert.equal(killed.trace.events.filter(({ type }) => type === "subject.killed").length, 2, about);
      assertSound(killed, whole, about);
      const doubts = new Set([...inDoubt(events, first), ...inDoubt(once.trace.events, second)]);
      assertAnswer(killed, whole, [...doubts], about);
    }
  }
});

Deno.test("a kill that never comes is an error of the scenario", async () => {
  const scenario = { ...uninterrupted("healthy-desk"), interrupts: [{ after: "report", nth: 99 }] };
  assert.deepEqual(notGreen(await runOne(cellSpec(scenario))), ["error run.script"]);
});

Deno.test("the same killed run gives the same trace, however often it is run", async () => {
  await using lane = simLane();
  const scenario = { ...uninterrupted("refund-over-the-limit"), interrupts: [{ after: "call.start", nth: 2 }] };
  const [first, second] = [await runOne(cellSpec(scenario), lane), await runOne(cellSpec(scenario), lane)];
  assert.deepEqual(first.trace, second.trace);
});
