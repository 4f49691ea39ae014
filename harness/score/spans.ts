/**
 * Whether the subject's account of its work is whole: each superstep, task and call that begins ends once, within the one
 * that it is part of. A kill ends whatever was open, and what is done again after it begins anew.
 */
import { parentId } from "../../core/mod.ts";
import type { TraceEvent } from "../trace/event.ts";
import { type Check, check } from "./check.ts";
import { eventsOf } from "./events.ts";
import type { TraceView } from "./view.ts";

type Kind = "superstep" | "task" | "call";

/** What begins and ends, and what it is part of. */
const PARTS: ReadonlyMap<string, { readonly kind: Kind; readonly begins: boolean; readonly within: Kind | undefined }> =
  new Map([
    ["superstep.start", { kind: "superstep", begins: true, within: undefined }],
    ["superstep.end", { kind: "superstep", begins: false, within: undefined }],
    ["task.start", { kind: "task", begins: true, within: "superstep" }],
    ["task.end", { kind: "task", begins: false, within: "superstep" }],
    ["call.start", { kind: "call", begins: true, within: "task" }],
    ["call.end", { kind: "call", begins: false, within: "task" }],
  ]);

interface Wrong {
  readonly seq: number;
  readonly why: string;
}

const IDS = ["spans.ended", "spans.nested"] as const;

/** Scores beginnings and ends. */
export function scoreSpans({ trace: { events }, end }: TraceView): Check[] {
  if (end?.detail["outcome"] !== "answered") {
    const message = "the subject did not come to an answer, so its account may break off anywhere";
    return IDS.map((id) => ({ id, outcome: "untestable", message, evidence: end === undefined ? [] : [end.seq] }));
  }
  const { ended, nested, begun } = walk(events);
  if (begun === 0 && eventsOf(events, "world", "model.request").length > 0) {
    const message = "the subject tells nothing of supersteps, tasks or calls, and a model was asked";
    return IDS.map((id) => ({ id, outcome: "untestable", message, evidence: [end.seq] }));
  }
  return [
    summed("spans.ended", ended, `each of the ${begun} supersteps, tasks and calls that began ended once`),
    summed("spans.nested", nested, "each began and ended within what it is part of"),
  ];
}

function walk(events: readonly TraceEvent[]) {
  const open: Record<Kind, Map<string, number>> = { superstep: new Map(), task: new Map(), call: new Map() };
  const over: Record<Kind, Set<string>> = { superstep: new Set(), task: new Set(), call: new Set() };
  /** Tasks that were cut off: their calls are called off then, and end a little later. */
  const cut = new Map<string, number>();
  const ended: Wrong[] = [];
  const nested: Wrong[] = [];
  let begun = 0;
  for (const { side, type, seq, span, detail } of events) {
    if (side === "bench" && type === "subject.killed") {
      for (const kind of ["superstep", "task", "call"] as const) {
        open[kind].clear();
        over[kind].clear();
      }
    }
    const part = side === "subject" ? PARTS.get(type) : undefined;
    if (part === undefined) continue;
    const { kind, begins, within } = part;
    const [own, done] = [open[kind], over[kind]];
    if (begins) {
      begun++;
      if (own.has(span) || done.has(span)) ended.push({ seq, why: `the ${kind} ${span} begins twice` });
      own.set(span, seq);
    } else if (own.delete(span)) {
      done.add(span);
      if (kind === "task" && detail["outcome"] !== "ok") cut.set(span, seq);
    } else ended.push({ seq, why: `the ${kind} ${span} ends, and ${done.has(span) ? "had ended" : "had not begun"}` });
    if (within !== undefined && !isIn(span, open[within]) && !(kind === "call" && !begins && isIn(span, cut))) {
      nested.push({ seq, why: `the ${kind} ${span} ${begins ? "begins" : "ends"} outside of a ${within}` });
    }
  }
  for (const kind of ["superstep", "task", "call"] as const) {
    for (const [span, seq] of open[kind]) ended.push({ seq, why: `the ${kind} ${span} never ends` });
  }
  return { ended, nested, begun };
}

/** Whether some span above this one is among others. */
function isIn(span: string, others: ReadonlyMap<string, number>): boolean {
  for (let above = parentId(span); above !== undefined; above = parentId(above)) if (others.has(above)) return true;
  return false;
}

function summed(id: string, wrong: readonly Wrong[], good: string): Check {
  const [first] = wrong;
  const more = wrong.length > 1 ? `, and ${wrong.length - 1} more` : "";
  return check(
    id,
    first === undefined,
    first === undefined ? good : `${first.why}${more}`,
    wrong.map(({ seq }) => seq),
  );
}
