/** The faults at agents, between the scripted model and whoever calls it. */
import type { Model, ModelRequest } from "../../agents/mod.ts";
import type { Clock } from "../../core/mod.ts";
import type { FaultEntry } from "../../servers/mod.ts";
import { type ModelEvent, ModelLink } from "../../servers/model/mod.ts";
import type { Recording } from "../trace/recorder.ts";

/** What the faults of a cell need. */
export interface FaultyModelOptions {
  /** All faults of the cell; those at an agent are taken. */
  readonly faults: readonly FaultEntry[];
  /** The cell's clock. */
  readonly clock: Clock;
  /** What all random numbers depend on. */
  readonly seed: string;
  /** Where it is told that a fault struck. */
  readonly recorder: Recording;
}

/** A model whose calls and turns are what the cell's faults make of them. Disposed, it ends the calls that hang. */
export function faultyModel(model: Model, { faults, clock, seed, recorder }: FaultyModelOptions): Model & Disposable {
  // Most cells have no such fault, and pay nothing for those that do.
  if (!faults.some(({ at }) => at.startsWith("agent:"))) {
    return { next: (request, signal) => model.next(request, signal), [Symbol.dispose]() {} };
  }
  const spans = new Map<string, string>();
  const calls = new Map<string, number>();
  const observer = (event: ModelEvent): void => {
    if (event.type !== "model_fault" && event.type !== "model_fault_broke") return;
    const { type, ...detail } = event;
    const span = spans.get(`${detail.agent}#${detail.call}`) ?? "run";
    recorder.record("world", type === "model_fault" ? "model.fault" : "model.fault_broke", span, detail);
  };
  const link = new ModelLink<ModelRequest>((request, signal) => model.next(request, signal));
  link.bind({ faults, clock, seed, observer });
  return {
    next(request, signal) {
      // The link counts in the same way: each agent's calls, as they come in.
      const call = (calls.get(request.agent) ?? 0) + 1;
      calls.set(request.agent, call);
      spans.set(`${request.agent}#${call}`, request.span);
      return link.next(request, signal);
    },
    [Symbol.dispose]: () => link.close(),
  };
}
