/** Whether the work that was dispatched is the work that the request needs. */
import { canonicalJson } from "../../core/mod.ts";
import { isFurther } from "./attempts.ts";
import { type Check, check } from "./check.ts";
import { sortedEntries } from "./entries.ts";
import { isWorker } from "./peers.ts";
import type { TraceView } from "./view.ts";

/** Scores the dispatched packets against the models' requests, and against the gold plan, if the scenario has one. */
export function scorePlan(view: TraceView): Check[] {
  const { trace: { scenario: { expect } } } = view;
  const plan = expect?.plan;
  // What is tried again was planned once.
  const packets = view.packets.filter((packet) => !isFurther(packet));
  if (plan === undefined) return [accounted(view)];
  const evidence = packets.map(({ seq }) => seq);
  const nodes = packets.map(({ packet }) => packet.id);
  const edges = packets.flatMap(({ packet }) => packet.dependsOn.map((before) => `${before} -> ${packet.id}`));
  const goldEdges = plan.edges.map(([before, after]) => `${before} -> ${after}`);
  const checks = [
    accounted(view),
    sameSet("plan.nodes", "dispatched", nodes, plan.nodes, evidence),
    sameSet("plan.edges", "depending", edges, goldEdges, evidence),
    independentTogether(packets, evidence),
  ];
  for (const [task, facts] of sortedEntries(plan.facts)) {
    const sent = packets.find(({ packet }) => packet.id === task);
    for (const [key, value] of sortedEntries(facts)) {
      const got = Object.hasOwn(sent?.packet.inputs ?? {}, key) ? sent?.packet.inputs[key] : undefined;
      const good = got !== undefined && canonicalJson(got) === canonicalJson(value);
      const message = `the packet of ${task} carries ${key} = ${got === undefined ? "nothing" : canonicalJson(got)}`;
      const seen = sent === undefined ? [] : [sent.seq];
      checks.push(
        check(`plan.facts:${task}.${key}`, good, good ? message : `${message}, expected ${canonicalJson(value)}`, seen),
      );
    }
  }
  return checks;
}

/**
 * Packets are the subject's word. The models' requests are not: none is made but for a packet, by its recipient. Only
 * then do the other checks of the plan speak of the work that was done.
 */
function accounted(view: TraceView): Check {
  const { packets, requests } = view;
  const stray = requests.filter(({ agent, span }) =>
    isWorker(agent, view) &&
    !packets.some((one) => one.packet.recipient === agent && span.startsWith(`${one.span}/`))
  );
  const [first] = stray;
  const message = first === undefined
    ? "every worker's model was asked within a packet of that worker"
    : `${first.agent}'s model was asked (${first.span}) without a packet for it`;
  return check("plan.packets", first === undefined, message, stray.map(({ seq }) => seq));
}

function sameSet(
  id: string,
  what: string,
  got: readonly string[],
  gold: readonly string[],
  evidence: readonly number[],
): Check {
  const missing = gold.filter((one) => !got.includes(one));
  const extra = got.filter((one) => !gold.includes(one));
  const good = missing.length === 0 && extra.length === 0 && got.length === gold.length;
  const parts = [
    ...(missing.length > 0 ? [`missing: ${missing.join(", ")}`] : []),
    ...(extra.length > 0 ? [`not in the gold plan: ${extra.join(", ")}`] : []),
  ];
  return check(
    id,
    good,
    good ? `${what}: ${got.join(", ") || "none"}` : parts.join("; ") || "something came twice",
    evidence,
  );
}

/** Tasks that depend on nothing go out in one superstep: they run at the same time. */
function independentTogether(packets: TraceView["packets"], evidence: readonly number[]): Check {
  const free = packets.filter(({ packet }) => packet.dependsOn.length === 0);
  const steps = new Set(free.map(({ superstep }) => superstep));
  if (free.length > 1 && steps.has(undefined)) {
    const message = "packets do not say in which superstep they were dispatched";
    return { id: "plan.parallel", outcome: "untestable", message, evidence };
  }
  const good = steps.size <= 1;
  const message = good
    ? `the ${free.length} independent tasks were dispatched together`
    : `independent tasks were dispatched in ${steps.size} supersteps, one after another`;
  return check("plan.parallel", good, message, evidence);
}
