import { Random } from "../../core/mod.ts";
import type { ArmedHooks, Fault, FaultEntry } from "./fault.ts";
import { strikes } from "./schedule.ts";

/** A fault of one cell at one server, counting its occasions. */
export class ArmedFault {
  /** The fault's id. */
  readonly id: string;
  /** Its place, as the scenario has it. */
  readonly at: string;
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
   * @param label Sets its random numbers apart from those of other faults.
   * @throws {RangeError} If there is no such fault.
   * @throws {z.ZodError} If its parameters do not fit.
   */
  constructor(entry: FaultEntry, catalogue: ReadonlyMap<string, Fault>, seed: string, label: string) {
    const { fault, at, when: _, ...params } = entry;
    const found = catalogue.get(fault);
    if (found === undefined) throw new RangeError(`unknown fault "${fault}"`);
    this.id = fault;
    this.at = at;
    this.hooks = found.arm(params);
    this.#entry = entry;
    this.#seed = seed;
    this.#label = label;
  }

  /** Whether it strikes calls, rather than the connection. */
  get ofCalls(): boolean {
    return this.hooks.request !== undefined || this.hooks.reply !== undefined;
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

  /** The random numbers of one call, or of one attempt to connect. */
  random(tool: string, call: number): Random {
    return new Random(`${this.#seed}/${this.#label}/${tool}/${call}`);
  }
}

/**
 * Arms the faults of a cell that are at this server, in the order in which they are listed.
 *
 * The random numbers of a fault depend on the seed, its id, its place, and its rank among its likes, so that one more
 * fault in the list changes no other.
 */
export function armFaults(
  entries: readonly FaultEntry[],
  catalogue: ReadonlyMap<string, Fault>,
  server: string,
  seed: string,
): ArmedFault[] {
  const likes = new Map<string, number>();
  return entries.filter(({ at }) => at === server || at.startsWith(`${server}.`)).map((entry) => {
    const kind = `${entry.fault}/${entry.at}`;
    const rank = (likes.get(kind) ?? 0) + 1;
    likes.set(kind, rank);
    return new ArmedFault(entry, catalogue, seed, `${kind}/${rank}`);
  });
}
