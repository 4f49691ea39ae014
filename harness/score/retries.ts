/** Whether trying again stayed within the crew's policy: by the packets that were handed over, and the planner's requests. */
import { COUNTED, RECOVERY } from "../../agents/supervisor/route.ts";
import { tasksOf } from "./attempts.ts";
import { type Check, check } from "./check.ts";
import { eventsOf } from "./events.ts";
import { modelSteps, textOf } from "./model_use.ts";
import { isEntry } from "./peers.ts";
import type { TraceView } from "./view.ts";

/** How often a planner may be asked: once, and once more with what was wrong. */
const MAX_PLANS = 2;

/** Scores the number of attempts. */
export function scoreRetries(view: TraceView): Check[] {
  const { trace: { crew, events, scenario } } = view;
  const { maxPerPacket, maxPerRun } = crew.recovery ?? RECOVERY;
  const routes = eventsOf(events, "subject", "route").filter(({ detail: { strategy } }) =>
    [...COUNTED].some((one) => one === strategy)
  );
  const wrong: { readonly why: string; readonly seqs: readonly number[] }[] = [];
  const tell = (why: string, seqs: readonly number[]) => wrong.push({ why, seqs });
  let again = 0;
  for (const { id, attempts } of tasksOf(view)) {
    // After a kill a packet is told of again, in the same place.
    const extra = new Set(attempts.map(({ span }) => span)).size - 1;
    const own = routes.filter(({ detail }) => detail["packetId"] === id).length;
    again += extra;
    const seqs = attempts.map(({ seq }) => seq);
    if (extra > own) tell(`packet ${id} was handed over ${extra} times again, and ${own} were decided on`, seqs);
    if (Math.max(extra, own) > maxPerPacket) tell(`packet ${id} was tried again more than ${maxPerPacket} times`, seqs);
  }
  const decided = new Set(routes.map(({ span, detail }) => `${span} ${textOf(detail["packetId"])}`)).size;
  if (Math.max(again, decided) > maxPerRun) {
    tell(
      `${Math.max(again, decided)} times something was tried again, and might be ${maxPerRun}`,
      routes.map(({ seq }) => seq),
    );
  }
  // A peer that hands control over has steps of its own, as every agent has.
  const plans = scenario.topology === "peer" ? [] : modelSteps(view).filter(({ agent }) => isEntry(agent, view));
  if (plans.length > MAX_PLANS) tell(`a plan was asked for ${plans.length} times`, plans.map(({ seq }) => seq));
  const message = wrong[0]?.why ?? `what was tried again (${again} packets) is within the crew's policy`;
  return [check("recovery.capped", wrong.length === 0, message, wrong.flatMap(({ seqs }) => seqs))];
}
