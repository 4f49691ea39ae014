/**
 * A worker: a loop of model and tools inside one packet. It never throws across its boundary, and its world is its
 * packet, its tools and its own observations.
 */
import {
  childId,
  type Clock,
  CodedError,
  deadline,
  DeadlineExceeded,
  type Failure,
  untilAborted,
} from "../../core/mod.ts";
import { type Allowance, Meter } from "../budget/meter.ts";
import type { Specialist } from "../crews/crew.ts";
import { asFailure } from "../engine/task.ts";
import type { ToolHub } from "../hub/mod.ts";
import type { Message, Model, ModelTurn } from "../models/model.ts";
import type { Emit } from "../observe.ts";
import { promptOf } from "../prompts/mod.ts";
import type { Finding, Handoff, Report } from "../types.ts";
import { CallDesk } from "./calls.ts";
import type { Control } from "./control.ts";
import { type DetailedFailure, modelFailure, reported } from "./model_failure.ts";
import { renderPacket } from "./packet_text.ts";
import { readReply, type SaidFinding, withoutReasoning } from "./reply.ts";

export { renderPacket };

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
  /** What the crew says of the specialist beyond its packet: prompt, limits of a call, form of the report. */
  readonly specialist?: Pick<Specialist, "prompt" | "callTimeoutMs" | "idleTimeoutMs" | "returns">;
  /** Tools of the loop itself, such as a handoff. */
  readonly controls?: readonly Control[];
}

/** What the loop came to. */
interface Ending {
  readonly note: string;
  readonly failure?: DetailedFailure;
  /** Where the note is not the one finding. */
  readonly findings?: readonly SaidFinding[];
  readonly question?: string;
}

/** What a model is told when it may say its last word once more. */
interface Again {
  readonly again: string;
}

const SAY_SOMETHING = "Your reply was empty. Call a tool, or reply with your report.";

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
    ending = { note: "", failure: work.whyEnded(limit.signal, thrown) };
  }
  return work.report(ending, startedAt, tools.clock.now());
}

class Work {
  readonly #desk: CallDesk;
  readonly #meter: Meter;
  /** The kinds of last word that have been asked for once more. */
  readonly #asked = new Set<"empty" | "malformed">();

  constructor(private readonly packet: Handoff, private readonly tools: WorkerTools, private readonly span: string) {
    const { hub, emit, controls = [], specialist: limits = {} } = tools;
    this.#desk = new CallDesk({ packet, hub, emit, controls, limits });
    this.#meter = new Meter(packet);
  }

  async run(signal: AbortSignal): Promise<Ending> {
    const { packet, tools: { hub, model, specialist } } = this;
    signal.throwIfAborted();
    const specs = this.#desk.specs();
    const [down] = hub.down(packet.toolAllow);
    if (specs.length === 0 && down !== undefined) {
      const { code, detail } = down.failure;
      return { note: "", failure: { code, detail: `${down.name} is not available: ${detail}` } };
    }
    const system = promptOf(specialist?.prompt).text;
    const messages: Message[] = [{ role: "user", text: renderPacket(packet, specialist?.returns) }];
    for (let step = 1; step <= packet.maxSteps; step++) {
      const allowance = this.#meter.allow({ system, messages });
      if (!allowance.ok) return this.#spent(allowance);
      const { maxOutputTokens } = allowance;
      const at = childId(this.span, `step${step}`);
      const request = {
        agent: packet.recipient,
        span: at,
        system,
        messages: [...messages],
        tools: specs,
        ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      };
      this.#meter.begin();
      const turn = await untilAborted(model.next(request, signal), signal);
      this.#meter.count(turn);
      const cut = cutShort(turn, allowance);
      if (cut !== undefined) return cut.code === "budget_tokens" ? this.#spent(cut) : { note: "", failure: cut };
      if (turn.calls.length > 0) {
        const made = await this.#desk.make(turn, step, at, signal);
        if (made.ends) return this.#handedOver(turn.text);
        messages.push(...made.messages);
        continue;
      }
      const ending = this.#conclude(turn.text, step < packet.maxSteps);
      if (!("again" in ending)) return ending;
      // Providers refuse an empty reply in a conversation.
      const said = turn.text.trim() === "" ? "(an empty reply)" : turn.text;
      messages.push({ role: "assistant", text: said, calls: [] }, { role: "user", text: ending.again });
    }
    return this.#spent({ code: "budget_steps", detail: `no report after ${packet.maxSteps} steps` });
  }

  /** Why the loop threw. A call that may have acted is the worst that can be said, whatever ended the work. */
  whyEnded(signal: AbortSignal, thrown: unknown): DetailedFailure {
    const unresolved = this.#desk.unresolved();
    if (unresolved?.code === "outcome_unknown") return unresolved;
    return signal.aborted ? abortFailure(signal) : modelFailure(thrown);
  }

  report({ note, failure, findings, question }: Ending, startedAt: number, endedAt: number): Report {
    const { packet } = this;
    const observations = this.#desk.usable();
    const effects = this.#desk.effects();
    const said: readonly SaidFinding[] = findings ?? (note === "" ? [] : [{ claim: note }]);
    const found = said.map((one): Finding => ({ ...one, observations: [...observations] }));
    return {
      worker: packet.recipient,
      packetId: packet.id,
      objective: packet.objective,
      status: question !== undefined
        ? "needs_clarification"
        : failure === undefined
        ? "ok"
        : found.length > 0
        ? "partial"
        : "failed",
      ...(failure === undefined ? {} : { failure: reported(failure) }),
      findings: found,
      ...(effects === undefined ? {} : { effects }),
      note,
      provenance: { kind: "live" },
      ...(question === undefined ? {} : { question }),
      usage: this.#meter.usage,
      startedAt,
      endedAt,
    };
  }

  /** What a last word comes to; or what is said to the model, which may try again once. */
  #conclude(text: string, mayAgain: boolean): Ending | Again {
    const reply = readReply(text, this.tools.specialist?.returns);
    switch (reply.kind) {
      case "question": {
        const { question } = reply;
        return { note: "", question, failure: { code: "ambiguous", detail: `it asks: ${question}` } };
      }
      case "empty":
        if (mayAgain && this.#first("empty")) return { again: SAY_SOMETHING };
        return this.#nothing({ code: "empty_result", detail: "the worker ended without a note" });
      case "malformed": {
        if (mayAgain && this.#first("malformed")) {
          return {
            again: `That report cannot be read: ${reply.problem}. Reply again, with the JSON object and nothing else.`,
          };
        }
        return this.#nothing({ code: "malformed_result", detail: `the report cannot be read: ${reply.problem}` });
      }
      case "note":
        return this.#found({ note: reply.note });
      case "findings": {
        const { findings, note } = reply;
        if (findings.length === 0) return this.#found({ note: note === "" ? "No findings." : note });
        return this.#found({ note: note === "" ? findings.map(({ claim }) => claim).join("\n") : note, findings });
      }
    }
  }

  #first(kind: "empty" | "malformed"): boolean {
    const isFirst = !this.#asked.has(kind);
    this.#asked.add(kind);
    return isFirst;
  }

  #found(ending: Ending): Ending {
    const failure = this.#desk.unresolved();
    // Whatever the note says, nothing was observed that it could rest on.
    if (this.#desk.usable().length === 0) {
      return { note: "", failure: failure ?? { code: "unverified", detail: "the note rests on no tool result" } };
    }
    return failure === undefined ? ending : { ...ending, failure };
  }

  /** The end of a worker whose control took over. What it said on the way is its note. */
  #handedOver(text: string): Ending {
    const note = withoutReasoning(text).trim();
    const failure = this.#desk.unresolved();
    const rests = this.#desk.usable().length > 0;
    return { note: rests ? note : "", ...(failure === undefined ? {} : { failure }) };
  }

  /** Nothing came of it; a worker that never had a usable observation has a better reason. */
  #nothing(otherwise: Failure): Ending {
    const unresolved = this.#desk.usable().length === 0 ? this.#desk.unresolved() : undefined;
    return { note: "", failure: unresolved ?? otherwise };
  }

  /** A budget that ran out; but a worker that never had a usable observation was getting nowhere, and says why. */
  #spent({ code, detail }: Failure): Ending {
    const unresolved = this.#desk.unresolved();
    if (unresolved?.code === "outcome_unknown") return { note: "", failure: unresolved };
    return this.#nothing({ code, detail });
  }
}

/** Why a turn cannot be used, neither its note nor its calls: half an argument must not reach a tool. */
function cutShort({ finish, text, usage }: ModelTurn, allowance: Allowance): DetailedFailure | undefined {
  switch (finish) {
    case "refusal":
    case "content_filter":
      return { code: "refused", detail: text.trim() || "the model declined" };
    case "length": {
      const most = allowance.ok ? allowance.maxOutputTokens : undefined;
      if (most !== undefined && usage.outputTokens >= most) {
        return { code: "budget_tokens", detail: `the model's reply was cut: ${most} tokens were left for it` };
      }
      // The same request meets the same limit.
      return { code: "model_error", detail: "the model's reply was cut at its length limit", retryable: false };
    }
    default:
      return undefined;
  }
}

function abortFailure(signal: AbortSignal): Failure {
  const reason: unknown = signal.reason;
  if (reason instanceof DeadlineExceeded) return { code: "timeout", detail: `no report within ${reason.ms} ms` };
  if (reason instanceof CodedError) return asFailure(reason);
  return { code: "cancelled", detail: "called off" };
}
