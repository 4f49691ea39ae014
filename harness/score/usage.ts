/** Whether what the subject says it used is what its models' replies used, each reply counted once. */
import type { Json } from "../../core/mod.ts";
import type { TraceEvent } from "../trace/event.ts";
import { type Check, check } from "./check.ts";
import { eventsOf } from "./events.ts";
import { count, type ModelStep, modelSteps } from "./model_use.ts";
import type { TraceView } from "./view.ts";

/** Scores the usage of each report, and of the run where the subject tells it. */
export function scoreUsage(view: TraceView): Check[] {
  const id = "usage.sum";
  const steps = modelSteps(view);
  const byWork = Map.groupBy(steps, ({ work }) => work);
  const told = ["report", "usage"].flatMap((type) => eventsOf(view.trace.events, "subject", type))
    .sort((a, b) => a.seq - b.seq);
  if (told.length === 0 && steps.length > 0) {
    return [{ id, outcome: "untestable", message: "the subject tells no usage", evidence: [] }];
  }
  const wrong = told.flatMap((event) => {
    const isTotal = event.type === "usage";
    const own = isTotal ? steps : byWork.get(event.span) ?? [];
    const usage = isTotal ? event.detail : usageIn(event);
    const said = `${count(usage, "steps")} steps, ${count(usage, "inputTokens")} + ${
      count(usage, "outputTokens")
    } tokens`;
    const used = shown(own);
    return said === used
      ? []
      : [{ seq: event.seq, why: `${isTotal ? "the run" : event.span} says ${said}, and used ${used}` }];
  });
  const message = wrong[0]?.why ?? `all usage told is that of the models' replies (${shown(steps)} in all)`;
  return [check(id, wrong.length === 0, message, wrong.map(({ seq }) => seq))];
}

function usageIn({ detail: { report } }: TraceEvent): Json | undefined {
  return typeof report === "object" && report !== null && !Array.isArray(report) ? report["usage"] : undefined;
}

function shown(steps: readonly ModelStep[]): string {
  const sum = (of: (step: ModelStep) => number) => steps.reduce((total, step) => total + of(step), 0);
  return `${steps.length} steps, ${sum(({ inputTokens }) => inputTokens)} + ${
    sum(({ outputTokens }) => outputTokens)
  } tokens`;
}
