/** The tool calls of one packet: made, read, and remembered with what came of them. */
import { childId, clip, type Failure, oneLine } from "../../core/mod.ts";
import type { Specialist } from "../crews/crew.ts";
import type { CallOutcome, ToolHub } from "../hub/mod.ts";
import { kindOf, type ToolKind } from "../gate/kind.ts";
import { failed } from "../hub/outcome.ts";
import type { Message, ModelTurn, ToolCall, ToolSpec } from "../models/model.ts";
import type { Emit } from "../observe.ts";
import type { Effect, Handoff, Observation } from "../types.ts";
import { distinctCalls, type NamedCall } from "./call_ids.ts";
import type { Control, ControlResult } from "./control.ts";
import type { DetailedFailure } from "./model_failure.ts";

/** What calls are made with. */
export interface CallDeskOptions {
  /** The packet; its allowlist is what exists. */
  readonly packet: Handoff;
  /** The hub. */
  readonly hub: ToolHub;
  /** Told of each call. */
  readonly emit: Emit;
  /** Tools of the loop itself. */
  readonly controls: readonly Control[];
  /** Limits of each call. */
  readonly limits: Pick<Specialist, "callTimeoutMs" | "idleTimeoutMs">;
}

/** A call with what came of it. */
interface Made {
  readonly observation: Observation;
  /** The model turn that asked for it. */
  readonly step: number;
  readonly failure?: DetailedFailure;
  /** Whether there was no such tool for this worker, so that nothing was asked of any server. */
  readonly neverSent: boolean;
}

/** What the calls of one turn came to. */
export interface TurnMade {
  /** The turn and the results, for the conversation: each call id has exactly one. */
  readonly messages: readonly Message[];
  /** Whether a control ends the loop. */
  readonly ends: boolean;
}

type Result = Pick<Extract<Message, { role: "tool" }>, "text" | "isError">;

/** Makes calls. */
export class CallDesk {
  readonly #made: Made[] = [];
  /** Ids of calls that seemed to fail, and are known to have acted; and the results that show it. */
  readonly #settled = new Map<string, string>();
  /** What the tools may do, by name: as they were listed when the model was told of them. */
  readonly #kinds = new Map<string, ToolKind>();
  readonly #controls: ReadonlyMap<string, Control>;

  /** A desk that has made none. */
  constructor(private readonly options: CallDeskOptions) {
    this.#controls = new Map(options.controls.map((control) => [control.spec.name, control]));
  }

  /** The tools that exist: those of servers first. */
  specs(): ToolSpec[] {
    const { hub, packet, controls } = this.options;
    const tools = hub.specs(packet.toolAllow);
    for (const spec of tools) this.#kinds.set(spec.name, kindOf(spec));
    return [...tools, ...controls.map(({ spec }) => spec)];
  }

  /** Makes a turn's calls, all at once; then its controls, in order. */
  async make(turn: ModelTurn, step: number, at: string, signal: AbortSignal): Promise<TurnMade> {
    const named = distinctCalls(turn.calls);
    const spans = named.map((_, i) => childId(at, `call${i + 1}`));
    const isControl = ({ call, isDuplicate }: NamedCall) => !isDuplicate && this.#controls.has(call.name);
    const results = new Map<number, Result>();
    const made = await Promise.all(named.map(async (one, i) => {
      if (isControl(one)) return [];
      const call = await this.#call(one, step, spans[i] ?? at, signal);
      results.set(i, { text: call.observation.text, isError: call.failure !== undefined });
      return [call];
    }));
    this.#made.push(...made.flat()); // in the turn's order, whatever finished first
    signal.throwIfAborted();
    let ends = false;
    for (const [i, one] of named.entries()) {
      if (!isControl(one)) continue;
      const taken = this.#take(one.call, step, spans[i] ?? at);
      ends ||= taken.ends ?? false;
      results.set(i, { text: taken.text, isError: taken.isError ?? false });
    }
    const answers = named.map(({ call: { id, name } }, i): Message => {
      const { text, isError } = results.get(i) ?? { text: "", isError: true };
      return { role: "tool", callId: id, name, text, isError };
    });
    return {
      ends,
      messages: [{ role: "assistant", text: turn.text, calls: named.map(({ call }) => call) }, ...answers],
    };
  }

  /** Observations of calls that did not fail, in call order. */
  usable(): Observation[] {
    return this.#made.filter(({ failure }) => failure === undefined).map(({ observation }) => observation);
  }

  /** Calls that had or may have had an effect, in call order; `undefined` if all tools claim to change nothing. */
  effects(): Effect[] | undefined {
    const effects = this.#made.flatMap(({ observation, failure }): Effect[] => {
      const kind = this.#kinds.get(observation.tool) ?? "unclaimed";
      const shown = this.#settled.get(observation.id);
      if (kind === "reads") return [];
      if (shown !== undefined) return [{ observation: { ...observation, text: shown }, state: "done" }];
      if (failure?.code === "outcome_unknown") return [{ observation, state: "unknown" }];
      if (failure !== undefined) return [];
      return [{ observation, state: kind === "unclaimed" ? "possible" : "done" }];
    });
    const mayAct = effects.length > 0 || [...this.#kinds.values()].some((kind) => kind !== "reads");
    return mayAct ? effects : undefined;
  }

  /**
   * What is still missing, tool by tool: a failure stands unless the same tool has answered in a later turn, when the
   * model had seen it and tried again. A call that never left does not count for a worker that has found something else:
   * nothing failed, there was no such tool; one that was denied does. A call of which nobody knows whether it acted comes
   * before all others. One of which a later result shows that it has acted has not failed.
   */
  unresolved(): DetailedFailure | undefined {
    const open = this.#made.filter(({ observation: { id } }) => !this.#settled.has(id));
    const sent = this.usable().length === 0 ? open : open.filter(({ neverSent }) => !neverSent);
    const failures = [...Map.groupBy(sent, ({ observation }) => observation.tool)].flatMap(([tool, calls]) => {
      const answered = calls.findLast(({ failure }) => failure === undefined)?.step ?? 0;
      const last = calls.findLast(({ failure, step }) => failure !== undefined && step >= answered)?.failure;
      if (last === undefined) return [];
      const failed = calls.filter(({ failure }) => failure !== undefined).length;
      const count = calls.length === 1 ? "" : ` (${failed} of ${calls.length} calls failed)`;
      return [{ ...last, detail: `${tool}: ${last.detail}${count}` }];
    });
    const first = failures.find(({ code }) => code === "outcome_unknown") ?? failures[0];
    if (first === undefined) return undefined;
    const waits = failures.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
    const detail = failures.map((one) => one.detail).join("; ");
    return { ...first, detail, ...(waits.length === 0 ? {} : { retryAfterMs: Math.max(...waits) }) };
  }

  async #call({ call, isDuplicate }: NamedCall, step: number, span: string, signal: AbortSignal): Promise<Made> {
    const { hub, emit, packet, limits: { callTimeoutMs, idleTimeoutMs } } = this.options;
    emit("call.start", span, { tool: call.name, args: call.args });
    const outcome = (isDuplicate ? sameId(call) : notArguments(call)) ??
      await hub.call(call.name, call.args, {
        allow: packet.toolAllow,
        signal,
        span,
        caller: { worker: packet.recipient, packetId: packet.id },
        ...(callTimeoutMs === undefined ? {} : { timeoutMs: callTimeoutMs }),
        ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
      });
    for (const id of outcome.settles ?? []) this.#settled.set(id, outcome.text);
    const read = readFailure(outcome);
    // What its model wrote twice, it would write again.
    const failure = read === undefined || call.rawArguments === undefined ? read : { ...read, retryable: false };
    emit("call.end", span, { tool: call.name, kind: outcome.kind, text: outcome.text, code: failure?.code });
    const observation = { id: span, tool: call.name, args: call.args, text: outcome.text };
    const neverSent = (outcome.code === "denied" && outcome.kind !== "denied") || isDuplicate;
    return { observation, step, neverSent, ...(failure === undefined ? {} : { failure }) };
  }

  #take(call: ToolCall, step: number, span: string): ControlResult {
    const { emit } = this.options;
    emit("call.start", span, { tool: call.name, args: call.args });
    const unread = notArguments(call);
    const result: ControlResult = unread === undefined
      ? this.#controls.get(call.name)?.take(call, { step, span }) ?? { text: "", isError: true }
      : { text: unread.text, isError: true };
    const { text, isError = false } = result;
    const code = isError ? "denied" : undefined;
    emit("call.end", span, { tool: call.name, kind: isError ? "refused" : "answered", text, code });
    return result;
  }
}

/** A call whose arguments could not be read is not made, with no arguments neither: its model is told. */
function notArguments({ name, rawArguments }: ToolCall): CallOutcome | undefined {
  if (rawArguments === undefined) return undefined;
  const said = `${name} was not called: its arguments are not a JSON object: ${clip(oneLine(rawArguments), 200)}`;
  return failed("refused", said, { code: "model_error" });
}

function sameId({ name }: ToolCall): CallOutcome {
  return failed("refused", `${name} was not called: another call of this turn has the same id, and was made`);
}

/** The failure of a call, as the hub has read it. */
function readFailure(
  { code, text, detail = text, retryAfterMs }: CallOutcome,
): (Failure & DetailedFailure) | undefined {
  if (code === undefined) return undefined;
  return { code, detail, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}
