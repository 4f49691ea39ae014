/** What a subject does not show cannot be judged: checks that rest on it are untestable, by the subject's declaration. */
import { SHOWN, type Shown } from "../../agents/mod.ts";
import type { Trace } from "../trace/event.ts";
import type { Check } from "./check.ts";

/**
 * What each kind of check rests on beside the world's own records and the answer's text. The kind is an id up to its first
 * colon; a kind that is not here rests on nothing that a subject could keep back.
 */
export const RESTS_ON: ReadonlyMap<string, readonly Shown[]> = new Map<string, readonly Shown[]>([
  ["coherence.status", ["answer"]],
  ["coherence.prose", ["answer"]],
  ["coherence.substitution", ["answer"]],
  ["record.named", ["answer"]],
  ["record.healthy", ["answer", "agents"]],
  ["record.complete", ["answer", "agents"]],
  ["record.recovered", ["answer", "agents"]],
  ["record.codes", ["answer", "agents"]],
  ["answer.status", ["answer"]],
  ["answer.order", ["answer"]],
  ["disclosure.false_alarm", ["answer"]],
  ["disclosure.structured", ["answer"]],
  ["substitution.structured", ["answer"]],
  ["recovery.capped", ["routes"]],
  ["recovered", ["reports"]],
  ["notes", ["verdicts"]],
  ["plan.packets", ["packets"]],
  ["plan.nodes", ["packets"]],
  ["plan.edges", ["packets"]],
  ["plan.facts", ["packets"]],
  ["plan.parallel", ["spans"]],
  ["plan.unusable", ["plan"]],
  ["handoffs.order", ["controls"]],
  ["isolation.user_message", ["agents", "packets"]],
  ["isolation.canaries", ["agents"]],
  ["isolation.siblings", ["agents"]],
  ["isolation.observations", ["agents"]],
  ["calls.answered", ["agents"]],
  ["allowlist.advertised", ["agents"]],
  ["allowlist.wire", ["agents"]],
  ["approval.before_call", ["controls"]],
  ["approvals.order", ["controls"]],
  ["budget.packets", ["packets", "reports"]],
  ["budget.run", ["reports"]],
  ["usage.sum", ["reports", "spans"]],
  ["spans.ended", ["spans"]],
  ["spans.nested", ["spans"]],
]);

/** What the subject of a trace shows, by its own declaration; everything where it declares nothing. */
export function shownIn({ events }: Pick<Trace, "events">): ReadonlySet<Shown> {
  const declared = events.find(({ side, type }) => side === "bench" && type === "run.start")?.detail["shows"];
  return Array.isArray(declared) ? new Set(SHOWN.filter((one) => declared.includes(one))) : new Set(SHOWN);
}

/** Makes untestable what rests on something that the subject of this trace does not show. */
export function withoutUnseen(checks: readonly Check[], trace: Pick<Trace, "events">): Check[] {
  const shown = shownIn(trace);
  if (shown.size === SHOWN.length) return [...checks];
  return checks.map((one) => {
    const missing = RESTS_ON.get(one.id.split(":", 1)[0] ?? one.id)?.filter((part) => !shown.has(part)) ?? [];
    if (missing.length === 0 || one.outcome === "error") return one;
    const message = `the subject does not show its ${missing.join(" and ")}`;
    return { id: one.id, outcome: "untestable", message, evidence: [], declared: true };
  });
}
