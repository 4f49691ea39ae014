/** What the tests of this folder share: a cell on virtual time, and models that do as a test says. */
import { guardGlobals, inCell, sleep, VirtualClock } from "../core/mod.ts";
import type { Model, ModelRequest, ModelTurn, ToolCall } from "./models/model.ts";
import type { Emit } from "./observe.ts";

/** Runs a test as a cell: on virtual time, with every use of the real world an error, and no timer left at the end. */
export async function sim(work: (clock: VirtualClock) => Promise<void>): Promise<void> {
  using _guard = guardGlobals();
  const clock = new VirtualClock();
  await clock.run(() => inCell(clock, () => work(clock)));
  if (clock.pending > 0) throw new Error(`${clock.pending} timers were left`);
}

/** A signal that aborts at a moment of the clock. Its timer is gone once it has. */
export function abortAt(clock: VirtualClock, ms: number, reason: unknown = new Error("enough")): AbortSignal {
  const controller = new AbortController();
  clock.after(ms, () => controller.abort(reason));
  return controller.signal;
}

/** A signal that nobody aborts, and that counts its listeners. */
export function countingSignal(): { signal: AbortSignal; listeners(): number; abort(reason: unknown): void } {
  const controller = new AbortController();
  const { signal } = controller;
  const live = new Set<unknown>();
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (type: string, listener: EventListenerOrEventListenerObject, options?: unknown) => {
    live.add(listener);
    add(type, listener, options as AddEventListenerOptions);
  };
  signal.removeEventListener = (type: string, listener: EventListenerOrEventListenerObject) => {
    live.delete(listener);
    remove(type, listener);
  };
  return { signal, listeners: () => live.size, abort: (reason) => controller.abort(reason) };
}

/** A turn that says something. */
export function say(text: string, finish: ModelTurn["finish"] = "stop"): ModelTurn {
  return { text, calls: [], finish, usage: { inputTokens: 10, outputTokens: 5 } };
}

/** A turn that calls tools, all with the same arguments unless they are given. */
export function use(...calls: (string | [tool: string, args: ToolCall["args"]])[]): ModelTurn {
  return {
    text: "",
    calls: calls.map((call, i) => {
      const [name, args] = typeof call === "string" ? [call, {}] : call;
      return { id: `c${i + 1}`, name, args };
    }),
    finish: "tool_calls",
    usage: { inputTokens: 10, outputTokens: 5 },
  };
}

/** What a fake agent does when it is asked: a turn, an error to throw, or how to make one. */
export type Move = ModelTurn | Error | ((request: ModelRequest, signal: AbortSignal) => ModelTurn | Promise<ModelTurn>);

/** A model that makes each agent's moves in order, and keeps every request as it was. */
export class FakeModel implements Model {
  readonly requests: ModelRequest[] = [];
  readonly #moves: Map<string, Move[]>;

  constructor(moves: Readonly<Record<string, readonly Move[]>>) {
    this.#moves = new Map(Object.entries(moves).map(([agent, list]) => [agent, [...list]]));
  }

  async next(request: ModelRequest, signal: AbortSignal): Promise<ModelTurn> {
    this.requests.push(structuredClone(request));
    const move = this.#moves.get(request.agent)?.shift();
    if (move === undefined) throw new Error(`nothing to do for ${request.agent}`);
    if (move instanceof Error) throw move;
    return typeof move === "function" ? await move(request, signal) : move;
  }

  /** The requests of one agent. */
  of(agent: string): ModelRequest[] {
    return this.requests.filter((request) => request.agent === agent);
  }
}

/** A move that takes its time, and ends early when it is called off. */
export function after(clock: VirtualClock, ms: number, turn: ModelTurn): Move {
  return async (_request, signal) => {
    await sleep(clock, ms, signal);
    return turn;
  };
}

/** A move that never ends, whatever its signal says. */
export const hang: Move = () => new Promise(() => {});

/** An emitter that keeps what it is told. */
export function recording(): { emit: Emit; events: { type: string; span: string; detail: Parameters<Emit>[2] }[] } {
  const events: { type: string; span: string; detail: Parameters<Emit>[2] }[] = [];
  return { events, emit: (type, span, detail) => events.push({ type, span, detail: structuredClone(detail) }) };
}
