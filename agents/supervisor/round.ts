/** One round of recovery: what is done about each failure that is still open, and what goes out next. */
import type { Left } from "../budget/tree.ts";
import type { Crew } from "../crews/crew.ts";
import { attemptsAt } from "./attempts.ts";
import { clarified, resolvedFacts } from "./clarify.ts";
import { type Dispatch, dispatch } from "./dispatch.ts";
import { decide, packetAfter } from "./route.ts";
import type { Decision, Outgoing, State } from "./state.ts";

/** What a round depends on besides the state. */
export interface RoundInput {
  /** The team. */
  readonly crew: Crew;
  /** What the run may still use. */
  readonly left: Left;
  /** Milliseconds of the run's clock. */
  readonly now: number;
  /** Whether there is an operator. */
  readonly hasOperator: boolean;
  /** Whether there is a user to ask. */
  readonly hasUser: boolean;
}

/** What a round comes to. */
export interface Round {
  /** What has been decided, in the plan's order. */
  readonly decisions: readonly Decision[];
  /** Those of them that are carried out without a packet. */
  readonly actions: readonly Decision[];
  /** What goes out. */
  readonly dispatch: Dispatch;
}

/**
 * Decides about every failure that is open, one after the other, so that all of them together stay within the crew's
 * limits. It comes to an end: a packet is sent again only by a decision that the limits count, and without one its
 * failure is settled.
 */
export function decideAll(state: State, input: RoundInput): Round {
  const { crew, left, now } = input;
  const { plan, packets, clarifications } = state;
  const reports = state.verified.map(({ report }) => report);
  const facts = resolvedFacts(plan);
  const decisions: Decision[] = [];
  const again: Outgoing[] = [];
  for (const { id, specialist: owner } of plan?.tasks ?? []) {
    const attempts = attemptsAt(id, reports);
    const last = attempts.at(-1);
    if (last?.failure === undefined || isSettled(id, attempts.length, state)) continue;
    const packet = packets.findLast((one) => one.id === id);
    const attempt = attempts.length + 1;
    const said = clarifications.find((one) => one.packetId === id && one.attempt === attempts.length);
    if (packet !== undefined && said !== undefined && said.answer !== null) {
      again.push({ packet: { ...clarified(packet, said.question, said.answer), attempt }, delayMs: 0 });
      continue;
    }
    const leftMs = crew.deadlineMs - Math.max(0, now - state.startedAt);
    const decision = decide(last, {
      ...input,
      owner,
      packet,
      attempt: attempts.length,
      decisions: [...state.decisions, ...decisions],
      leftMs,
      facts,
    });
    if (decision === undefined) continue;
    decisions.push(decision);
    const next = packet === undefined ? undefined : packetAfter(decision, packet, last, { crew, left });
    if (next !== undefined) again.push({ packet: { ...next, attempt }, delayMs: decision.delayMs ?? 0 });
  }
  const actions = decisions.filter(({ strategy }) => ACTIONS.has(strategy));
  const pending = new Set([
    ...again.map(({ packet }) => packet.id),
    ...actions.filter(({ strategy }) => strategy !== "fallback").map(({ packetId }) => packetId),
  ]);
  return { decisions, actions, dispatch: dispatch({ crew, plan, reports, again, pending, left, now }) };
}

const ACTIONS: ReadonlySet<Decision["strategy"]> = new Set(["fallback", "escalate", "clarify"]);

/** Whether nothing more is done about the last failure at a packet. */
function isSettled(packetId: string, attempts: number, { substitutes, decisions }: State): boolean {
  return substitutes.some((one) => one.packetId === packetId) ||
    decisions.some((one) => one.packetId === packetId && one.attempt === attempts && one.strategy === "disclose");
}
