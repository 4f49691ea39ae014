/** Decides on the handoffs that the agent in control asks for. */
import { clip, oneLine } from "../../core/mod.ts";
import type { Specialist } from "../crews/crew.ts";
import type { ToolCall, ToolSpec } from "../models/model.ts";
import type { Emit } from "../observe.ts";
import {
  type Asked,
  HANDOFF,
  handoffTool,
  isSame,
  MAX_HANDOFFS,
  readHandoff,
  type Refusal,
  type Refused,
} from "./handoff.ts";

/** What an agent is told about a handoff. */
export interface Told {
  /** The result of its call. */
  readonly text: string;
  /** Whether the handoff was refused. */
  readonly isError: boolean;
  /** Whether control has moved: the agent is not asked again. */
  readonly ends: boolean;
}

/** What a desk knows. */
export interface DeskOptions {
  /** Who has control. */
  readonly from: string;
  /** The crew's specialists. */
  readonly specialists: readonly Specialist[];
  /** Every handoff of the run that was accepted, oldest first. */
  readonly past: readonly Asked[];
  /** Told of each decision. */
  readonly emit: Emit;
}

/**
 * The handoffs of one agent while it has control. The first that can be accepted is; whatever else it asks for is
 * refused, and each call gets its own result.
 */
export class Desk {
  readonly #refused: Refused[] = [];
  readonly #others: ReadonlyMap<string, Specialist>;
  #accepted: Asked | undefined;

  /** A desk at which nobody has asked for anything. */
  constructor(private readonly options: DeskOptions) {
    const { specialists, from } = options;
    this.#others = new Map(specialists.filter(({ name }) => name !== from).map((one) => [one.name, one]));
  }

  /** The handoff that was accepted, if any was. */
  get accepted(): Asked | undefined {
    return this.#accepted;
  }

  /** The handoffs that were refused, in the order in which they were asked for. */
  get refused(): readonly Refused[] {
    return this.#refused;
  }

  /** The tools that hand control over, one for each other specialist. */
  specs(): ToolSpec[] {
    return [...this.#others.values()].map(handoffTool);
  }

  /**
   * Decides on a call of such a tool, known or not.
   *
   * @param at The call's span.
   */
  take(call: ToolCall, at: string): Told {
    const { from, past, emit } = this.options;
    const asked = readHandoff(from, call);
    const wanted = asked ?? { from, to: call.name.slice(HANDOFF.length), objective: "", inputs: {} };
    const refusal = this.#refusal(wanted, asked !== undefined);
    const event = { from, to: wanted.to, objective: wanted.objective };
    if (refusal === undefined) {
      this.#accepted = wanted;
      emit("handoff", at, { ...event, outcome: "accepted" });
      return { text: `${wanted.to} has control now`, isError: false, ends: true };
    }
    const [outcome, text] = refusal;
    this.#refused.push({ ...wanted, outcome, after: past.length + (this.#accepted === undefined ? 0 : 1) });
    emit("handoff", at, { ...event, outcome });
    return { text, isError: true, ends: false };
  }

  #refusal(asked: Asked, isReadable: boolean): [Refusal, string] | undefined {
    const { from, past } = this.options;
    const roster = `hand over to one of ${[...this.#others.keys()].join(", ")}, or conclude`;
    if (asked.to === from) return ["cycle", `${from} has control already; ${roster}`];
    if (!this.#others.has(asked.to)) {
      return ["unknown", `there is no specialist ${JSON.stringify(clip(oneLine(asked.to), 80))}; ${roster}`];
    }
    if (!isReadable) {
      return ["denied", "control stays: the arguments must be an objective in words, and inputs as an object"];
    }
    if (this.#accepted !== undefined) {
      return ["second", `control has gone to ${this.#accepted.to} in this turn, and cannot go to ${asked.to} as well`];
    }
    if (past.length >= MAX_HANDOFFS) {
      return ["denied", `control has been handed over ${MAX_HANDOFFS} times, which is the limit; conclude`];
    }
    if (past.some((one) => isSame(one, asked))) {
      return ["cycle", `${asked.to} has had control for just this before: that would be a cycle; ${roster}`];
    }
    return undefined;
  }
}
