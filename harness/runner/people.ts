/**
 * The scripted operator and the scripted user. Like a scripted model they do what the scenario says, in its order: who
 * asks for something that nobody has scripted gets nothing, and that is an error of the scenario.
 */
import { bindingOf } from "../../agents/gate/mod.ts";
import type { Operator, User } from "../../agents/mod.ts";
import { childId, type Clock, type Json, sleep } from "../../core/mod.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { Recording } from "../trace/recorder.ts";

/** Why somebody is denied whom the script does not know. */
const NOBODY = "nobody has decided this";

/** What people need to play their parts. */
export interface PeopleOptions {
  /** The clock of what they take. */
  readonly clock: Clock;
  /** Where it is told what they were asked and what they said. */
  readonly recorder: Recording;
}

/** What script and run do not agree on; told as a model's script problems are. */
export interface PeopleProblem {
  /** `unscripted`: nobody foresaw it. `exhausted`: asked once more than foreseen. `unconsumed`: something is left. */
  readonly kind: "unscripted" | "exhausted" | "unconsumed";
  /** `operator` or `user`. */
  readonly agent: string;
  /** What it is about, such as `approval of refunds.issue_refund`. */
  readonly what: string;
  /** How often it is scripted. */
  readonly turns: number;
  /** How often that was played. */
  readonly played: number;
}

/** The people of a cell. */
export interface People {
  /** Not there if the scenario has none. */
  readonly operator?: Operator;
  /** Not there if the scenario has none. */
  readonly user?: User;
  /** Whoever asks was killed and goes on: who is asked the same once more says the same once more. */
  resume(): void;
  /** What script and run do not agree on, once the run is over, in an order that no race decides. */
  problems(): PeopleProblem[];
}

/** The people of a scenario. Played leniently, the last word on a thing is repeated, and words may be left over. */
export function scriptedPeople(
  { operator, user, playback }: Pick<Scenario, "operator" | "user" | "playback">,
  { clock, recorder }: PeopleOptions,
): People {
  const isLenient = playback === "lenient";
  const lists: Playlist<unknown>[] = [];
  const listOf = <T>(agent: string, about: string, entries: Iterable<readonly [key: string, item: T]>): Playlist<T> => {
    const made = new Playlist(agent, about, entries, isLenient);
    lists.push(made);
    return made;
  };
  const tell = (type: string, span: string, detail: { readonly [key: string]: Json }): void =>
    recorder.record("world", type, span, detail);
  const problems = (): PeopleProblem[] => lists.flatMap((list) => list.problems());
  return {
    ...(operator === undefined ? {} : {
      operator: scriptedOperator(
        listOf("operator", "approval of", operator.approvals.map((one) => [one.tool, one] as const)),
        listOf("operator", "takeover from", Object.entries(operator.takeovers)),
        { clock, tell },
      ),
    }),
    ...(user === undefined ? {} : {
      user: scriptedUser(
        listOf(
          "user",
          "answer to",
          Object.entries(user.answers).flatMap(([worker, said]) => said.map((one) => [worker, one] as const)),
        ),
        tell,
      ),
    }),
    resume: () => lists.forEach((list) => list.resume()),
    problems,
  };
}

type Approvals = NonNullable<Scenario["operator"]>["approvals"][number];
type Tell = (type: string, span: string, detail: { readonly [key: string]: Json }) => void;

function scriptedOperator(
  approvals: Playlist<Approvals>,
  takeovers: Playlist<string | null>,
  { clock, tell }: { readonly clock: Clock; readonly tell: Tell },
): Operator {
  return {
    async approve({ callId, worker, tool, args, binding: asked, reasons }, signal) {
      tell("operator.request", callId, { callId, worker, tool, args, binding: asked, reasons: [...reasons] });
      const scripted = approvals.next(tool, `${callId} ${asked}`);
      if (scripted?.takes !== undefined) await sleep(clock, scripted.takes, signal);
      const { decision, because } = scripted ?? { decision: "deny", because: NOBODY };
      // Of what was seen, by the bench's own arithmetic: whoever asks might have bound something else.
      const binding = bindingOf(callId, tool, scripted?.seen ?? args);
      const reason = because === undefined ? {} : { because };
      tell("operator.decision", callId, { callId, tool, decision, ...reason, binding });
      return { decision, binding, ...reason };
    },
    // deno-lint-ignore require-await
    async takeOver({ packetId, worker }) {
      const said = takeovers.next(worker, packetId);
      tell("operator.takeover", childId("run/operator", packetId), { worker, packetId, said: said ?? null });
      return said ?? undefined;
    },
  };
}

function scriptedUser(answers: Playlist<string | null>, tell: Tell): User {
  return {
    // deno-lint-ignore require-await
    async answer({ packetId, worker, question }) {
      const span = childId("run/user", packetId);
      tell("user.question", span, { worker, packetId, question });
      const said = answers.next(worker, `${packetId} ${question}`);
      tell("user.answer", span, { worker, packetId, said: said ?? null });
      return said ?? undefined;
    },
  };
}

/** What is scripted under each of many names, played in order. */
class Playlist<T> {
  readonly #items = new Map<string, T[]>();
  readonly #played = new Map<string, number>();
  readonly #unexpected = new Map<string, PeopleProblem>();
  /** What was last said about each thing, and whether the life of the subject in which it was is over. */
  readonly #said = new Map<string, { readonly item: T | undefined; isEarlier: boolean }>();

  constructor(
    private readonly agent: string,
    private readonly about: string,
    entries: Iterable<readonly [key: string, item: T]>,
    private readonly isLenient: boolean,
  ) {
    for (const [key, item] of entries) {
      const items = this.#items.get(key);
      if (items === undefined) this.#items.set(key, [item]);
      else items.push(item);
    }
  }

  /**
   * The next item under a name; `undefined` where none is left.
   *
   * @param about What exactly is asked. Asked again after a kill, it is the same item.
   */
  next(key: string, about: string): T | undefined {
    const before = this.#said.get(about);
    const item = before?.isEarlier === true ? before.item : this.#take(key);
    this.#said.set(about, { item, isEarlier: false });
    return item;
  }

  resume(): void {
    for (const said of this.#said.values()) said.isEarlier = true;
  }

  #take(key: string): T | undefined {
    const items = this.#items.get(key) ?? [];
    const played = this.#played.get(key) ?? 0;
    if (played < items.length) this.#played.set(key, played + 1);
    else if (this.isLenient) return items.at(-1);
    else this.#unexpected.set(key, this.#problem(items.length === 0 ? "unscripted" : "exhausted", key));
    return items[played];
  }

  problems(): PeopleProblem[] {
    const left = this.isLenient ? [] : [...this.#items.keys()].filter((key) => this.#left(key));
    return [
      ...[...this.#unexpected].sort(([a], [b]) => a < b ? -1 : 1).map(([, problem]) => problem),
      ...left.map((key) => this.#problem("unconsumed", key)),
    ];
  }

  #left(key: string): boolean {
    return (this.#played.get(key) ?? 0) < (this.#items.get(key)?.length ?? 0);
  }

  #problem(kind: PeopleProblem["kind"], key: string): PeopleProblem {
    const turns = this.#items.get(key)?.length ?? 0;
    return { kind, agent: this.agent, what: `${this.about} ${key}`, turns, played: this.#played.get(key) ?? 0 };
  }
}
