/** One packet, several attempts: which of their reports stands, and who failed. */
import type { Plan, PlanTask } from "../planner/plan.ts";
import type { Report } from "../types.ts";
import type { Checked } from "./state.ts";
import { untoldBefore } from "./effects.ts";
import type { Part } from "./synthesize.ts";

/** The reports of one packet, in the order of its attempts. */
export function attemptsAt(packetId: string, reports: readonly Report[]): Report[] {
  return reports.filter((report) => report.packetId === packetId);
}

/**
 * The report that stands: the last one, if it met its objective; else the last one that found anything at all, so that
 * an attempt that comes to nothing cannot cost what an earlier one has found; else the last one.
 */
export function standing(attempts: readonly Report[]): Report | undefined {
  const last = attempts.at(-1);
  if (last?.failure === undefined) return last;
  return attempts.findLast(({ findings }) => findings.length > 0) ?? last;
}

/** What came of each task of a plan that has reports, in the plan's order. */
export function partsOf(plan: Plan | null, checked: readonly Checked[]): Part[] {
  const byPacket = Map.groupBy(checked, ({ report }) => report.packetId);
  return (plan?.tasks ?? []).flatMap(({ id }: PlanTask): Part[] => {
    const own = byPacket.get(id) ?? [];
    const attempts = own.map(({ report }) => report);
    const report = standing(attempts);
    if (report === undefined) return [];
    const unconfirmed = own.find((one) => one.report === report)?.unconfirmed ?? [];
    return [{ report, unconfirmed, before: untoldBefore(attempts, report), failed: failedAt(attempts) }];
  });
}

/** The last report of each specialist that failed at a task, if it was not met in the end; the owner's first. */
function failedAt(attempts: readonly Report[]): Report[] {
  if (attempts.at(-1)?.failure === undefined) return [];
  return [...Map.groupBy(attempts, ({ worker }) => worker).values()].flatMap((own) => {
    const last = own.at(-1);
    return last?.failure === undefined ? [] : [last];
  });
}
