import type { Json } from "../core/mod.ts";

/**
 * Tells the bench what the subject does. The spans are structural ids (`run/dispatch/billing/step1`); the details are
 * JSON. Observing never changes a run: an emitter does not throw.
 */
export type Emit = (type: string, span: string, detail: { [key: string]: Json | undefined }) => void;

/** An emitter for runs that nobody watches. */
export const silent: Emit = () => {};

/** The same emitter, but one that may throw: what it throws is ignored, so that no watcher can change a run. */
export function quiet(emit: Emit): Emit {
  return (type, span, detail) => {
    try {
      emit(type, span, detail);
    } catch {
      // Whoever watches is broken, and not the run.
    }
  };
}
