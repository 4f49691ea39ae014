/** Whether the run itself is one that can be judged: it ended, nothing went on after it, script and faults were used up. */
import type { TraceEvent } from "../trace/event.ts";
import { type Check, check } from "./check.ts";
import type { TraceView } from "./view.ts";

/** Scores the run. */
export function scoreRun(view: TraceView): Check[] {
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
  const settled = events.find(({ side, type }) => side === "bench" && type === "run.settled")?.seq ?? Infinity;
  const late = events.filter(({ side, type, seq }) => seq > settled && side !== "bench" && !AT_THE_END.has(type));
  const open = events.filter(({ side, type, seq, detail }) =>
    side === "world" && type === "server.close" && (detail["by"] === "bench" || seq > settled)
  );
  const found = [
    ...(late.length > 0 ? [`${late.length} events came after the subject's end, first ${nameOf(late[0])}`] : []),
    ...(open.length > 0 ? [`the subject left ${open.length} connections open`] : []),
  ];
  return check(
    id,
    found.length === 0,
    found.length === 0 ? "nothing happened after the end, and every connection was closed" : found.join("; "),
    [...late, ...open].map(({ seq }) => seq),
  );
}

function nameOf(event: TraceEvent | undefined): string {
  return `${event?.type} at ${event?.span}`;
}

/** A script that does not fit the run is the scenario's error, unless the run broke off before it could be played. */
function script({ trace, end }: TraceView): Check {
  const id = "run.script";
  const answered = end?.detail["outcome"] === "answered";
  const problems = trace.events.filter(({ side, type, detail }) =>
    side === "bench" && type === "script.problem" && (answered || detail["kind"] !== "unconsumed")
  );
  const [first] = problems;
  if (first === undefined) return check(id, true, "every scripted turn was played, and no other was asked for");
  const message = problemOf(first);
  return { id, outcome: "error", message: `script: ${message}`, evidence: problems.map(({ seq }) => seq) };
}

/** One way in which script and run do not fit: of a model's turns, or of what people were to say. */
function problemOf({ detail: { agent, kind, what, turns, played } }: TraceEvent): string {
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
function faults({ trace: { scenario, events } }: TraceView): Check[] {
  const likes = new Map<string, number>();
  return scenario.faults.flatMap(({ fault, at }) => {
    const kind = `${fault}@${at}`;
    const rank = (likes.get(kind) ?? 0) + 1;
    likes.set(kind, rank);
    const place = rank === 1 ? kind : `${kind}#${rank}`;
    const of = (name: "fault" | "fault_broke") =>
      events.filter(({ side, type, detail }) =>
        side === "world" && (type === `server.${name}` || type === `model.${name}`) && detail["fault"] === fault &&
        detail["at"] === at && (detail["rank"] ?? 1) === rank
      );
    return [sound(place, of("fault_broke")), reached(place, of("fault"))];
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

function reached(place: string, fired: readonly TraceEvent[]): Check {
  const message = fired.length > 0
    ? `${place} struck ${fired.length} ${fired.length === 1 ? "time" : "times"}`
    : `${place} was not reached: the run says nothing about it`;
  return check(`faults.reached:${place}`, fired.length > 0, message, fired.map(({ seq }) => seq));
}
