/** The trace: what happened in one cell, in order, with everything that is needed to score it alone. */
import type { Crew } from "../../agents/mod.ts";
import type { Json } from "../../core/mod.ts";
import type { Scenario } from "../scenario/schema.ts";

/** Version of the trace format; a reader refuses any other. */
export const TRACE_SCHEMA = 1;

/** The two lanes. */
export type LaneName = "sim" | "wire";

/** The unit that is run: one scenario, one variant, one way. Ids are made of it, and comparisons pair by it. */
export interface Cell {
  /** The scenario's name. */
  readonly scenario: string;
  /** The variant's name; `null` for the scenario itself. */
  readonly variant: string | null;
  /** Where it runs. */
  readonly lane: LaneName;
  /** Name of the system under test. */
  readonly subject: string;
  /** Name of the model. */
  readonly model: string;
  /** What all that is random depends on. */
  readonly seed: string;
  /** Counted from 1. */
  readonly repeat: number;
}

/** A cell's name: `scenario[/variant]@lane`, and what differs from the default of the rest. */
export function cellId({ scenario, variant, lane, subject, model, seed, repeat }: Cell): string {
  const rest = [
    subject === "reference" ? "" : `subject=${subject}`,
    model === "scripted" ? "" : `model=${model}`,
    seed === "0" ? "" : `seed=${seed}`,
    repeat === 1 ? "" : `repeat=${repeat}`,
  ].filter((part) => part !== "");
  const name = variant === null ? scenario : `${scenario}/${variant}`;
  return [`${name}@${lane}`, ...rest].join(",");
}

/** Who says so. `world`: servers and model endpoint. `subject`: the system under test. `bench`: the runner. */
export type Side = "world" | "subject" | "bench";

/** One event. */
export interface TraceEvent {
  /** The cell. */
  readonly run: string;
  /** Number in the trace, from 0. */
  readonly seq: number;
  /** Milliseconds of the cell's clock, to the microsecond. */
  readonly t: number;
  /** Who says so. */
  readonly side: Side;
  /** What happened, for example `call.start`; see `EVENT_TYPES`. */
  readonly type: string;
  /** Structural id of the piece of work. */
  readonly span: string;
  /** The span it is part of; none for the root. */
  readonly parent?: string;
  /** Number of the superstep, where the span stands in one. */
  readonly superstep?: number;
  /** The worker, where the span belongs to one. */
  readonly worker?: string;
  /** SHA-256 of the packet that the worker works on. */
  readonly packet?: string;
  /** How it ended, for types that end something. */
  readonly outcome?: string;
  /** Everything else. */
  readonly detail: { readonly [key: string]: Json };
}

/** A whole trace. It holds no secret: neither its events nor the scenario and crew in its header. */
export interface Trace {
  /** Version of the format. */
  readonly schema: typeof TRACE_SCHEMA;
  /** What was run. */
  readonly cell: Cell;
  /** The scenario with world and variant resolved. */
  readonly scenario: Scenario;
  /** The team. */
  readonly crew: Crew;
  /** What happened, in order. */
  readonly events: readonly TraceEvent[];
}
