/**
 * The supervisor graph: plan → worker* → collect → verify → route → recover* → synthesize.
 *
 * It gets reports, never transcripts. What it decides it decides by status and failure code.
 */
import { childId, type Clock, digest, type Failure, type FailureCode, type Json } from "../../core/mod.ts";
import type { Answer, Handoff, Report } from "../types.ts";
import type { Crew } from "../crews/crew.ts";
import {
  append,
  END,
  graph,
  type GraphEvent,
  lastValue,
  type NodeFailure,
  type RunResult,
  type RunStatus,
  type Send,
  send,
  START,
  type StateOf,
} from "../engine/mod.ts";
import type { ToolHub } from "../hub/mod.ts";
import type { Model } from "../models/model.ts";
import type { Emit } from "../observe.ts";
import type { Operator, User } from "../people.ts";
import type { KeptRun } from "../subjects/subject.ts";
import type { DroppedTask } from "../planner/outcome.ts";
import type { Plan } from "../planner/plan.ts";
import { askPlanner, type PlannerReply } from "../planner/planner.ts";
import { runWorker } from "../worker/worker.ts";
import { blockedReports, fallbackPlan, packetFor, readyTasks, unstartedReport } from "./packets.ts";
import { cachedReport, type Route, routeReport } from "./route.ts";
import { synthesize } from "./synthesize.ts";
import { verifyReport } from "./verify.ts";

/** What a supervisor works with. */
export interface SupervisorTools {
  /** The team. */
  readonly crew: Crew;
  /** The model of every agent. */
  readonly model: Model;
  /** The connected servers. */
  readonly hub: ToolHub;
  /** The run's clock. */
  readonly clock: Clock;
  /** Told of each step. */
  readonly emit: Emit;
  /** Calls the whole run off. */
  readonly signal: AbortSignal;
  /** Who takes over what nobody else could do. */
  readonly operator?: Operator;
  /** Who answers what a worker has to know first. */
  readonly user?: User;
  /** Where the run is kept. */
  readonly kept?: KeptRun;
}

/** The planner is asked once, and once more with what was wrong. */
const MAX_PLANNER_REPLIES = 2;

const channels = {
  request: lastValue(""),
  replies: append<PlannerReply>(),
  plan: lastValue<Plan | null>(null),
  dropped: lastValue<readonly DroppedTask[]>([]),
  planFailure: lastValue<Failure | null>(null),
  reports: append<Report>(),
  verified: lastValue<readonly Report[]>([]),
  routes: lastValue<readonly Route[]>([]),
  substitutes: append<Report>(),
  answer: lastValue<Answer | null>(null),
};

type State = StateOf<typeof channels>;

/**
 * Answers a request with a crew. Never throws for what models, workers or servers do: whatever ends the run early, the
 * answer says what is missing.
 */
export async function supervise(request: string, tools: SupervisorTools): Promise<Answer> {
  const { clock, signal, crew } = tools;
  let over = false;
  // A worker that was cut off ends a little later than the run: what it does then is no part of the run.
  const emit: Emit = (type, span, detail) => {
    if (!over) tools.emit(type, span, detail);
  };
  const desk = build({ ...tools, emit });
  const result = await desk.run({ request }, { clock, signal, onEvent: (event) => emitGraphEvent(event, emit) });
  let { answer } = result.state;
  if (answer === null) {
    answer = conclude(finish(result, crew, clock.now()));
    emit("answer", "run", { answer });
  }
  over = true;
  return answer;
}

function build(tools: SupervisorTools) {
  const { crew, model, hub, clock, emit } = tools;
  return graph(channels)
    .node("plan", async ({ request, replies }, { task, superstep, signal }) => {
      const span = taskSpan(superstep, task);
      const last = replies.at(-1);
      const rejected = last?.outcome.status === "reject"
        ? { reply: last.reply, failure: last.outcome.failure }
        : undefined;
      const input = { request, crew, servers: hub.servers(), ...(rejected === undefined ? {} : { rejected }) };
      const reply = await askPlanner(model, input, span, signal);
      emit("plan", span, planEvent(reply, replies.length + 1));
      const { outcome } = reply;
      return {
        replies: [reply],
        ...(outcome.status === "reject" ? {} : { plan: outcome.plan, dropped: outcome.dropped }),
      };
    })
    .node("fallback_plan", ({ replies }, { task, superstep }) => {
      const outcome = replies.at(-1)?.outcome;
      const failure: Failure = outcome?.status === "reject"
        ? outcome.failure
        : { code: "internal", detail: "the planner could not be asked" };
      const plan = fallbackPlan(crew);
      emit("plan.fallback", taskSpan(superstep, task), { tasks: plan.tasks, code: failure.code });
      const dropped = outcome?.dropped ?? [];
      return { plan, dropped, planFailure: failure };
    })
    .node("worker", async (_state, { payload, task, superstep, signal }) => {
      const packet = payload as Handoff; // `dispatch` sends nothing else
      const span = taskSpan(superstep, task);
      emit("packet", span, { packet, hash: digest(packet) });
      const report = await runWorker(packet, { model, hub, clock, emit }, span, signal);
      // Cut off: nobody will read this report, and the answer must not be contradicted by it.
      signal.throwIfAborted();
      emit("report", span, { report });
      return { reports: [report] };
    })
    .node("collect", ({ plan, reports }, { failures }) => {
      const now = clock.now();
      const lost = reportsOfLostWorkers(plan, reports, failures, now);
      const blocked = plan === null ? [] : blockedReports(plan, [...reports, ...lost], now);
      return { reports: [...lost, ...blocked] };
    })
    .node("verify", ({ plan, reports }, { task, superstep }) => {
      const verified = inPlanOrder(plan, reports).map(verifyReport);
      for (const { verdict } of verified) emit("verify", taskSpan(superstep, task), { ...verdict });
      return { verified: verified.map(({ report }) => report) };
    })
    .node("route", ({ verified }, { task, superstep }) => {
      const routes = verified.flatMap((report) => routeReport(report, crew) ?? []);
      for (const { fallback: _, ...route } of routes) emit("route", taskSpan(superstep, task), { ...route });
      return { routes };
    })
    .node("recover", ({ verified }, { payload, task, superstep }) => {
      const { packetId, fallback } = payload as Route; // the branch after `route` sends nothing else
      const failed = verified.find((report) => report.packetId === packetId);
      if (failed === undefined || fallback === undefined) return {};
      const report = cachedReport(failed, fallback, clock.now());
      emit("report", taskSpan(superstep, task), { report });
      return { substitutes: [report] };
    })
    .node("synthesize", (state, { task, superstep }) => {
      const answer = conclude(state);
      emit("answer", taskSpan(superstep, task), { answer });
      return { answer };
    })
    .edge(START, "plan")
    .branch("plan", (state) => {
      if (state.plan !== null) return dispatch(state, crew);
      const refused = state.replies.at(-1)?.outcome;
      const worthAsking = refused?.status === "reject" && refused.failure.code === "plan_malformed";
      return worthAsking && state.replies.length < MAX_PLANNER_REPLIES ? "plan" : "fallback_plan";
    }, { targets: ["plan", "fallback_plan", "worker"] })
    .branch("fallback_plan", (state) => dispatch(state, crew), { targets: ["worker", "verify"] })
    .edge("worker", "collect")
    .branch("collect", (state) => dispatch(state, crew), { targets: ["worker", "verify"] })
    .edge("verify", "route")
    .branch("route", ({ routes }) => {
      const sends = routes.filter(({ strategy }) => strategy === "fallback").map((one) =>
        send("recover", one, { key: one.packetId })
      );
      return sends.length > 0 ? sends : "synthesize";
    }, { targets: ["recover", "synthesize"] })
    .edge("recover", "synthesize")
    .edge("synthesize", END)
    .compile({ stepCap: 100, deadlineMs: crew.deadlineMs });
}

/** Packets for every task that may start now; verification when none is left. */
function dispatch({ plan, reports }: State, crew: Crew): Send[] | "verify" {
  if (plan === null) return "verify";
  const ready = readyTasks(plan, reports);
  return ready.length === 0
    ? "verify"
    : ready.map((task) => send("worker", packetFor(task, crew, reports), { key: task.id }));
}

/** Reports for workers that the engine lost: they threw, or were cut off. */
function reportsOfLostWorkers(
  plan: Plan | null,
  reports: readonly Report[],
  failures: readonly NodeFailure[],
  now: number,
): Report[] {
  const reported = new Set(reports.map(({ packetId }) => packetId));
  return (plan?.tasks ?? []).flatMap((task) => {
    const failure = failures.find((one) => one.node === "worker" && one.task === task.id);
    if (failure === undefined || reported.has(task.id)) return [];
    const code = failure.code === "timeout" || failure.code === "cancelled" ? failure.code : "internal";
    return [unstartedReport(task, code, failure.detail, now)];
  });
}

function inPlanOrder(plan: Plan | null, reports: readonly Report[]): Report[] {
  const byPacket = new Map(reports.map((report) => [report.packetId, report]));
  return (plan?.tasks ?? []).flatMap(({ id }) => byPacket.get(id) ?? []);
}

/** How a run that came to no answer ended, as a failure. */
const ENDINGS: Readonly<Record<RunStatus, FailureCode>> = {
  done: "internal",
  step_cap: "internal",
  deadline: "timeout",
  cancelled: "cancelled",
};

/** Fills in what a run that ended early left open, so that the answer names it. */
function finish({ status, state, failures }: RunResult<typeof channels>, crew: Crew, now: number): State {
  const why = status === "deadline" ? `the run's ${crew.deadlineMs} ms were over` : `the run ended (${status})`;
  const lost = reportsOfLostWorkers(state.plan, state.reports, failures, now);
  const known = new Set([...state.reports, ...lost].map(({ packetId }) => packetId));
  const unstarted = (state.plan?.tasks ?? []).filter(({ id }) => !known.has(id))
    .map((task) => unstartedReport(task, "not_started", why, now));
  const verified = inPlanOrder(state.plan, [...state.reports, ...lost, ...unstarted]).map(verifyReport);
  const planFailure = state.plan === null
    ? { code: ENDINGS[status], detail: `there is no plan: ${why}` }
    : state.planFailure;
  return { ...state, verified: verified.map(({ report }) => report), planFailure };
}

function conclude({ verified, substitutes, dropped, planFailure }: State): Answer {
  return synthesize({ reports: verified, substitutes, dropped, ...(planFailure === null ? {} : { planFailure }) });
}

/** The span of a task: it stands in its superstep. */
function taskSpan(superstep: number, task: string): string {
  return childId(`run/s${superstep}`, task);
}

function planEvent({ outcome }: PlannerReply, attempt: number): { [key: string]: Json } {
  const common = {
    attempt,
    status: outcome.status,
    repairs: outcome.repairs.map((repair) => ({ ...repair })),
    dropped: outcome.dropped.map((task) => ({ ...task })),
  };
  return outcome.status === "reject"
    ? { ...common, reason: outcome.reason, code: outcome.failure.code, detail: outcome.failure.detail }
    : { ...common, tasks: outcome.plan.tasks };
}

function emitGraphEvent(event: GraphEvent, emit: Emit): void {
  switch (event.type) {
    case "superstep_start":
      return emit("superstep.start", `run/s${event.superstep}`, { tasks: [...event.tasks] });
    case "superstep_end":
      return emit("superstep.end", `run/s${event.superstep}`, { tasks: [...event.tasks] });
    case "task_start":
      return emit("task.start", taskSpan(event.superstep, event.task), { node: event.node });
    case "task_end":
      return emit("task.end", taskSpan(event.superstep, event.task), { node: event.node, outcome: event.outcome });
  }
}
