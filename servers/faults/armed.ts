import { Random } from "../../core/mod.ts";
import type { ArmedHooks, Fault, FaultEntry, Phase } from "./fault.ts";
import { coversAgent } from "./model_hooks.ts";
import { strikes } from "./schedule.ts";

/** A fault of one cell at one server or agent, counting its occasions. */
export class ArmedFault {
  /** The fault's id. */
  readonly id: string;
  /** Its place, as the scenario has it. */
  readonly at: string;
  /** Its number among the faults of its kind at its place, from 1. */
  readonly rank: number;
  /** Its transform, parameters filled in. */
  readonly hooks: ArmedHooks;
  readonly #entry: FaultEntry;
  readonly #seed: string;
  readonly #label: string;
  #occasions = 0;

  /**
   * Fills in the fault's parameters.
   *
   * @param entry The scenario's line.
   * @param catalogue Where the fault is looked up.
   * @param seed The cell's seed.
   * @param rank Its number among the faults of its kind at its place, from 1.
   * @param label Sets its random numbers apart from those of other faults.
   * @throws {RangeError} If there is no such fault.
   * @throws {z.ZodError} If its parameters do not fit.
   */
  constructor(entry: FaultEntry, catalogue: ReadonlyMap<string, Fault>, seed: string, rank: number, label: string) {
    const { fault, at, when: _, ...params } = entry;
    const found = catalogue.get(fault);
    if (found === undefined) throw new RangeError(`unknown fault "${fault}"`);
    this.id = fault;
    this.at = at;
    this.hooks = found.arm(params);
    this.#entry = entry;
    this.#seed = seed;
    this.rank = rank;
    this.#label = label;
  }

  /** What its occasions are. */
  get phase(): Phase {
    return this.hooks.phase;
  }

  /** Whether calls of this tool are among its occasions. */
  covers(tool: string): boolean {
    const dot = this.at.indexOf(".");
    return dot < 0 || this.at.slice(dot + 1) === tool;
  }

  /** Counts one more occasion, and says whether the fault strikes on it. */
  next(now: number): boolean {
    const ordinal = ++this.#occasions;
    const { when } = this.#entry;
    const draw = () => new Random(`${when?.seed ?? this.#seed}/${this.#label}/when/${ordinal}`).next();
    return strikes(when, { ordinal, now, draw });
  }

  /** The random numbers of one occasion. */
  random(tool: string, call: number): Random {
    return new Random(`${this.#seed}/${this.#label}/${tool}/${call}`);
  }
}

/**
 * Arms the faults of a cell that are at this place, in the order in which they are listed.
 *
 * The random numbers of a fault depend on the seed, its id, its place, and its rank among its likes, so that one more
 * fault in the list changes no other.
 *
 * @param place A server's name, or `agent:<name>`.
 */
export function armFaults(
  entries: readonly FaultEntry[],
  catalogue: ReadonlyMap<string, Fault>,
  place: string,
  seed: string,
): ArmedFault[] {
  const likes = new Map<string, number>();
  return entries.filter(({ at }) => isAt(at, place)).map((entry) => {
    // Where one entry is at many places, each draws its own numbers.
    const kind = entry.at.endsWith("*") ? `${entry.fault}/${entry.at}/${place}` : `${entry.fault}/${entry.at}`;
    const rank = (likes.get(kind) ?? 0) + 1;
    likes.set(kind, rank);
    return new ArmedFault(entry, catalogue, seed, rank, `${kind}/${rank}`);
  });
}

function isAt(at: string, place: string): boolean {
  if (place.startsWith("agent:")) return coversAgent(at, place.slice("agent:".length));
  return at === "*" || at === place || at.startsWith(`${place}.`);
}
