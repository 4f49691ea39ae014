/**
 * The agent that decides who works, for frameworks in which a model does that by tool calls. The scenarios' planner answers
 * with a plan instead, so its turns are derived: first one call for each task of the plan, in one turn; at the end what
 * was reported, word for word, unless the crew has a synthesizer, which then says what its script says. Nothing is decided
 * here that the script has not decided.
 */
import { ENTRY, type ModelTurn, type ToolCall } from "../../agents/mod.ts";
import type { Json } from "../../core/mod.ts";
import type { Desk, Seat, Voice, VoiceRequest } from "./desk.ts";
import { CONTROL, TRANSFER } from "./names.ts";
import { type PlannedTask, PlannedTasks, taskText } from "./plan.ts";

/** How a plan becomes calls. */
export interface LeadOptions {
  /** The call for a task. */
  readonly callOf: (task: PlannedTask) => { readonly name: string; readonly args: { [key: string]: Json } };
  /**
   * Whether several calls may be made in one turn, as models do unless they are told not to.
   *
   * @default true
   */
  readonly parallel?: boolean;
}

/** A call of a tool that hands control to the task's specialist. */
export const transferCall: LeadOptions["callOf"] = ({ specialist }) => ({ name: TRANSFER + specialist, args: {} });

/** A call of a tool that asks the task's specialist, who reports back. */
export const askCall: LeadOptions["callOf"] = (task) => ({
  name: `ask_${task.specialist}`,
  args: { input: taskText(task) },
});

/** A planner in the place of a supervisor. One for each run. */
export class Lead implements Voice {
  readonly #planner: Seat;
  #waiting: PlannedTask[] | undefined;
  #turns = 0;

  /** A lead who has not been asked yet. */
  constructor(private readonly desk: Desk, private readonly options: LeadOptions) {
    this.#planner = desk.seat("planner");
  }

  /** See {@linkcode Voice}. */
  async next(request: VoiceRequest, signal: AbortSignal): Promise<ModelTurn> {
    let usage: ModelTurn["usage"] = { inputTokens: 0, outputTokens: 0 };
    this.#turns++;
    if (this.#waiting === undefined) {
      const turn = await this.#planner.next({ ...request, tools: [] }, signal);
      this.#waiting = planIn(turn.text);
      // What is no plan is what a supervisor says who calls nobody.
      if (this.#waiting.length === 0) return turn;
      usage = turn.usage;
    }
    const { parallel = true, callOf } = this.options;
    const now = this.#waiting.splice(0, parallel ? this.#waiting.length : 1);
    if (now.length === 0) return await this.#last(request, signal);
    const calls = now.map((task, i): ToolCall => ({ id: `lead${this.#turns}.${i + 1}`, ...callOf(task) }));
    return { text: "", calls, finish: "tool_calls", usage };
  }

  async #last(request: VoiceRequest, signal: AbortSignal): Promise<ModelTurn> {
    if (this.desk.world.crew.synthesizer === true) {
      return await this.desk.seat("synthesizer").next({ ...request, tools: [] }, signal);
    }
    return wordForWord(request);
  }
}

/** Who has control first among peers, where control comes back: its script is played, and then what was reported is said. */
export class EntryLead implements Voice {
  readonly #entry: Seat;
  #handedOver = false;

  /** An entry that has not been asked yet. */
  constructor(desk: Desk) {
    this.#entry = desk.seat(ENTRY);
  }

  /** See {@linkcode Voice}. */
  async next(request: VoiceRequest, signal: AbortSignal): Promise<ModelTurn> {
    if (this.#handedOver) return wordForWord(request);
    const turn = await this.#entry.next(request, signal);
    this.#handedOver = turn.calls.length > 0;
    return turn;
  }
}

/** The last turn of a lead without a script of its own: everything that was reported to it, and nothing else. */
export function wordForWord({ messages }: Pick<VoiceRequest, "messages">): ModelTurn {
  const text = messages.flatMap((message) => {
    if (message.role === "assistant") return message.calls.length === 0 ? [message.text] : [];
    if (message.role !== "tool") return [];
    // That control was handed over is no report.
    return message.isError || !message.name.startsWith(CONTROL) ? [message.text] : [];
  });
  return {
    text: text.filter((one) => one.trim() !== "").join("\n\n"),
    calls: [],
    finish: "stop",
    usage: { inputTokens: 0, outputTokens: 0 },
  };
}

/** The tasks of a plan; none if it is no JSON. A fence around it is no hindrance: a model that calls tools writes none. */
function planIn(text: string): PlannedTask[] {
  const [, fenced = text] = /```(?:json)?\n([\s\S]*?)```/.exec(text) ?? [];
  let value: unknown;
  try {
    value = JSON.parse(fenced);
  } catch {
    return [];
  }
  const parsed = PlannedTasks.safeParse(value);
  return parsed.success ? parsed.data.tasks : [];
}
