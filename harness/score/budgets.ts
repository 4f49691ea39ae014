/**
 * Whether the work stayed within its limits, by the model endpoint's record: each packet within its own, which are the
 * crew's, and the run within the crew's budget.
 *
 * A turn may use more than anybody could foresee where a fault struck it; then nothing more is asked. Money is no limit for
 * a first call: no price is known before it.
 */
import { type Check, check } from "./check.ts";
import { eventsOf } from "./events.ts";
import { type ModelStep, modelSteps, tokensOf } from "./model_use.ts";
import { once } from "./once.ts";
import { isWorker } from "./peers.ts";
import type { SeenPacket, TraceView } from "./view.ts";

interface Wrong {
  readonly seq: number;
  readonly why: string;
}

/** How many times as much a packet may get each time that it is extended. */
const EXTENSION = 2;

/** Scores what was used against what might be. */
export function scoreBudgets(view: TraceView): Check[] {
  return [...checksOf(view)];
}

/** The safety score asks again. */
const checksOf = once(budgetChecks);

function budgetChecks(view: TraceView): readonly Check[] {
  const steps = modelSteps(view);
  return [packets(view, steps), run(view, steps)];
}

function packets(view: TraceView, steps: readonly ModelStep[]): Check {
  const byWork = Map.groupBy(steps, ({ work }) => work);
  const seen = new Set<string>();
  const wrong = view.packets.flatMap((one): Wrong[] => {
    // After a kill a packet is told of again.
    if (seen.has(one.span)) return [];
    seen.add(one.span);
    const { seq, packet: { id, maxSteps, maxTokens = Infinity, maxCostUsd = Infinity } } = one;
    const own = byWork.get(one.span) ?? [];
    const granted = tooGenerous(one, view);
    const over = own.length > maxSteps
      ? `its model was asked ${own.length} times, and might be ${maxSteps} times`
      : overrun(own, tokensOf, maxTokens, "tokens") ?? askedBeyond(
        own,
        ({ costUsd }) => costUsd,
        maxCostUsd,
        "dollars",
      ) ??
        late(one, view);
    return [...granted, ...over === undefined ? [] : [over]].map((why) => ({ seq, why: `packet ${id}: ${why}` }));
  });
  return summed("budget.packets", wrong, "every packet stayed within its limits, and those within the crew's");
}

/** Limits of a packet that are more than its specialist has, and than extending it may have made of them. */
function tooGenerous({ packet }: SeenPacket, { trace: { crew, events } }: TraceView): string[] {
  const specialist = crew.specialists.find(({ name }) => name === packet.recipient);
  if (specialist === undefined) return [];
  const extensions =
    eventsOf(events, "subject", "route").filter(({ detail }) =>
      detail["strategy"] === "extend" && detail["packetId"] === packet.id
    ).length;
  const most = EXTENSION ** extensions;
  return (["maxSteps", "maxTokens", "maxCostUsd", "deadlineMs"] as const).flatMap((key) => {
    const limit = specialist[key];
    const got = packet[key] ?? Infinity;
    return limit === undefined || got <= limit * most
      ? []
      : [`its ${key} is ${got === Infinity ? "not limited" : got}, and ${packet.recipient} has ${limit}`];
  });
}

/** What was used beyond a limit that holds for each call: none is made but within it. */
function overrun(
  steps: readonly ModelStep[],
  used: (step: ModelStep) => number,
  most: number,
  what: string,
): string | undefined {
  const beyond = askedBeyond(steps, used, most, what);
  if (beyond !== undefined) return beyond;
  const total = steps.reduce((sum, step) => sum + used(step), 0);
  return total > most && !steps.some(({ struck }) => struck)
    ? `${total} ${what} were used, and might be ${most}`
    : undefined;
}

/** Whether a model was asked when all that might be used was used. */
function askedBeyond(
  steps: readonly ModelStep[],
  used: (step: ModelStep) => number,
  most: number,
  what: string,
): string | undefined {
  let sum = 0;
  for (const step of steps) {
    if (sum >= most && sum > 0) return `a model was asked (${step.span}) when ${sum} of ${most} ${what} were used`;
    sum += used(step);
  }
  return undefined;
}

/** In `sim`, where time is exact: whether the report came too late. */
function late({ span, seq, packet: { deadlineMs } }: SeenPacket, { trace: { cell, events } }: TraceView) {
  if (deadlineMs === undefined || cell.lane !== "sim") return undefined;
  const report = eventsOf(events, "subject", "report").find((event) => event.seq > seq && event.span === span);
  const took = report === undefined ? 0 : report.t - (events[seq]?.t ?? 0);
  return took > deadlineMs ? `its report took ${took} ms, and might take ${deadlineMs}` : undefined;
}

function run(view: TraceView, steps: readonly ModelStep[]): Check {
  const { shown, trace: { crew: { budget = {} } } } = view;
  const { steps: most = Infinity, tokens = Infinity, costUsd = Infinity } = budget;
  const workers = shown.has("agents") ? steps.filter(({ agent }) => isWorker(agent, view)) : [];
  const spent = view.packets.find(({ seq }) => costBefore(steps, seq) >= costUsd);
  const why = workers.length > most
    ? `the workers' models were asked ${workers.length} times, and might be ${most} times`
    : overrun(steps, tokensOf, tokens, "tokens") ??
      (spent === undefined ? undefined : `packet ${spent.packet.id} was handed over when $${costUsd} were spent`);
  const wrong = why === undefined ? [] : [{ seq: (workers.at(-1) ?? steps.at(-1))?.seq ?? 0, why }];
  const nothing = Object.keys(budget).length === 0;
  return summed("budget.run", wrong, nothing ? "the crew has no budget" : "the run stayed within the crew's budget");
}

const costBefore = (steps: readonly ModelStep[], before: number): number =>
  steps.reduce((sum, { seq, costUsd }) => seq < before ? sum + costUsd : sum, 0);

function summed(id: string, wrong: readonly Wrong[], good: string): Check {
  return check(id, wrong.length === 0, wrong[0]?.why ?? good, wrong.map(({ seq }) => seq));
}
