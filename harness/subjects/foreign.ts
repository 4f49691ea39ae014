/** Subjects that run somewhere else, in processes that the bench can only watch: what they get beside the world, and how they end. */
import type { Answer, Subject, SubjectWorld } from "../../agents/mod.ts";
import type { Json } from "../../core/mod.ts";

/**
 * What the bench itself puts on record of a foreign subject. `subject.shows`: what this run lets be seen. `subject.process`:
 * how its process has ended. `subject.unplayable`: what no script can answer, so that nothing can be said about the run.
 */
export type ForeignEvent = "subject.shows" | "subject.process" | "subject.unplayable";

/** The world of a subject that runs somewhere else. */
export interface ForeignWorld extends SubjectWorld {
  /** How long it may take, in milliseconds. */
  readonly deadlineMs: number;
  /** The agents whose models are played; any if left out. */
  readonly agents?: readonly string[];
  /** The agents that a call can name as its model; those that are played if left out. */
  readonly asModels?: readonly string[];
  /** Whether an agent's turns are those of the script; all are if left out. What a live model says may be anything. */
  readonly isScripted?: (agent: string) => boolean;
  /** By what texts of a prompt an agent is known that does not give its name. */
  readonly match: ReadonlyMap<string, readonly string[]>;
  /** Writes an event in the bench's name. */
  readonly record: (type: ForeignEvent, detail: { readonly [key: string]: Json }) => void;
}

/** A subject that runs somewhere else. */
export interface ForeignSubject extends Subject {
  /**
   * Answers the request. It settles soon after the world's signal aborts, when nothing of it is left.
   *
   * @throws {ForeignEnd} If it ends in another way than with an answer.
   */
  runForeign(world: ForeignWorld): Promise<Answer>;
}

/** Whether a subject runs somewhere else. */
export function isForeign(subject: Subject): subject is ForeignSubject {
  return "runForeign" in subject;
}

/** A foreign subject has ended in another way than with an answer alone. */
export class ForeignEnd extends Error {
  /** `ForeignEnd` */
  override readonly name = "ForeignEnd";
  /**
   * An end.
   *
   * @param what What happened, for people: no path, no time, nothing else of the machine.
   * @param answer What it had answered all the same.
   */
  constructor(what: string, readonly answer?: Answer) {
    super(what);
  }
}
