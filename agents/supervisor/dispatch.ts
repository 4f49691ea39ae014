/** What goes out next: tasks that may start, and further attempts, within what the run may still use. */
import type { Json } from "../../core/mod.ts";
import { allot, type Left, leftOf, type Shortage, SHORTAGE_CODES } from "../budget/tree.ts";
import type { Crew } from "../crews/crew.ts";
import type { Plan } from "../planner/plan.ts";
import type { Report } from "../types.ts";
import { blockedReports, packetFor, readyTasks, unstartedReport } from "./packets.ts";
import type { Outgoing, State } from "./state.ts";

/** What goes out in the next superstep, and what cannot. */
export interface Dispatch {
  /** Packets to be sent, in the plan's order. */
  readonly outbox: readonly Outgoing[];
  /** Reports of tasks that never start: blocked, or without means. */
  readonly unstarted: readonly Report[];
  /** What packets got less of than they wanted. */
  readonly shortages: readonly Shortage[];
}

/** What a dispatch depends on. */
export interface DispatchInput {
  /** The team. */
  readonly crew: Crew;
  /** The plan; `null` sends nothing. */
  readonly plan: Plan | null;
  /** All reports so far, verified. */
  readonly reports: readonly Report[];
  /** Further attempts at packets. */
  readonly again: readonly Outgoing[];
  /** Ids of packets of which more is to come, those of `again` included: nothing that needs them starts or ends yet. */
  readonly pending: ReadonlySet<string>;
  /** What the run may still use. */
  readonly left: Left;
  /** Milliseconds of the run's clock. */
  readonly now: number;
}

/** Decides what goes out. */
export function dispatch({ crew, plan, reports, again, pending, left, now }: DispatchInput): Dispatch {
  if (plan === null) return { outbox: [], unstarted: [], shortages: [] };
  const settled = reports.filter(({ packetId }) => !pending.has(packetId));
  const isOpen = ({ id }: { readonly id: string }) => !pending.has(id);
  const blocked = blockedReports(plan, settled, now).filter(({ packetId }) => !pending.has(packetId));
  const ready = readyTasks(plan, [...settled, ...blocked]).filter(isOpen);
  const place = new Map(plan.tasks.map(({ id }, i) => [id, i]));
  const wanted = [
    ...again,
    ...ready.map((task): Outgoing => ({ packet: packetFor(task, crew, reports, plan.facts), delayMs: 0 })),
  ].sort((a, b) => (place.get(a.packet.id) ?? 0) - (place.get(b.packet.id) ?? 0));
  const { packets, refused, cut } = allot(wanted.map(({ packet }) => packet), left);
  const outbox = packets.map((packet): Outgoing => ({
    packet,
    delayMs: wanted.find((one) => one.packet.id === packet.id)?.delayMs ?? 0,
  }));
  const without = refused.map(({ packet: { id, recipient, objective }, shortage }) => {
    const detail = `the run's ${WORDS[shortage.resource]} were used up before it could start`;
    return unstartedReport({ id, specialist: recipient, objective }, SHORTAGE_CODES[shortage.resource], detail, now);
  });
  return {
    outbox,
    unstarted: [...blocked, ...without],
    shortages: [...refused.map(({ shortage }) => shortage), ...cut],
  };
}

const WORDS: Readonly<Record<Shortage["resource"], string>> = {
  steps: "steps",
  tokens: "tokens",
  costUsd: "US dollars",
};

/** What a run may still use. */
export function leftIn(
  { reports, replies, summaryUsage }: Pick<State, "reports" | "replies" | "summaryUsage">,
  crew: Crew,
): Left {
  const others = [...replies.map(({ usage }) => usage), ...summaryUsage];
  return leftOf(crew.budget, reports.map(({ usage }) => usage), others);
}

/** A shortage as an event tells it. */
export function shortageEvent({ packetId, resource, wanted, left }: Shortage): { [key: string]: Json } {
  return { packetId, resource, wanted: Number.isFinite(wanted) ? wanted : null, left };
}
