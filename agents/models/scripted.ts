/** A model that plays a script: one list of turns an agent, in order. */
import { type Clock, CodedError, type Json, sleep } from "../../core/mod.ts";
import type { FinishReason, Model, ModelRequest, ModelTurn, ToolCall } from "./model.ts";

/** One turn of a script. */
export interface ScriptedTurn {
  /** Text of the reply. */
  readonly text?: string;
  /** Tool calls, in order. */
  readonly calls?: readonly { readonly name: string; readonly args: { [key: string]: Json } }[];
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
  readonly #unexpected: ScriptProblem[] = [];
  readonly #isLenient: boolean;
  readonly #onlyIfSeen: readonly string[];

  /**
   * A model at the beginning of its script.
   *
   * @param script Turns by agent name.
   * @param clock The clock of `takesMs`.
   * @param options `playback` is `strict` if not given: a call after an agent's last turn fails, and turns that nobody
   * asks for are a problem. `lenient`: the last turn is played again, and turns may be left over; for runs whose length
   * nobody has foreseen. An agent without any turn is a problem either way. `onlyIfSeen` are values that a turn says only
   * where a tool result of the conversation has them: of a run that nobody has foreseen, no script knows what will be seen.
   */
  constructor(
    private readonly script: ReadonlyMap<string, readonly ScriptedTurn[]>,
    private readonly clock: Clock,
    { playback = "strict", onlyIfSeen = [] }: {
      readonly playback?: "strict" | "lenient";
      readonly onlyIfSeen?: readonly string[];
    } = {},
  ) {
    this.#isLenient = playback === "lenient";
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
    const played = this.#played.get(request.agent) ?? 0;
    const turn = turns?.[played] ?? (this.#isLenient ? turns?.at(-1) : undefined);
    if (turn === undefined) {
      const kind = turns === undefined || this.#isLenient ? "unscripted" : "exhausted";
      this.#unexpected.push({ kind, agent: request.agent, turns: turns?.length ?? 0, played });
      throw new CodedError("model_error", `the script has no turn ${played + 1} for ${request.agent}`);
    }
    this.#played.set(request.agent, played + 1);
    if (turn.takesMs !== undefined) await sleep(this.clock, turn.takesMs, signal);
    const calls: ToolCall[] = (turn.calls ?? []).map((call, i) => ({ id: `${played + 1}.${i + 1}`, ...call }));
    const text = withoutUnseen(turn.text ?? "", this.#onlyIfSeen, request);
    return {
      text,
      calls,
      finish: turn.finish ?? (calls.length > 0 ? "tool_calls" : "stop"),
      usage: { inputTokens: tokens(requestLength(request)), outputTokens: tokens(text.length + callsLength(calls)) },
    };
  }

  /** What the script and the run disagree on, once the run is over. */
  problems(): ScriptProblem[] {
    const left = this.#isLenient ? [] : [...this.script].flatMap(([agent, turns]): ScriptProblem[] => {
      const played = this.#played.get(agent) ?? 0;
      return played < turns.length ? [{ kind: "unconsumed", agent, turns: turns.length, played }] : [];
    });
    return [...this.#unexpected, ...left];
  }
}

const tokens = (characters: number): number => Math.ceil(characters / 4);

function withoutUnseen(text: string, values: readonly string[], { messages }: ModelRequest): string {
  const said = values.filter((value) => text.includes(value));
  const unseen = said.filter((value) =>
    !messages.some((message) => message.role === "tool" && !message.isError && message.text.includes(value))
  );
  return unseen.reduce((rest, value) => rest.replaceAll(value, "(not seen)"), text);
}

function requestLength(request: ModelRequest): number {
  let length = request.system.length;
  for (const message of request.messages) {
    length += message.text.length + (message.role === "assistant" ? callsLength(message.calls) : 0);
  }
  return length;
}

function callsLength(calls: readonly ToolCall[]): number {
  let length = 0;
  for (const call of calls) length += call.name.length + JSON.stringify(call.args).length;
  return length;
}
