/**
 * From the nodes that have run to the tasks of the next superstep.
 */
import type { Channels, StateOf } from "./channel.ts";
import type { Branch, Choice, Plan } from "./plan.ts";
import { END, Send, show, type Source, type Target } from "./target.ts";
import { asFailure, type NodeFailure, type Task } from "./task.ts";

/** The tasks of the next superstep, and the routers that could not say where to go. */
export interface Dispatched {
  /** In dispatch order. */
  readonly tasks: readonly Task[];
  /** All failures so far, those of routers included. */
  readonly failures: readonly NodeFailure[];
}

/**
 * Follows every edge and branch from the nodes that have run, failed ones included.
 *
 * Order: nodes as they were dispatched, for each its edges as declared, then its branches. A node that several edges
 * lead to is dispatched once; each Send is a task of its own.
 *
 * @param sources The nodes that ran, each once.
 * @param superstep The superstep that has ended; 0 at the start.
 */
export function dispatch<C extends Channels>(
  plan: Plan<C>,
  sources: Iterable<Source>,
  state: StateOf<C>,
  superstep: number,
  failures: readonly NodeFailure[],
): Dispatched {
  const agenda = new Agenda(plan.nodes);
  const misrouted: NodeFailure[] = [];
  for (const node of sources) {
    agenda.add(plan.edges.get(node) ?? [], undefined);
    for (const { router, targets } of plan.branches.get(node) ?? []) {
      try {
        const chosen = router(state, { node, superstep, failures });
        agenda.add(isList(chosen) ? chosen : [chosen], targets);
      } catch (thrown) {
        const name = typeof node === "string" ? node : "START";
        const detail = `the router after ${show(node)} failed, so nothing it chose is dispatched: ${
          asFailure(thrown).detail
        }`;
        misrouted.push({ node: name, task: `${name}:branch`, superstep, code: "internal", detail });
      }
    }
  }
  return { tasks: agenda.tasks, failures: misrouted.length === 0 ? failures : [...failures, ...misrouted] };
}

const isList = (chosen: Choice | readonly Choice[]): chosen is readonly Choice[] => Array.isArray(chosen);

/** The list of tasks as it grows. A list of choices is added whole or not at all. */
class Agenda {
  readonly tasks: Task[] = [];
  readonly #ids = new Set<string>();
  readonly #plain = new Set<string>();
  readonly #sent = new Map<string, number>();

  constructor(readonly nodes: ReadonlyMap<string, unknown>) {}

  add(choices: readonly Choice[], allowed: Branch<Channels>["targets"]): void {
    for (const choice of choices) this.#check(choice, allowed);
    this.#checkKeys(choices);
    for (const choice of choices) {
      if (choice instanceof Send) this.#push(choice.node, choice.key ?? this.#nextId(choice.node), choice.payload);
      else if (choice !== END && !this.#plain.has(choice)) {
        this.#plain.add(choice);
        this.#push(choice, this.#ids.has(choice) ? this.#nextId(choice) : choice, undefined);
      }
    }
  }

  #push(node: string, task: string, payload: unknown): void {
    this.#ids.add(task);
    this.tasks.push({ node, task, payload });
  }

  #nextId(node: string): string {
    for (let k = (this.#sent.get(node) ?? 0) + 1;; k++) {
      const id = `${node}#${k}`;
      if (this.#ids.has(id)) continue;
      this.#sent.set(node, k);
      return id;
    }
  }

  #check(choice: unknown, allowed: ReadonlySet<Target> | undefined): void {
    const target = choice instanceof Send ? choice.node : choice;
    const known = target === END || (typeof target === "string" && this.nodes.has(target));
    if (known && (allowed === undefined || allowed.has(target))) return;
    const names = [...allowed ?? [END, ...this.nodes.keys()]].map(show).join(", ");
    const what = target instanceof Promise ? "a promise, and routers are synchronous" : show(target);
    throw new TypeError(`it chose ${what}; allowed: ${names}`);
  }

  #checkKeys(choices: readonly Choice[]): void {
    let seen: Set<string> | undefined;
    for (const choice of choices) {
      if (!(choice instanceof Send) || choice.key === undefined) continue;
      seen ??= new Set();
      if (seen.has(choice.key) || this.#ids.has(choice.key)) {
        throw new TypeError(`two tasks of one superstep have the key ${show(choice.key)}; a key is unique`);
      }
      seen.add(choice.key);
    }
  }
}
