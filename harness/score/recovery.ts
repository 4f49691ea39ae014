/**
 * Whether a specialist that failed first was recovered: its task was met in the end, by live results of a later attempt,
 * in the way that the scenario wants.
 */
import type { Json } from "../../core/mod.ts";
import { isWithin, type Task, tasksOf } from "./attempts.ts";
import { type Check, check, unanswered } from "./check.ts";
import { sortedEntries } from "./entries.ts";
import { eventsOf } from "./events.ts";
import { isFailedResult } from "./result_shape.ts";
import type { SeenPacket, TraceView } from "./view.ts";

/** Scores each recovery that the scenario expects. */
export function scoreRecovery(view: TraceView): Check[] {
  const { answer, end, trace: { scenario: { expect } } } = view;
  const tasks = tasksOf(view);
  return sortedEntries(expect?.recovered ?? {}).map(([who, strategy]) => {
    const id = `recovered:${who}`;
    const evidence = end === undefined ? [] : [end.seq];
    if (answer === undefined) return unanswered(id, evidence);
    const again = tasks.filter(({ owner, attempts }) => owner === who && attempts.length > 1);
    const routes = again.flatMap((task) => routesOf(task, strategy, view));
    const met = again.flatMap((task) => metBy(task, strategy, view));
    const wrong = answer.failures.some(({ specialist }) => specialist === who)
      ? `the answer names ${who} as failed, and it was to be recovered by ${strategy}`
      : again.length === 0
      ? `no packet of ${who} was handed over again`
      : routes.length === 0
      ? `${who} was tried again, and nothing says that it was by ${strategy}`
      : met.length === 0
      ? `no later attempt for ${who} saw a result, or made a live section`
      : undefined;
    const message = wrong ?? `${who} failed first and was recovered by ${strategy}, with live results`;
    return check(id, wrong === undefined, message, [...routes, ...met, ...evidence]);
  });
}

/** Decisions on a task to do just this. */
function routesOf({ id }: Task, strategy: string, { trace: { events } }: TraceView): number[] {
  return events.filter(({ type, detail }) =>
    type === "route" && detail["packetId"] === id && detail["strategy"] === strategy
  ).map(({ seq }) => seq);
}

/** Later attempts that met a task: by whom the strategy wants, with results, and with a live section of their own. */
function metBy({ owner, attempts }: Task, strategy: string, view: TraceView): number[] {
  return attempts.slice(1).filter((attempt) => {
    const by = attempt.packet.recipient;
    const live = view.answer?.sections.some(({ worker, provenance }) => worker === by && provenance.kind === "live");
    return live && (by === owner) !== (strategy === "reassign") && sawSomething(attempt, view);
  }).map(({ seq }) => seq);
}

/** Whether a result came within an attempt; of one that has no tools, a word of its model. */
function sawSomething({ span, packet }: SeenPacket, { calls, trace: { events } }: TraceView): boolean {
  if (packet.toolAllow.length > 0) {
    return calls.some(({ span: at, reply }) =>
      isWithin(at, span) && reply !== undefined && !reply.isError && !isFailedResult(reply.text)
    );
  }
  return eventsOf(events, "world", "model.turn").some(({ span: at, detail }) =>
    isWithin(at, span) && isWords(detail["text"])
  );
}

function isWords(text: Json | undefined): boolean {
  return typeof text === "string" && text.trim() !== "";
}
