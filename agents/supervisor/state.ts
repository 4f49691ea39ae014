/** What a run knows at each barrier. All of it is plain JSON, so that a run can be kept and go on after a kill. */
import type { Failure, FailureCode, Strategy } from "../../core/mod.ts";
import { append, lastValue, type StateOf } from "../engine/mod.ts";
import type { DroppedTask } from "../planner/outcome.ts";
import type { Plan } from "../planner/plan.ts";
import type { PlannerReply } from "../planner/planner.ts";
import type { Answer, Handoff, Report, Usage } from "../types.ts";

/** A packet that is about to be sent. */
export type Outgoing = {
  /** The packet. */
  packet: Handoff;
  /** How long to wait before, in milliseconds. */
  delayMs: number;
};

/** What is done about one failed attempt. */
export type Decision = {
  /** The packet. */
  packetId: string;
  /** The specialist that failed at it. */
  worker: string;
  /** Why. */
  code: FailureCode;
  /** What is done. */
  strategy: Strategy;
  /** Which attempt failed, counted from 1. */
  attempt: number;
  /** The wait before the next attempt, in milliseconds, where there is one. */
  delayMs?: number;
  /** The specialist that is asked next, for `reassign`. */
  to?: string;
  /** Strategies of the route that were passed over before this one, each with the reason. */
  passed: { strategy: Strategy; because: string }[];
};

/** What came of a question. */
export type Clarification = {
  /** The packet. */
  packetId: string;
  /** The attempt that asked, counted from 1. */
  attempt: number;
  /** What was asked. */
  question: string;
  /** What was said; `null` if nobody knew. */
  answer: string | null;
};

/** A report after the check of its claims. */
export type Checked = {
  /** What may be passed on of it. */
  report: Report;
  /** Sentences that its observations neither bear out nor contradict. */
  unconfirmed: string[];
};

/** The state, channel by channel. */
export const channels = {
  request: lastValue(""),
  /** When the run began, in milliseconds of its clock. */
  startedAt: lastValue(0),
  replies: append<PlannerReply>(),
  plan: lastValue<Plan | null>(null),
  dropped: lastValue<readonly DroppedTask[]>([]),
  planFailure: lastValue<Failure | null>(null),
  /** Packets that go out in the next superstep. */
  outbox: lastValue<readonly Outgoing[]>([]),
  /** All packets that have gone out. */
  packets: append<Handoff>(),
  /** One for each attempt at each packet, as the worker made it. */
  reports: append<Report>(),
  /** The same, in the same order, after the check. */
  verified: append<Checked>(),
  decisions: append<Decision>(),
  /** Those that are carried out in the next superstep, and not by sending a packet. */
  actions: lastValue<readonly Decision[]>([]),
  clarifications: append<Clarification>(),
  /** What stands in for a report: from earlier, or from a person. */
  substitutes: append<Report>(),
  summary: lastValue<string | null>(null),
  summaryUsage: append<Usage>(),
  answer: lastValue<Answer | null>(null),
};

/** The state as nodes read it. */
export type State = StateOf<typeof channels>;
