/**
 * How good the plan was, on the scale of `bench plan`: gates times the weighted mean of the components, see
 * `harness/plan/`.
 *
 * Scored are the packets, first attempts only: a plan is what comes of it, and packets are held against the world's record
 * by `plan.packets`. What never became a packet is in the subject's own `plan` events: replies that were rejected, and tasks
 * that were left out. A scenario's gold plan names its tasks and the facts that they must carry and no more, so a task
 * matches by its id, further inputs are neither wanted nor wrong, and each of its tasks is a part of the request, those that
 * the planner leaves out (`left_out`) included.
 */
import type { AcceptedPlan, PlanRejection } from "../../agents/mod.ts";
import { REJECTIONS } from "../../agents/planner/outcome.ts";
import { canonicalJson, type Json } from "../../core/mod.ts";
import { WEIGHTS } from "../plan/components.ts";
import { gatesOfRejection } from "../plan/gates.ts";
import type { GoldPlan, PlannedCall, PlanNode } from "../plan/node.ts";
import { type PlanScore, scorePlan, unscored } from "../plan/score.ts";
import { isFurther, isWithin } from "./attempts.ts";
import { eventsOf } from "./events.ts";
import { textOf } from "./model_use.ts";
import type { Score, ScoreComponent } from "./scores.ts";
import { unseen } from "./shown.ts";
import type { SeenPacket, TraceView } from "./view.ts";

/** What the subject says it made of a planner's reply. */
interface Reply {
  readonly seq: number;
  readonly isUsable: boolean;
  readonly repairs: number;
  readonly dropped: AcceptedPlan["dropped"];
  readonly rejection: PlanRejection | undefined;
  readonly detail: string;
}

/**
 * Scores the plan. `parse_rate` (replies that held a plan, over replies), `repairs` and `reasks` are apart and weigh
 * nothing: how a plan was written is not how good it is.
 *
 * `null` where the scenario has no gold plan, where there was nothing to plan and nothing was planned, and where peers hand
 * control to each other, since nobody plans there. Of a subject that does not show its packets nothing is known; of one that
 * does not show its plan, the components, and not whether the gates were passed.
 */
export function planScore(view: TraceView): Score {
  const { shown, trace: { scenario: { expect, topology } } } = view;
  const replies = shown.has("plan") ? repliesOf(view) : undefined;
  if (topology === "peer") return nothing("peers hand control to each other; nobody plans", []);
  const packets = view.packets.filter((packet) => !isFurther(packet));
  const evidence = [...replies ?? [], ...packets].map(({ seq }) => seq).sort((a, b) => a - b);
  if (expect?.plan === undefined) return nothing("the scenario has no gold plan", replies);
  const hidden = unseen(shown, ["packets"]);
  if (hidden !== undefined) return nothing(`${hidden}, and a plan is what comes of it`, replies);
  if (expect.plan.nodes.length === 0 && packets.length === 0 && (replies ?? []).length === 0) {
    return nothing("nothing was to be planned, and nothing was", replies);
  }
  const last = replies?.at(-1);
  const found = last === undefined || last.isUsable ? ofPackets(view, packets, last) : ofRejection(last);
  return score(
    replies === undefined ? null : Number(found.score.toPrecision(6)),
    new Map(found.components.map(({ id, value }) => [id, value])),
    replies,
    replies === undefined
      ? `${unseen(shown, ["plan"])}, so what was left out of it is not known; ${sentence(found)}`
      : sentence(found),
    evidence,
  );
}

function ofPackets(view: TraceView, packets: readonly SeenPacket[], last: Reply | undefined): PlanScore {
  const { crew, scenario: { expect, request } } = view.trace;
  const nodes = packets.map((packet) => nodeOf(packet, view));
  const ids = [...expect?.plan?.nodes ?? [], ...Object.keys(expect?.plan?.left_out ?? {})];
  const gold: GoldPlan = {
    nodes: ids.map((id) => {
      const packet = packets.find((one) => one.packet.id === id)?.packet;
      const facts = Object.hasOwn(expect?.plan?.facts ?? {}, id) ? expect?.plan?.facts[id] ?? {} : {};
      const needed = crew.specialists.find(({ name }) => name === packet?.recipient)?.toolAllow;
      return {
        id,
        inputs: facts,
        optional: Object.keys(packet?.inputs ?? {}).filter((key) => !Object.hasOwn(facts, key)),
        dependsOn: (expect?.plan?.edges ?? []).filter(([, after]) => after === id).map(([before]) => before),
        ...(needed === undefined ? {} : { tools: needed }),
      };
    }),
    parts: ids.map((id) => ({ part: id, nodes: [id] })),
  };
  return scorePlan({
    request,
    nodes,
    gold,
    roster: crew.specialists.map(({ name }) => name),
    dropped: last?.dropped ?? [],
  });
}

function ofRejection({ rejection = "no_plan", detail }: Reply): PlanScore {
  return unscored(gatesOfRejection(rejection, detail));
}

/** A packet as the plan had it: without the notes that the supervisor has added of what it depends on. */
function nodeOf({ span, packet }: SeenPacket, { calls, shown }: TraceView): PlanNode {
  const { id, recipient, objective, inputs, dependsOn, toolAllow } = packet;
  const added = new Set(dependsOn.map((before) => `from ${before}`));
  const own = new Map<string, PlannedCall>();
  // What a worker tries again is its own affair; what two tasks do is the plan's.
  for (const { tool, args, span: at } of calls) {
    if (isWithin(at, span) && shown.has("agents")) own.set(canonicalJson([tool, args]), { tool, args });
  }
  return {
    id,
    specialist: recipient,
    objective,
    inputs: Object.fromEntries(Object.entries(inputs).filter(([key]) => !added.has(key))),
    dependsOn,
    tools: toolAllow,
    ...(own.size === 0 ? {} : { calls: [...own.values()] }),
  };
}

function repliesOf({ trace: { events } }: Pick<TraceView, "trace">): Reply[] {
  return eventsOf(events, "subject", "plan").map(({ seq, detail }) => {
    const reason = textOf(detail["reason"]);
    return {
      seq,
      isUsable: detail["status"] !== "reject",
      repairs: list(detail["repairs"]).length,
      dropped: list(detail["dropped"]).map((task) => ({
        id: field(task, "id"),
        specialist: field(task, "specialist"),
        objective: field(task, "objective"),
        reason: field(task, "reason") === "depends_on_dropped" ? "depends_on_dropped" : "unknown_specialist",
      })),
      rejection: isRejection(reason) ? reason : undefined,
      detail: textOf(detail["detail"]),
    };
  });
}

/** What stopped it, or else what it lost most by. */
function sentence({ gates, components, score }: PlanScore): string {
  const failed = gates.filter(({ outcome }) => outcome === "fail").map(({ message }) => message);
  if (failed.length > 0) return `worth nothing: ${failed.join("; ")}`;
  const lost = components
    .flatMap(({ id, value, message }) =>
      value === null || value === 1 ? [] : [{ message, by: WEIGHTS[id] * (1 - value) }]
    )
    .sort((a, b) => b.by - a.by);
  if (lost.length === 0) return "the plan is as good as the gold plan";
  return `the plan is ${score.toFixed(2)} of the gold plan: ${lost.map(({ message }) => message).join("; ")}`;
}

function nothing(message: string, replies: readonly Reply[] | undefined): Score {
  return score(null, new Map(), replies, message, (replies ?? []).map(({ seq }) => seq));
}

function score(
  value: number | null,
  parts: ReadonlyMap<string, number | null>,
  replies: readonly Reply[] | undefined,
  message: string,
  evidence: readonly number[],
): Score {
  const { length = 0 } = replies ?? [];
  const usable = (replies ?? []).filter(({ isUsable }) => isUsable).length;
  const components: ScoreComponent[] = [
    ...Object.entries(WEIGHTS).map(([id, weight]): ScoreComponent => {
      const part = parts.get(id) ?? null;
      return { id, value: part === null ? null : Number(part.toPrecision(6)), unit: "ratio", weight };
    }),
    {
      id: "parse_rate",
      value: length === 0 ? null : Number((usable / length).toPrecision(6)),
      unit: "ratio",
    },
    { id: "repairs", value: replies?.reduce((sum, { repairs }) => sum + repairs, 0) ?? null, unit: "count" },
    { id: "reasks", value: replies === undefined ? null : Math.max(0, length - 1), unit: "count" },
  ];
  return { id: "plan", value, unit: "ratio", components, message, evidence };
}

const list = (value: Json | undefined): readonly Json[] => Array.isArray(value) ? value : [];
const isRejection = (name: string): name is PlanRejection => Object.hasOwn(REJECTIONS, name);

function field(value: Json, key: string): string {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
    ? textOf(value[key])
    : "";
}
