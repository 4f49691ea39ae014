/**
 * Whether anybody is called failed whose work was met in the end: by the world's record, each failed call of theirs was
 * answered when it was made again, or each task of theirs was done by a later attempt. Only what was not recovered is a
 * failure of the answer.
 */
import { type Json, parentId } from "../../core/mod.ts";
import { isWithin, tasksOf } from "./attempts.ts";
import { type Check, check } from "./check.ts";
import { eventsOf } from "./events.ts";
import { failureLines, ownWords } from "./prose.ts";
import type { Unit } from "./record.ts";
import { isStranger } from "./shown.ts";
import { accusedIn } from "./stranger.ts";
import type { TraceView } from "./view.ts";

/** Codes that depend on what a model said, or on what nobody can know: the record does not judge them. */
const UNJUDGED: ReadonlySet<string> = new Set([
  "unverified",
  "malformed_result",
  "empty_result",
  "outcome_unknown",
  "denied",
  "not_started",
]);

/** Scores whether what was recovered is called failed. */
export function scoreRecovered(view: TraceView, units: readonly Unit[], lossOf: (unit: Unit) => unknown): Check {
  const { answer, end, shown, trace: { crew } } = view;
  const met = crew.specialists.filter(({ name }) => isMet(name, view, units, lossOf)).map(({ name }) => name);
  const prose = ownWords(answer);
  const strict = isStranger(shown) ? new Set(accusedIn(view)) : undefined;
  const accused = met.filter((name) => {
    const stated = (answer?.failures ?? []).filter(({ specialist }) => specialist === name);
    if (stated.length > 0) return stated.some(({ code }) => !UNJUDGED.has(code));
    return strict === undefined ? failureLines(name, prose).length > 0 : strict.has(name);
  });
  const message = accused.length === 0
    ? `nobody who was recovered is called failed (${met.join(", ") || "nobody was"})`
    : `${accused.join(", ")} met with a failure that was recovered, and the answer calls them failed`;
  return check("record.recovered", accused.length === 0, message, end === undefined ? [] : [end.seq]);
}

/** Whether a specialist met with a failure, and all of its work was met in the end. */
function isMet(
  name: string,
  view: TraceView,
  units: readonly Unit[],
  lossOf: (unit: Unit) => unknown,
): boolean {
  const tasks = tasksOf(view).filter(({ owner }) => owner === name);
  const own = tasks.map(({ id }) => units.filter(({ packet }) => packet === id));
  const last = own.flatMap((attempts) => attempts.at(-1) ?? []);
  const isTried = own.some((attempts) => attempts.length > 1) || last.some(({ calls }) => calls.some(({ ok }) => !ok));
  const stood = last.every((unit) => lossOf(unit) === undefined && isClean(unit, view));
  return isTried && tasks.length > 0 && last.length === tasks.length && stood && !isCut(name, view);
}

/** Whether a piece of work came to something that nothing casts doubt on. */
function isClean({ agent, seq, calls, held }: Unit, { trace: { events } }: TraceView): boolean {
  if (held || !calls.some(({ ok }) => ok)) return false;
  const work = parentId(events[seq]?.span ?? "") ?? "";
  const spanOf = (call: number) => events[call]?.span ?? "";
  const struck = new Set<string>();
  for (const { span } of eventsOf(events, "world", "server.fault")) struck.add(span);
  for (const { span, detail } of eventsOf(events, "world", "model.fault")) {
    if (detail["agent"] === agent && isWithin(span, work)) return false;
  }
  return calls.every(({ ok, tool, seq: at }) =>
    // What a fault has changed without anybody's being told is no recovery, whatever came of it.
    ok
      ? !struck.has(spanOf(at))
      : calls.some((later) =>
        later.ok && later.tool === tool && later.seq > at && parentId(spanOf(later.seq)) !== parentId(spanOf(at))
      )
  );
}

/** Whether a connection that the specialist needs was struck: that is more than a call. */
function isCut(name: string, { trace: { events, crew } }: TraceView): boolean {
  const servers = crew.specialists.find((one) => one.name === name)?.toolAllow.map((entry) => entry.split(".")[0]) ??
    [];
  return eventsOf(events, "world", "server.fault").some(({ detail }) =>
    detail["tool"] === undefined && has(servers, detail["server"])
  );
}

function has(names: readonly (string | undefined)[], name: Json | undefined): boolean {
  return names.some((one) => one === name);
}
