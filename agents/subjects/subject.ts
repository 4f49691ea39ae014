/** A subject: a system under test. */
import type { Clock } from "../../core/mod.ts";
import type { Answer } from "../types.ts";
import type { Crew } from "../crews/crew.ts";
import type { ServerPort, SessionPool } from "../hub/mod.ts";
import type { Model } from "../models/model.ts";
import type { Emit } from "../observe.ts";

/** Everything that a subject gets of the world. */
export interface SubjectWorld {
  /** What the user asks. */
  readonly request: string;
  /** The team to answer with. */
  readonly crew: Crew;
  /** The model endpoint. */
  readonly model: Model;
  /** How to reach each server of the crew. */
  readonly ports: readonly ServerPort[];
  /** The only source of time. */
  readonly clock: Clock;
  /** Calls the run off. */
  readonly signal: AbortSignal;
  /** Tells the bench what the subject does. The bench does not take its word for it. */
  readonly emit: Emit;
  /** Sessions that may be reused. */
  readonly pool?: SessionPool;
}

/** A system under test. */
export interface Subject {
  /** Its name on the command line. */
  readonly name: string;
  /** What it is, in one sentence. */
  readonly summary: string;
  /** Answers the request. When it settles, it has closed everything that it opened. */
  run(world: SubjectWorld): Promise<Answer>;
}
