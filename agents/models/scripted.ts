/** A model that plays a script: one list of turns an agent, in order. */
import { type Clock, CodedError, type Json, parentId, sleep } from "../../core/mod.ts";
import type { FinishReason, Model, ModelRequest, ModelTurn, ToolCall } from "./model.ts";
import { reportFrom } from "./scripted_report.ts";
import { CHARACTERS_PER_TOKEN, inputTokens, outputTokens } from "./tokens.ts";

/** One turn of a script. */
export interface ScriptedTurn {
  /** Text of the reply. */
  readonly text?: string;
  /**
   * In place of `text`: a report of findings, made of the results of these tools in the conversation; see
   * `scripted_report.ts`.
   */
  readonly reportFrom?: readonly string[];
  /** Tool calls, in order. One without an id gets one of its own. */
  readonly calls?: readonly { readonly id?: string; readonly name: string; readonly args: { [key: string]: Json } }[];
  /** Why the model stopped; `tool_calls` or `stop` if not given. */
  readonly finish?: FinishReason;
  /** How long the model takes, in milliseconds. */
  readonly takesMs?: number;
}

/** A call that the script did not foresee, or turns that nobody asked for. Either is an error of the scenario. */
export interface ScriptProblem {
  /** `exhausted`: called again after its last turn. `unscripted`: has no script. `unconsumed`: turns are left. */
  readonly kind: "exhausted" | "unscripted" | "unconsumed";
  /** The agent. */
  readonly agent: string;
  /** How many turns its script has. */
  readonly turns: number;
  /** How many of them were played. */
  readonly played: number;
}

/**
 * Plays scripts on a clock. Usage is estimated at four characters a token, so that it is the same everywhere.
 *
 * @example
 * ```ts
 * import { RealClock } from "../../core/mod.ts";
 * import { ScriptedModel } from "./scripted.ts";
 * import assert from "node:assert/strict";
 *
 * const model = new ScriptedModel(new Map([["poet", [{ text: "a rose" }]]]), new RealClock());
 * const request = { agent: "poet", span: "run/poet", system: "", messages: [], tools: [] };
 * assert.equal((await model.next(request, new AbortController().signal)).text, "a rose");
 * assert.deepEqual(model.problems(), []);
 * ```
 */
export class ScriptedModel implements Model {
  readonly #played = new Map<string, number>();
  /** The turns that each conversation has had, as places in its agent's script, and how many of them again. */
  readonly #had = new Map<string, { readonly turns: number[]; again: number }>();
  /** Where in its agent's script each conversation began, by the message that it began with; not in `strict`. */
  readonly #begun = new Map<string, number>();
  readonly #unexpected: ScriptProblem[] = [];
  readonly #isLenient: boolean;
  readonly #isStateless: boolean;
  readonly #again: "next" | "same";
  /** Places of conversations that have had a turn; in `stateless` only. */
  readonly #served = new Set<string>();
  readonly #onlyIfSeen: readonly string[];

  /**
   * A model at the beginning of its script.
   *
   * @param script Turns by agent name.
   * @param clock The clock of `takesMs`.
   * @param options `playback` is `strict` if not given: a call after an agent's last turn fails, and turns that nobody
   * asks for are a problem. `lenient`: the last turn is played again, turns may be left over, and a conversation that
   * begins as an earlier one did is played from where that one began, because it is another attempt at the same; for runs
   * whose length nobody has foreseen. `stateless`: the same for callers of whom no more is known than what they send: how
   * far a conversation has come is told by how many of the model's own messages it has. Who asks the same once more gets the
   * next turn, as whoever tries again does in `strict`, as long as there is one, or with `again: "same"` the same turn; and
   * turns that are left over are told. An agent without any turn is a problem in each. `onlyIfSeen` are
   * values that a turn says only where a tool result of the conversation has them, in `stateless` also a message of the
   * user's: of a run that nobody has foreseen, no script knows what will be seen.
   */
  constructor(
    private readonly script: ReadonlyMap<string, readonly ScriptedTurn[]>,
    private readonly clock: Clock,
    { playback = "strict", onlyIfSeen = [], again = "next" }: {
      readonly playback?: "strict" | "lenient" | "stateless";
      readonly onlyIfSeen?: readonly string[];
      readonly again?: "next" | "same";
    } = {},
  ) {
    this.#isLenient = playback !== "strict";
    this.#isStateless = playback === "stateless";
    this.#again = again;
    this.#onlyIfSeen = onlyIfSeen;
  }

  /**
   * Plays the agent's next turn.
   *
   * @throws {CodedError} `model_error` for a call that the script did not foresee; see {@linkcode problems}.
   * @throws The signal's reason, if it aborts before the turn has been played.
   */
  async next(request: ModelRequest, signal: AbortSignal): Promise<ModelTurn> {
    const turns = this.script.get(request.agent);
    const had = this.#isStateless ? undefined : this.#conversation(request);
    const before = had?.turns[had.again];
    const sofar = this.#played.get(request.agent) ?? 0;
    const played = had === undefined ? this.#placeOf(request) : before ?? sofar;
    const turn = turns?.[played] ?? (this.#isLenient ? turns?.at(-1) : undefined);
    if (turn === undefined) {
      const kind = turns === undefined || this.#isLenient ? "unscripted" : "exhausted";
      this.#unexpected.push({ kind, agent: request.agent, turns: turns?.length ?? 0, played });
      const error = new CodedError("model_error", `the script has no turn ${played + 1} for ${request.agent}`);
      // Not worth another attempt: nor will it have one then.
      throw Object.assign(error, { status: 404 });
    }
    if (had === undefined) this.#played.set(request.agent, Math.max(played + 1, sofar));
    else {
      if (before === undefined) {
        this.#played.set(request.agent, played + 1);
        had.turns.push(played);
      }
      had.again++;
    }
    if (turn.takesMs !== undefined) await sleep(this.clock, turn.takesMs, signal);
    if (had === undefined) this.#served.add(placeIn(request));
    const calls: ToolCall[] = (turn.calls ?? []).map((call, i) => ({ id: `${played + 1}.${i + 1}`, ...call }));
    const said = turn.reportFrom === undefined ? turn.text ?? "" : reportFrom(turn.reportFrom, request.messages);
    const text = withoutUnseen(said, this.#onlyIfSeen, request, this.#isStateless ? ["tool", "user"] : ["tool"]);
    const usage = { inputTokens: inputTokens(request), outputTokens: outputTokens(text, calls) };
    const most = request.maxOutputTokens ?? Infinity;
    if (usage.outputTokens > most) {
      const cut = text.slice(0, most * CHARACTERS_PER_TOKEN);
      return { text: cut, calls: [], finish: "length", usage: { ...usage, outputTokens: most } };
    }
    return { text, calls, finish: turn.finish ?? (calls.length > 0 ? "tool_calls" : "stop"), usage };
  }

  /**
   * Whoever asks was killed and goes on: a conversation that begins again, told by its agent and by the span above its
   * steps, is played again from where it began. What others have had stays used up.
   */
  resume(): void {
    for (const had of this.#had.values()) had.again = 0;
  }

  #conversation({ agent, span, messages: [first] }: ModelRequest): { readonly turns: number[]; again: number } {
    const key = `${agent} ${parentId(span) ?? span}`;
    const known = this.#had.get(key);
    if (known !== undefined) return known;
    if (this.#isLenient) {
      const opening = `${agent} ${first?.text ?? ""}`;
      const from = this.#begun.get(opening);
      if (from === undefined) this.#begun.set(opening, this.#played.get(agent) ?? 0);
      else this.#played.set(agent, from);
    }
    const had = { turns: [], again: 0 };
    this.#had.set(key, had);
    return had;
  }

  /** Where in its agent's script a call stands, by what it sends alone. */
  #placeOf({ agent, messages }: Pick<ModelRequest, "agent" | "messages">): number {
    const opening = `${agent} ${messages[0]?.text ?? ""}`;
    const said = saidIn(messages);
    const played = this.#played.get(agent) ?? 0;
    const isLeft = played < (this.script.get(agent)?.length ?? 0);
    const goesOn = this.#again === "next" && isLeft && this.#served.has(placeIn({ agent, messages }));
    const from = (goesOn ? undefined : this.#begun.get(opening)) ?? Math.max(played - said, goesOn ? -said : 0);
    this.#begun.set(opening, from);
    return from + said;
  }

  /** What the script and the run disagree on, once the run is over. */
  problems(): ScriptProblem[] {
    const left = this.#isLenient && !this.#isStateless
      ? []
      : [...this.script].flatMap(([agent, turns]): ScriptProblem[] => {
        const played = this.#played.get(agent) ?? 0;
        return played < turns.length ? [{ kind: "unconsumed", agent, turns: turns.length, played }] : [];
      });
    return [...this.#unexpected, ...left];
  }
}

/** How many of a conversation's messages are the model's own. */
function saidIn(messages: ModelRequest["messages"]): number {
  return messages.filter(({ role }) => role === "assistant").length;
}

/** How far which conversation has come. */
function placeIn({ agent, messages }: Pick<ModelRequest, "agent" | "messages">): string {
  return `${saidIn(messages)} ${agent} ${messages[0]?.text ?? ""}`;
}

function withoutUnseen(
  text: string,
  values: readonly string[],
  { messages }: ModelRequest,
  roles: readonly ("tool" | "user")[],
): string {
  const said = values.filter((value) => text.includes(value));
  const unseen = said.filter((value) =>
    !messages.some((message) =>
      message.role !== "assistant" && roles.includes(message.role) && !(message.role === "tool" && message.isError) &&
      message.text.includes(value)
    )
  );
  return unseen.reduce((rest, value) => rest.replaceAll(value, "(not seen)"), text);
}
