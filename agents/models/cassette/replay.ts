/** Plays a recording: exactly what was asked gets exactly what was answered, and nothing else gets anything. */
import { type Clock, CodedError, type Redactor, sleep, untilAborted, VirtualClock } from "../../../core/mod.ts";
import type { Model, ModelRequest, ModelTurn } from "../model.ts";
import { conversationOf } from "./conversation.ts";
import { whyMissed } from "./miss.ts";
import { type RecordedCall, takeOf, type Tape } from "./tape.ts";

/** What is replayed of a recording. */
export interface ReplayOptions {
  /** The recording. */
  readonly tape: Tape;
  /** The cell, without lane and model. */
  readonly cell: string;
  /** The model's name, as cells have it. */
  readonly label: string;
  /** Takes secrets out of what is asked, as it was done when it was recorded. */
  readonly redactor: Redactor;
  /** The scenario's secrets by id: a recording has markers in their place. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The cell's clock. A virtual one is told how long each turn took; nobody waits for a real one. */
  readonly clock: Clock;
}

/** In what recording and run do not agree. */
export interface ReplayProblem {
  /** `miss`: nothing was recorded for what was asked. `left`: it was, and nobody asked. */
  readonly kind: "miss" | "left";
  /** The agent. */
  readonly agent: string;
  /** What it is, in a sentence. */
  readonly what: string;
}

/** The model of one cell, out of a recording. */
export class ReplayModel implements Model {
  readonly #calls: readonly RecordedCall[];
  readonly #byKey: ReadonlyMap<string, RecordedCall>;
  readonly #counts = new Map<string, number>();
  readonly #played = new Set<RecordedCall>();
  readonly #missed: ReplayProblem[] = [];

  /** A recording from its beginning. */
  constructor(private readonly options: ReplayOptions) {
    const { tape, cell, label } = options;
    this.#calls = tape.takes.get(takeOf(cell, label)) ?? [];
    this.#byKey = new Map(this.#calls.map((call) => [keyOf(call.agent, call.asked, call.nth), call]));
  }

  /**
   * Plays the call that was recorded for exactly this.
   *
   * @throws {CodedError} What was recorded as a failure, with its status; `model_error` with status 404 if nothing was
   * recorded, see {@linkcode problems}.
   * @throws The signal's reason, if it aborts; where whoever asked had stopped waiting, it is waited for.
   */
  async next(request: ModelRequest, signal: AbortSignal): Promise<ModelTurn> {
    const { agent } = request;
    const { redactor, clock, tape } = this.options;
    const parts = conversationOf(request, redactor);
    const asked = parts.map(({ id }) => id);
    const key = keyOf(agent, asked, 0);
    const nth = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, nth);
    const call = this.#byKey.get(keyOf(agent, asked, nth));
    if (call === undefined) {
      const what = whyMissed(agent, parts, nth, this.#calls, tape.parts);
      this.#missed.push({ kind: "miss", agent, what });
      throw Object.assign(new CodedError("model_error", what), { status: 404 });
    }
    this.#played.add(call);
    if (call.gone) return await untilAborted(new Promise<never>(() => {}), signal);
    if (clock instanceof VirtualClock) await sleep(clock, call.tookMs, signal);
    signal.throwIfAborted();
    if (call.turn !== undefined) return this.#withSecrets(call.turn);
    const { code = "model_error", detail = "the recording has neither turn nor failure", ...known } = call.error ?? {};
    throw Object.assign(new CodedError(code, detail), known);
  }

  /** In what recording and run do not agree, once the run is over. */
  problems(): readonly ReplayProblem[] {
    const left = new Map<string, number>();
    for (const call of this.#calls) {
      if (!this.#played.has(call)) left.set(call.agent, (left.get(call.agent) ?? 0) + 1);
    }
    return [
      ...this.#missed,
      ...[...left].map(([agent, n]): ReplayProblem => ({
        kind: "left",
        agent,
        what: `${n} of its recorded turns ${n === 1 ? "was" : "were"} never asked for`,
      })),
    ];
  }

  #withSecrets(turn: ModelTurn): ModelTurn {
    const secrets = Object.entries(this.options.secrets);
    const json = JSON.stringify(turn);
    if (!secrets.some(([id]) => json.includes(`[secret:${id}]`))) return turn;
    const whole: ModelTurn = JSON.parse(
      json,
      (_key, value: unknown) =>
        typeof value === "string"
          ? secrets.reduce((text, [id, secret]) => text.replaceAll(`[secret:${id}]`, secret), value)
          : value,
    );
    return whole;
  }
}

function keyOf(agent: string, asked: readonly string[], nth: number): string {
  return JSON.stringify([agent, nth, asked]);
}
