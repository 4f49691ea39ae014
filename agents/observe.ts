import type { Json } from "../core/mod.ts";

/**
 * Tells the bench what the subject does. The spans are structural ids (`run/dispatch/billing/step1`); the details are
 * JSON. Observing never changes a run: an emitter does not throw.
 */
export type Emit = (type: string, span: string, detail: { [key: string]: Json | undefined }) => void;

/** An emitter for runs that nobody watches. */
export const silent: Emit = () => {};
