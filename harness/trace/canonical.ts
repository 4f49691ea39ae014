/**
 * The canonical trace: what happened, without when, and without the order in which concurrent work came to its end. Two
 * lanes, and every order of completion, give the same one.
 */
import { canonicalJson, type Json, sha256 } from "../../core/mod.ts";
import type { Trace, TraceEvent } from "./event.ts";

/** Stands in a path for each item of a list. */
const EACH = "*";

/**
 * Members of an event's detail that are times, or that depend on the order of concurrent work, by the event's type, as
 * paths; `*` is each item of a list. Only there: a tool's argument that is called `call` or `ms` is data.
 */
const UNSTABLE: ReadonlyMap<string, readonly (readonly string[])[]> = new Map([
  // The number of a call among the calls of its tool, whoever made it.
  ["server.request", [["call"]]],
  ["server.reply", [["call"]]],
  ["server.cancelled", [["call"]]],
  ["server.ledger", [["calls", EACH, "call"]]],
  ["server.fault", [["call"]]],
  ["server.fault_broke", [["call"]]],
  ["model.fault", [["call"]]],
  ["model.fault_broke", [["call"]]],
  ["report", [["report", "startedAt"], ["report", "endedAt"]]],
]);

/** Events span by span in the order of the spans' names, times removed, one JSON text a line. */
export function canonicalTrace(trace: Pick<Trace, "events">): string {
  const spans = new Map<string, TraceEvent[]>();
  for (const event of trace.events) {
    const events = spans.get(event.span);
    if (events === undefined) spans.set(event.span, [event]);
    else events.push(event);
  }
  let text = "";
  for (const span of [...spans.keys()].sort()) {
    for (const event of spans.get(span) ?? []) {
      const { run: _run, seq: _seq, t: _t, detail, ...rest } = inEitherLane(event);
      text += `${canonicalJson({ ...rest, detail: (UNSTABLE.get(event.type) ?? []).reduce(without, detail) })}\n`;
    }
  }
  return text;
}

/** That nothing was left to run can be told in `sim` only; in `wire` the same run is overdue. */
function inEitherLane(event: TraceEvent): TraceEvent {
  const { side, type, outcome } = event;
  const isCut = side === "bench" && type === "run.end" && (outcome === "stalled" || outcome === "overdue");
  return isCut ? { ...event, outcome: "overdue", detail: { outcome: "overdue" } } : event;
}

/** SHA-256 of the canonical trace, as 64 hex digits. */
export function canonicalDigest(trace: Pick<Trace, "events">): string {
  return sha256(canonicalTrace(trace));
}

function isFields(value: Json): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type Fields = { readonly [key: string]: Json };

/** A copy without the member at a path. */
function without(value: Fields, [key = "", ...rest]: readonly string[]): Fields {
  const { [key]: member, ...others } = value;
  if (rest[0] === EACH && Array.isArray(member)) {
    const stripped = member.map((item) => isFields(item) ? without(item, rest.slice(1)) as Json : item);
    return { ...others, [key]: stripped };
  }
  if (rest.length === 0 || typeof member !== "object" || member === null || Array.isArray(member)) {
    return rest.length === 0 ? others : value;
  }
  return { ...others, [key]: without(member, rest) as Json };
}
