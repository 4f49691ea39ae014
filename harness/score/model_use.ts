/** What models were asked and what their replies used, by the model endpoint's record, one entry a step. */
import { type Json, parentId } from "../../core/mod.ts";
import { once } from "./once.ts";
import type { TraceView } from "./view.ts";

/** One step: a model was asked, and a turn came, or none. */
export interface ModelStep {
  /** Where it was first asked. */
  readonly seq: number;
  /** The step. */
  readonly span: string;
  /** The piece of work that it is part of. */
  readonly work: string;
  /** Who asked. */
  readonly agent: string;
  /** Tokens that the turn read; 0 without one. */
  inputTokens: number;
  /** Tokens that the turn wrote. */
  outputTokens: number;
  /** US dollars, where its turn says so. */
  costUsd: number;
  /** Whether a fault struck it: what it uses then, nobody could have foreseen. */
  struck: boolean;
}

/**
 * The steps of a run, in order. After a kill a step may be asked for again, under its span: it is the same, and its last
 * turn counts. Without a kill between, the same span twice is two.
 */
export const modelSteps = once(({ trace: { events } }: Pick<TraceView, "trace">): readonly Readonly<ModelStep>[] => {
  const steps: ModelStep[] = [];
  const last = new Map<string, ModelStep>();
  let before = new Set<string>();
  for (const { side, type, seq, span, detail } of events) {
    if (type === "subject.killed" && side === "bench") before = new Set(last.keys());
    if (side !== "world") continue;
    if (type === "model.request") {
      if (before.delete(span)) continue;
      const agent = textOf(detail["agent"]);
      const step = {
        ...{ seq, span, agent, work: parentId(span) ?? span },
        ...{ inputTokens: 0, outputTokens: 0, costUsd: 0, struck: false },
      };
      steps.push(step);
      last.set(span, step);
      continue;
    }
    const step = type === "model.turn" || type === "model.fault" ? last.get(span) : undefined;
    if (step === undefined) continue;
    if (type === "model.fault") {
      step.struck = true;
      continue;
    }
    const { usage } = detail;
    step.inputTokens = count(usage, "inputTokens");
    step.outputTokens = count(usage, "outputTokens");
    step.costUsd = count(usage, "costUsd");
  }
  return steps;
});

/** Tokens of a step, in and out together. */
export function tokensOf({ inputTokens, outputTokens }: Pick<ModelStep, "inputTokens" | "outputTokens">): number {
  return inputTokens + outputTokens;
}

/** A number of an object; 0 where there is none. */
export function count(value: Json | undefined, key: string): number {
  const got = typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
    ? value[key]
    : undefined;
  return typeof got === "number" ? got : 0;
}

/** A text; an empty one for whatever else stands there. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
