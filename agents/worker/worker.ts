/**
 * A worker: a loop of model and tools inside one packet. It never throws across its boundary, and its world is its
 * packet, its tools and its own observations.
 */
import {
  childId,
  clip,
  type Clock,
  CodedError,
  deadline,
  DeadlineExceeded,
  type Failure,
  FAILURES,
  oneLine,
  untilAborted,
} from "../../core/mod.ts";
import { asFailure } from "../engine/task.ts";
import type { CallOutcome, ToolHub } from "../hub/mod.ts";
import { failed } from "../hub/outcome.ts";
import type { Message, Model, ModelTurn, ToolCall } from "../models/model.ts";
import type { Emit } from "../observe.ts";
import { WORKER } from "../prompts/worker.ts";
import type { Finding, Handoff, Observation, Report, Usage } from "../types.ts";

/** What a worker works with. */
export interface WorkerTools {
  /** Its model. */
  readonly model: Model;
  /** The hub; the worker reaches what its packet allows. */
  readonly hub: ToolHub;
  /** The run's clock. */
  readonly clock: Clock;
  /** Told of each call. */
  readonly emit: Emit;
}

/** A call with what came of it. */
interface Call {
  readonly observation: Observation;
  /** The model turn that asked for it. */
  readonly step: number;
  readonly failure?: Failure;
  /** Whether there was no such tool for this worker, so that nothing was asked of any server. */
  readonly neverSent: boolean;
}

/** What the loop came to. */
interface Ending {
  readonly note: string;
  readonly failure?: Failure;
}

/**
 * Works on a packet and reports. Never throws for what models and tools do: each way to fail is a code of the report.
 *
 * @param packet What is to be done, with which tools, within which limits.
 * @param tools What it is done with.
 * @param span Structural id of this piece of work; steps and calls are its children.
 * @param signal Calls the work off; the report then says `cancelled`, or the code of the reason.
 */
export async function runWorker(
  packet: Handoff,
  tools: WorkerTools,
  span: string,
  signal: AbortSignal,
): Promise<Report> {
  const startedAt = tools.clock.now();
  const work = new Work(packet, tools, span);
  using limit = deadline(tools.clock, packet.deadlineMs, signal);
  let ending: Ending;
  try {
    ending = await work.run(limit.signal);
  } catch (thrown) {
    ending = { note: "", failure: limit.signal.aborted ? abortFailure(limit.signal) : asFailure(thrown) };
  }
  return work.report(ending, startedAt, tools.clock.now());
}

class Work {
  readonly #calls: Call[] = [];
  readonly #usage: { -readonly [K in keyof Usage]: Usage[K] } = {
    steps: 0,
    inputTokens: 0,
    outputTokens: 0,
    costUsd: null,
  };

  constructor(private readonly packet: Handoff, private readonly tools: WorkerTools, private readonly span: string) {}

  async run(signal: AbortSignal): Promise<Ending> {
    const { packet, tools: { hub } } = this;
    signal.throwIfAborted();
    const specs = hub.specs(packet.toolAllow);
    const [down] = hub.down(packet.toolAllow);
    if (specs.length === 0 && down !== undefined) {
      const { code, detail } = down.failure;
      return { note: "", failure: { code, detail: `${down.name} is not available: ${detail}` } };
    }
    const messages: Message[] = [{ role: "user", text: renderPacket(packet) }];
    for (let step = 1; step <= packet.maxSteps; step++) {
      if (this.#tokensSpent()) {
        return this.#spent("budget_tokens", `no report within ${packet.maxTokens} tokens`);
      }
      const at = childId(this.span, `step${step}`);
      const request = {
        agent: packet.recipient,
        span: at,
        system: WORKER.text,
        messages: [...messages],
        tools: specs,
      };
      const turn = await untilAborted(this.tools.model.next(request, signal), signal);
      this.#count(turn);
      const cut = cutShort(turn);
      if (cut !== undefined) return { note: "", failure: cut };
      if (turn.calls.length === 0) return this.#conclude(turn.text.trim());
      messages.push({ role: "assistant", text: turn.text, calls: turn.calls });
      // In the turn's order, whatever finished first.
      const made = await Promise.all(
        turn.calls.map((call, i) => this.#call(call, step, childId(at, `call${i + 1}`), signal)),
      );
      this.#calls.push(...made);
      signal.throwIfAborted();
      for (const [i, { id: callId, name }] of turn.calls.entries()) {
        messages.push({
          role: "tool",
          callId,
          name,
          text: made[i]?.observation.text ?? "",
          isError: made[i]?.failure !== undefined,
        });
      }
    }
    return this.#spent("budget_steps", `no report after ${packet.maxSteps} steps`);
  }

  report({ note, failure }: Ending, startedAt: number, endedAt: number): Report {
    const { packet } = this;
    const findings: Finding[] = note === "" ? [] : [{ claim: note, observations: this.#usable() }];
    return {
      worker: packet.recipient,
      packetId: packet.id,
      objective: packet.objective,
      status: failure === undefined ? "ok" : findings.length > 0 ? "partial" : "failed",
      ...(failure === undefined ? {} : { failure: { ...failure, retryable: FAILURES[failure.code].retryable } }),
      findings,
      note,
      provenance: { kind: "live" },
      usage: { ...this.#usage },
      startedAt,
      endedAt,
    };
  }

  #count(turn: ModelTurn): void {
    this.#usage.steps++;
    this.#usage.inputTokens += turn.usage.inputTokens;
    this.#usage.outputTokens += turn.usage.outputTokens;
  }

  #tokensSpent(): boolean {
    return this.#usage.inputTokens + this.#usage.outputTokens >= (this.packet.maxTokens ?? Infinity);
  }

  async #call(call: ToolCall, step: number, span: string, signal: AbortSignal): Promise<Call> {
    const { hub, emit } = this.tools;
    emit("call.start", span, { tool: call.name, args: call.args });
    const outcome = notArguments(call) ??
      await hub.call(call.name, call.args, {
        allow: this.packet.toolAllow,
        signal,
        span,
        caller: { worker: this.packet.recipient, packetId: this.packet.id },
      });
    const failure = readFailure(outcome);
    emit("call.end", span, { tool: call.name, kind: outcome.kind, text: outcome.text, code: failure?.code });
    const observation = { id: span, tool: call.name, args: call.args, text: outcome.text };
    const neverSent = outcome.code === "denied";
    return { observation, step, neverSent, ...(failure === undefined ? {} : { failure }) };
  }

  /** Observations of calls that did not fail, in call order. */
  #usable(): Observation[] {
    return this.#calls.filter(({ failure }) => failure === undefined).map(({ observation }) => observation);
  }

  /**
   * What is still missing, tool by tool: a failure stands unless the same tool has answered in a later turn, when the
   * model had seen it and tried again. A call that never left does not count for a worker that has found something else:
   * nothing failed, there was no such tool.
   */
  #unresolved(): Failure | undefined {
    const sent = this.#usable().length === 0 ? this.#calls : this.#calls.filter(({ neverSent }) => !neverSent);
    const failures = [...Map.groupBy(sent, ({ observation }) => observation.tool)].flatMap(([tool, calls]) => {
      const answered = calls.findLast(({ failure }) => failure === undefined)?.step ?? 0;
      const last = calls.findLast(({ failure, step }) => failure !== undefined && step >= answered)?.failure;
      if (last === undefined) return [];
      const failed = calls.filter(({ failure }) => failure !== undefined).length;
      const count = calls.length === 1 ? "" : ` (${failed} of ${calls.length} calls failed)`;
      return [{ code: last.code, detail: `${tool}: ${last.detail}${count}` }];
    });
    const [first] = failures;
    return first && { code: first.code, detail: failures.map(({ detail }) => detail).join("; ") };
  }

  #conclude(note: string): Ending {
    const unresolved = this.#unresolved();
    // Whatever the note says, nothing was observed that it could rest on.
    if (this.#usable().length === 0) {
      return { note: "", failure: unresolved ?? { code: "unverified", detail: "the note rests on no tool result" } };
    }
    if (note === "") return { note, failure: { code: "empty_result", detail: "the worker ended without a note" } };
    return unresolved === undefined ? { note } : { note, failure: unresolved };
  }

  /** A budget that ran out; but a worker that never had a usable observation was getting nowhere, and says why. */
  #spent(code: "budget_steps" | "budget_tokens", detail: string): Ending {
    const unresolved = this.#usable().length === 0 ? this.#unresolved() : undefined;
    return { note: "", failure: unresolved ?? { code, detail } };
  }
}

/** Why a turn cannot be used, neither its note nor its calls: half an argument must not reach a tool. */
function cutShort({ finish, text }: ModelTurn): Failure | undefined {
  switch (finish) {
    case "refusal":
    case "content_filter":
      return { code: "refused", detail: text.trim() || "the model declined" };
    case "length":
      return { code: "model_error", detail: "the model's reply was cut at its length limit" };
    default:
      return undefined;
  }
}

/** A call whose arguments could not be read is not made, with no arguments neither: its model is told. */
function notArguments({ name, rawArguments }: ToolCall): CallOutcome | undefined {
  if (rawArguments === undefined) return undefined;
  const said = `${name} was not called: its arguments are not a JSON object: ${clip(oneLine(rawArguments), 200)}`;
  return failed("refused", said, { code: "model_error" });
}

/** The failure of a call, as the hub has read it. */
function readFailure({ code, text, detail = text }: CallOutcome): Failure | undefined {
  return code === undefined ? undefined : { code, detail };
}

function abortFailure(signal: AbortSignal): Failure {
  const reason: unknown = signal.reason;
  if (reason instanceof DeadlineExceeded) return { code: "timeout", detail: `no report within ${reason.ms} ms` };
  if (reason instanceof CodedError) return asFailure(reason);
  return { code: "cancelled", detail: "called off" };
}

/** A packet as its worker's model reads it. */
export function renderPacket(packet: Handoff): string {
  const inputs = Object.entries(packet.inputs).map(([key, value]) => `- ${key}: ${JSON.stringify(value)}`);
  return [
    `Objective: ${packet.objective}`,
    ...(inputs.length === 0 ? [] : ["Inputs:", ...inputs]),
    `Report: ${packet.returnContract}`,
    `You may reply at most ${packet.maxSteps} times, tool calls included.`,
  ].join("\n");
}
