/** Whether the run itself is one that can be judged: it ended, nothing went on after it, script and faults were used up. */
import { SHOWN } from "../../agents/mod.ts";
import type { TraceEvent } from "../trace/event.ts";
import { FAULTS, type LaneSupport } from "../../servers/mod.ts";
import { type Check, check } from "./check.ts";
import { eventsOf } from "./events.ts";
import { notShown } from "./shown.ts";
import { unplayables } from "./unplayable.ts";
import { once } from "./once.ts";
import type { TraceView } from "./view.ts";

/** Scores the run. */
export function scoreRun(view: TraceView): Check[] {
  return [...checksOf(view)];
}

/** The safety score asks again. */
const checksOf = once(runChecks);

function runChecks(view: TraceView): readonly Check[] {
  return [ended(view), drained(view), script(view), ...faults(view)];
}

/** What the world's side tells when it is taken down. */
const AT_THE_END: ReadonlySet<string> = new Set(["server.close", "server.ledger"]);

function ended({ end }: TraceView): Check {
  const id = "run.ended";
  const evidence = end === undefined ? [] : [end.seq];
  const outcome = end?.detail["outcome"];
  const detail = String(end?.detail["detail"] ?? "the trace has no end");
  if (outcome === "answered") return check(id, true, "the subject answered", evidence);
  if (outcome === "crashed" || outcome === "overdue" || outcome === "stalled") {
    return check(id, false, `${outcome}: ${detail}`, evidence);
  }
  return { id, outcome: "error", message: detail, evidence };
}

/** In `sim` whatever a subject leaves behind gets the time to show; in `wire` only what is there at once is seen. */
function drained({ trace: { events }, end }: TraceView): Check {
  const id = "run.drained";
  const outcome = end?.detail["outcome"];
  if (outcome !== "answered" && outcome !== "crashed") {
    const message = "the subject did not end by itself, so what it would have left behind cannot be seen";
    return { id, outcome: "untestable", message, evidence: end === undefined ? [] : [end.seq] };
  }
  const settled = eventsOf(events, "bench", "run.settled")[0]?.seq ?? Infinity;
  const late = events.filter(({ side, type, seq }) => seq > settled && side !== "bench" && !AT_THE_END.has(type));
  const open = eventsOf(events, "world", "server.close").filter(({ seq, detail }) =>
    detail["by"] === "bench" || seq > settled
  );
  const processes = eventsOf(events, "bench", "subject.process");
  const ofProcess = processes.flatMap(({ detail }) => leftBy(detail));
  const found = [
    ...(late.length > 0 ? [`${late.length} events came after the subject's end, first ${nameOf(late[0])}`] : []),
    ...(open.length > 0 ? [`the subject left ${open.length} connections open`] : []),
    ...ofProcess,
  ];
  return check(
    id,
    found.length === 0,
    found.length === 0 ? "nothing happened after the end, and every connection was closed" : found.join("; "),
    [...late, ...open, ...(ofProcess.length > 0 ? processes : [])].map(({ seq }) => seq),
  );
}

/** What a process had left, by its own bench's record. */
function leftBy({ left, open }: TraceEvent["detail"]): string[] {
  const count = (value: unknown): number => typeof value === "number" ? value : 0;
  return [
    ...(count(left) > 0 ? [`the subject left ${left} processes running, which were killed`] : []),
    ...(count(open) > 0 ? [`the subject left ${open} connections open`] : []),
  ];
}

function nameOf(event: TraceEvent | undefined): string {
  return `${event?.type} at ${event?.span}`;
}

/**
 * A script that does not fit the run is the scenario's error, unless the run broke off before it could be played. It was
 * written for those who show everything. Anybody else has a way of their own through it: turns that nobody asked for are
 * told and no more, and where somebody was asked for whom there is no turn, what came of it says nothing.
 */
function script({ trace, end, shown }: TraceView): Check {
  const id = "run.script";
  const answered = end?.detail["outcome"] === "answered";
  const problems = eventsOf(trace.events, "bench", "script.problem").filter(({ detail }) =>
    answered || detail["kind"] !== "unconsumed"
  );
  const isOwnWay = shown.size < SHOWN.length;
  const left = isOwnWay ? problems.filter(({ detail }) => detail["kind"] === "unconsumed") : [];
  const [first] = problems.filter((one) => !left.includes(one));
  if (first === undefined && left.length > 0) {
    const what = left.map(scriptProblemOf).join("; ");
    return check(id, true, `the subject went its own way: ${what}`, left.map(({ seq }) => seq));
  }
  if (first === undefined) return unplayed(trace.events) ?? played(trace);
  const outcome = isOwnWay && !OF_A_MODEL.has(first.detail["kind"]) ? "untestable" : "error";
  return { id, outcome, message: problemOf(first), evidence: problems.map(({ seq }) => seq) };
}

/** The check of a run in which something could not be played: nothing can be said about it. */
function unplayed(events: readonly TraceEvent[]): Check | undefined {
  const found = unplayables(events);
  const whys = [...new Set(found.map(({ detail }) => String(detail["why"])))];
  if (whys.length === 0) return undefined;
  return { id: "run.script", outcome: "untestable", message: whys.join("; "), evidence: found.map(({ seq }) => seq) };
}

/** The check of a run in which script and run do fit each other. */
function played({ cell: { model }, events }: TraceView["trace"]): Check {
  const left = eventsOf(events, "bench", "script.left");
  const evidence = left.map(({ seq }) => seq);
  if (model !== "scripted" && left.length === 0) {
    return check("run.script", true, `its turns are those of ${model}, and none was refused or missing`);
  }
  if (left.length === 0) return check("run.script", true, "every scripted turn was played, and no other was asked for");
  const of = left.map(({ detail: { agent, turns, played } }) =>
    `${agent} ${Number(turns) - Number(played)} of ${turns}`
  );
  return check(
    "run.script",
    true,
    `no turn was asked for that is not there; nobody asked for ${of.join(", ")}`,
    evidence,
  );
}

/** What happened to a model that is not scripted: it stands there in a sentence. */
const OF_A_MODEL: ReadonlySet<unknown> = new Set(["miss", "left", "limit", "unwritten", "outage"]);

/** One way in which script and run do not fit; or recording and run, or limit and run. */
function problemOf(event: TraceEvent): string {
  const { detail: { kind, agent, what } } = event;
  return OF_A_MODEL.has(kind) ? `${agent}: ${what}` : `script: ${scriptProblemOf(event)}`;
}

/** Of a model's turns, or of what people were to say. */
function scriptProblemOf({ detail: { agent, kind, what, turns, played } }: TraceEvent): string {
  const left = Number(turns) - Number(played);
  if (typeof what === "string") {
    return kind === "unconsumed"
      ? `${left} of the ${agent}'s ${turns} scripted words were never asked for: ${what}`
      : `the ${agent} was asked for the ${what}, number ${Number(played) + 1}, and its script has ${turns}`;
  }
  return kind === "unconsumed"
    ? `${left} of ${agent}'s ${turns} scripted turns were never asked for`
    : kind === "exhausted"
    ? `${agent} was asked for turn ${Number(played) + 1}, and its script has ${turns}`
    : `${agent} was called, and has no script`;
}

/** For each fault of the scenario: its code is sound, and it struck. Its likes at the same place are told apart by rank. */
function faults({ trace: { cell, scenario, events } }: TraceView): Check[] {
  const likes = new Map<string, number>();
  return scenario.faults.flatMap(({ fault, at }) => {
    const kind = `${fault}@${at}`;
    const rank = (likes.get(kind) ?? 0) + 1;
    likes.set(kind, rank);
    const place = rank === 1 ? kind : `${kind}#${rank}`;
    const of = (name: "fault" | "fault_broke") =>
      // A place is an agent's or a server's: it has events of one of the two.
      [...eventsOf(events, "world", `server.${name}`), ...eventsOf(events, "world", `model.${name}`)].filter((
        { detail },
      ) => detail["fault"] === fault && detail["at"] === at && (detail["rank"] ?? 1) === rank);
    return [sound(place, of("fault_broke")), reached(place, of("fault"), FAULTS.get(fault)?.lanes[cell.lane])];
  });
}

function sound(place: string, broken: readonly TraceEvent[]): Check {
  const [first] = broken;
  const message = first === undefined
    ? `${place}: the fault's own code held`
    : `${place}: the fault's own code failed: ${first.detail["message"]}`;
  const evidence = broken.map(({ seq }) => seq);
  return { id: `faults.sound:${place}`, outcome: first === undefined ? "pass" : "error", message, evidence };
}

function reached(place: string, fired: readonly TraceEvent[], support: LaneSupport | undefined): Check {
  if (fired.length === 0 && typeof support === "string") {
    return notShown(`faults.reached:${place}`, `${place} cannot strike in this lane: ${support}`);
  }
  const message = fired.length > 0
    ? `${place} struck ${fired.length} ${fired.length === 1 ? "time" : "times"}`
    : `${place} was not reached: the run says nothing about it`;
  return check(`faults.reached:${place}`, fired.length > 0, message, fired.map(({ seq }) => seq));
}
