/**
 * The supervisor graph: plan → worker* → collect → verify → route → (worker again | recover)* → … → synthesize.
 *
 * It gets reports, never transcripts. What it decides it decides by status and failure code.
 */
import { type Clock, deadline, digest, type Failure, type FailureCode, sleep } from "../../core/mod.ts";
import { addUsage } from "../budget/meter.ts";
import { Report as ReportSchema } from "../contracts.ts";
import { Journal } from "../journal.ts";
import type { Answer, Report } from "../types.ts";
import type { Crew } from "../crews/crew.ts";
import { END, graph, type NodeFailure, type RunResult, type RunStatus, type Send, send, START } from "../engine/mod.ts";
import type { ToolHub } from "../hub/mod.ts";
import type { Model } from "../models/model.ts";
import { type Emit, quiet } from "../observe.ts";
import type { Operator, User } from "../people.ts";
import type { KeptRun } from "../subjects/subject.ts";
import { askPlanner } from "../planner/planner.ts";
import { runWorker } from "../worker/worker.ts";
import { attemptsAt, partsOf } from "./attempts.ts";
import { resolvedFacts } from "./clarify.ts";
import { uncovered } from "./coverage.ts";
import { type Dispatch, dispatch, leftIn, shortageEvent } from "./dispatch.ts";
import { emitGraphEvent, planEvent, routeEvent, taskSpan } from "./events.ts";
import { messagesIn } from "./messages.ts";
import { fallbackPlan, specialistOf, unstartedReport } from "./packets.ts";
import { recover } from "./recover.ts";
import { decideAll } from "./round.ts";
import { channels, type Checked, type Decision, type Outgoing, type State } from "./state.ts";
import { summarize } from "./summary.ts";
import { synthesize } from "./synthesize.ts";
import { verdictEvent, verifyReport } from "./verify.ts";

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
  /** Told of each step. What it throws is ignored. */
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
/** How long the synthesizer may take, in milliseconds: its summary is worth no more. */
const SUMMARY_MS = 10_000;
/** Far more than any run needs: rounds are limited by the plan's length and by the crew's recovery. */
const STEP_CAP = 1000;

/**
 * Answers a request with a crew. Never throws for what models, workers or servers do: whatever ends the run early, the
 * answer says what is missing.
 */
export async function supervise(request: string, tools: SupervisorTools): Promise<Answer> {
  const { clock, signal, crew, kept } = tools;
  const tell = quiet(tools.emit);
  let over = false;
  // A worker that was cut off ends a little later than the run: what it does then is no part of the run.
  const emit: Emit = (type, span, detail) => {
    if (!over) tell(type, span, detail);
  };
  const under: UnderWay = { running: new Set(), cut: [] };
  const desk = build({ ...tools, emit }, under);
  const options = {
    clock,
    signal,
    onEvent: (event: Parameters<typeof emitGraphEvent>[0]) => emitGraphEvent(event, emit),
  };
  const start = { request, startedAt: clock.now() };
  const result = kept === undefined
    ? await desk.run(start, options)
    : kept.isResumed && await kept.checkpointer.load(kept.runId) !== undefined
    ? await desk.resume(kept.runId, { ...options, checkpointer: kept.checkpointer })
    : await desk.run(start, { ...options, checkpointer: kept.checkpointer, runId: kept.runId });
  // Calls of workers that were cut off are called off now; the answer waits for that, and for nothing that takes time.
  if (under.running.size > 0) await drained(under.running, clock);
  let { answer } = result.state;
  if (answer === null) {
    const state = finish(result, under.cut, crew, clock.now());
    answer = conclude(state, crew);
    emit("usage", "run", usageIn(state));
    emit("answer", "run", { answer });
  }
  over = true;
  return answer;
}

/** The workers of a run. */
interface UnderWay {
  /** Those that have not ended. */
  readonly running: Set<Promise<unknown>>;
  /** Reports of those that the run's end cut off. */
  readonly cut: Report[];
}

/** Waits until all have ended, but only for as long as that takes no time of the clock: some may be deaf. */
async function drained(running: ReadonlySet<Promise<unknown>>, clock: Clock): Promise<void> {
  const enough = new AbortController();
  const instant = sleep(clock, 0, enough.signal).catch(() => {});
  await Promise.race([Promise.allSettled(running), instant]);
  enough.abort();
}

function build(tools: SupervisorTools, { running, cut }: UnderWay) {
  const { crew, model, hub, clock, emit, operator, user } = tools;
  const reported = new Journal(tools.kept?.log, "supervisor.reports", ReportSchema);
  const limitsOf = (state: State) => {
    const { tokens, costUsd } = leftIn(state, crew);
    return {
      ...(tokens === Infinity ? {} : { maxTokens: tokens }),
      ...(costUsd === Infinity ? {} : { maxCostUsd: costUsd }),
    };
  };
  /** The update of a dispatch; its events are told. */
  const sent = ({ outbox, unstarted, shortages }: Dispatch, span: string) => {
    for (const shortage of shortages) emit("budget", span, shortageEvent(shortage));
    return { outbox, packets: outbox.map(({ packet }) => packet), reports: unstarted };
  };
  const firstOf = (state: State, span: string) => {
    const input = { crew, reports: [], again: [], pending: new Set<string>() };
    return sent(dispatch({ ...input, plan: state.plan, left: leftIn(state, crew), now: clock.now() }), span);
  };
  return graph(channels)
    .node("plan", async (state, { task, superstep, signal }) => {
      const { request, replies } = state;
      const span = taskSpan(superstep, task);
      const last = replies.at(-1);
      const rejected = last?.outcome.status === "reject"
        ? { reply: last.reply, failure: last.outcome.failure }
        : undefined;
      const input = { request, crew, servers: hub.servers(), limits: limitsOf(state) };
      const reply = await askPlanner(model, rejected === undefined ? input : { ...input, rejected }, span, signal);
      emit("plan", span, planEvent(reply, replies.length + 1));
      const { outcome } = reply;
      if (outcome.status === "reject") return { replies: [reply] };
      const { plan, dropped } = outcome;
      const first = firstOf({ ...state, plan, replies: [...replies, reply] }, span);
      return { replies: [reply], plan, dropped, ...first };
    })
    .node("fallback_plan", (state, { task, superstep }) => {
      const outcome = state.replies.at(-1)?.outcome;
      const failure: Failure = outcome?.status === "reject"
        ? outcome.failure
        : { code: "internal", detail: "the planner could not be asked" };
      const plan = fallbackPlan(crew);
      const span = taskSpan(superstep, task);
      emit("plan.fallback", span, { tasks: plan.tasks, code: failure.code });
      const dropped = outcome?.dropped ?? [];
      return { plan, dropped, planFailure: failure, ...firstOf({ ...state, plan }, span) };
    })
    .node("worker", async ({ verified }, { payload, task, superstep, signal }) => {
      const { packet, delayMs } = payload as Outgoing; // `sends` sends nothing else
      const span = taskSpan(superstep, task);
      const before = reported.find(span);
      if (before !== undefined) return { reports: [before] };
      if (delayMs > 0) await sleep(clock, delayMs, signal);
      emit("packet", span, { packet, hash: digest(packet) });
      const known = verified.map(({ report }) => report);
      for (const message of messagesIn(packet, known)) emit("message", span, { ...message });
      using limit = deadline(clock, crew.superstepMs, signal);
      const specialist = specialistOf(packet.recipient, crew);
      const work = runWorker(packet, { model, hub, clock, emit, specialist }, span, limit.signal);
      running.add(work);
      const report = await work;
      running.delete(work);
      // Cut off: nobody will be told of this report, and the answer must not be contradicted by it.
      if (signal.aborted) cut.push(report);
      signal.throwIfAborted();
      reported.keep(span, report);
      emit("report", span, { report });
      return { reports: [report] };
    })
    .node(
      "collect",
      ({ outbox, reports }, { failures }) => ({ reports: lostReports(outbox, reports, failures, clock.now()) }),
    )
    .node("verify", ({ reports, verified, packets }, { task, superstep }) => {
      const checked = reports.slice(verified.length).map((report) => verifyReport(report, inputsOf(report, packets)));
      for (const { verdict } of checked) emit("verify", taskSpan(superstep, task), verdictEvent(verdict));
      return { verified: checked.map(({ report, unconfirmed }): Checked => ({ report, unconfirmed })) };
    })
    .node("route", (state, { task, superstep }) => {
      const span = taskSpan(superstep, task);
      const now = clock.now();
      const people = { hasOperator: operator !== undefined, hasUser: user !== undefined };
      const round = decideAll(state, { crew, left: leftIn(state, crew), now, ...people });
      for (const decision of round.decisions) emit("route", span, routeEvent(decision));
      return { decisions: round.decisions, actions: round.actions, ...sent(round.dispatch, span) };
    })
    .node("recover", async (state, { payload, task, superstep, signal }) => {
      const decision = payload as Decision; // `sends` sends nothing else
      const { packetId } = decision;
      const failed = attemptsAt(packetId, state.verified.map(({ report }) => report)).at(-1);
      const owner = state.plan?.tasks.find(({ id }) => id === packetId)?.specialist;
      if (failed === undefined || owner === undefined) return {};
      const packet = state.packets.findLast(({ id }) => id === packetId);
      const tools = { crew, operator, user, facts: resolvedFacts(state.plan), now: () => clock.now() };
      const { substitute, clarification } = await recover(decision, failed, packet, owner, tools, signal);
      if (substitute !== undefined) emit("report", taskSpan(superstep, task), { report: substitute });
      return {
        ...(substitute === undefined ? {} : { substitutes: [substitute] }),
        ...(clarification === undefined ? {} : { clarifications: [clarification] }),
      };
    })
    .node("summarize", async (state, { task, superstep, signal }) => {
      const draft = conclude(state, crew);
      if (draft.sections.length === 0) return {};
      const span = taskSpan(superstep, task);
      using limit = deadline(clock, SUMMARY_MS, signal);
      try {
        const { text, usage, event } = await summarize(model, draft, limitsOf(state), span, limit.signal);
        emit("summary", span, event);
        return { summaryUsage: [usage], ...(text === undefined ? {} : { summary: text }) };
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        emit("summary", span, { code: "timeout", kept: 0, dropped: [] });
        return {};
      }
    })
    .node("synthesize", (state, { task, superstep }) => {
      const answer = conclude(state, crew);
      emit("usage", "run", usageIn(state));
      emit("answer", taskSpan(superstep, task), { answer });
      return { answer };
    })
    .edge(START, "plan")
    .branch("plan", (state) => {
      if (state.plan !== null) return sends(state) ?? "collect";
      const refused = state.replies.at(-1)?.outcome;
      const worthAsking = refused?.status === "reject" && refused.failure.code === "plan_malformed";
      return worthAsking && state.replies.length < MAX_PLANNER_REPLIES ? "plan" : "fallback_plan";
    }, { targets: ["plan", "fallback_plan", "worker", "collect"] })
    .branch("fallback_plan", (state) => sends(state) ?? "collect", { targets: ["worker", "collect"] })
    .edge("worker", "collect")
    .edge("recover", "collect")
    .edge("collect", "verify")
    .edge("verify", "route")
    .branch("route", (state) => {
      const next = sends(state);
      if (next !== undefined) return next;
      if (state.reports.length > state.verified.length) return "verify";
      return crew.synthesizer === true ? "summarize" : "synthesize";
    }, { targets: ["worker", "recover", "verify", "summarize", "synthesize"] })
    .edge("summarize", "synthesize")
    .edge("synthesize", END)
    .compile({ stepCap: STEP_CAP, deadlineMs: crew.deadlineMs });
}

/** What has been decided to be done at once; `undefined` if nothing is. */
function sends({ outbox, actions }: State): Send[] | undefined {
  const all = [
    ...outbox.map((one) => send("worker", one, { key: one.packet.id })),
    ...actions.map((one) => send("recover", one, { key: one.packetId })),
  ];
  return all.length === 0 ? undefined : all;
}

/** What the packet of a report had told its worker. */
function inputsOf({ packetId }: Report, packets: State["packets"]) {
  return packets.findLast(({ id }) => id === packetId)?.inputs ?? {};
}

/** Reports for workers that the engine lost: they threw, or were cut off. */
function lostReports(
  outbox: readonly Outgoing[],
  reports: readonly Report[],
  failures: readonly NodeFailure[],
  now: number,
): Report[] {
  return outbox.flatMap(({ packet: { id, recipient, objective, attempt = 1 } }) => {
    if (attemptsAt(id, reports).length >= attempt) return [];
    const failure = failures.findLast((one) => one.node === "worker" && one.task === id);
    if (failure === undefined) return [];
    const code = failure.code === "timeout" || failure.code === "cancelled" ? failure.code : "internal";
    return [unstartedReport({ id, specialist: recipient, objective }, code, failure.detail, now)];
  });
}

/** What all model calls of a run have used. */
function usageIn({ replies, reports, summaryUsage }: State) {
  return { ...addUsage(...[...replies, ...reports].map(({ usage }) => usage), ...summaryUsage) };
}

/** What the absence of a plan is called, by what ended the run. */
const ENDINGS: Readonly<Record<RunStatus, FailureCode>> = {
  deadline: "timeout",
  cancelled: "cancelled",
  step_cap: "internal",
  done: "internal",
};

/**
 * Fills in what a run that ended early left open, so that the answer names it.
 *
 * @param cut Reports of workers that the run's end cut off. It is not read what they have found; but what they used
 * counts, and what they have done, or may have, is said.
 */
function finish(
  { status, state, failures }: RunResult<typeof channels>,
  cut: readonly Report[],
  crew: Crew,
  now: number,
): State {
  const why = status === "deadline" ? `the run's ${crew.deadlineMs} ms were over` : `the run ended (${status})`;
  const lost = lostReports(state.outbox, state.reports, failures, now).map((report): Report => {
    const own = cut.find(({ packetId }) => packetId === report.packetId);
    if (own === undefined) return report;
    const unknown = own.failure?.code === "outcome_unknown" ? { failure: own.failure } : {};
    const effects = own.effects === undefined ? {} : { effects: own.effects };
    return { ...report, usage: own.usage, startedAt: own.startedAt, ...unknown, ...effects };
  });
  const known = new Set([...state.reports, ...lost].map(({ packetId }) => packetId));
  const unstarted = (state.plan?.tasks ?? []).filter(({ id }) => !known.has(id))
    .map((task) => unstartedReport(task, "not_started", why, now));
  const open = [...state.reports.slice(state.verified.length), ...lost, ...unstarted];
  const verified = open.map((report): Checked => {
    const checked = verifyReport(report, inputsOf(report, state.packets));
    return { report: checked.report, unconfirmed: checked.unconfirmed };
  });
  const planFailure = state.plan === null
    ? { code: ENDINGS[status], detail: `there is no plan: ${why}` }
    : state.planFailure;
  const reports = [...state.reports, ...lost, ...unstarted];
  return { ...state, reports, verified: [...state.verified, ...verified], planFailure };
}

function conclude(state: State, crew: Crew): Answer {
  const { plan, verified, substitutes, dropped, planFailure, summary } = state;
  return synthesize({
    parts: partsOf(plan, verified),
    substitutes,
    dropped,
    uncovered: leftOut(state),
    ...(planFailure === null ? {} : { planFailure }),
    ...(summary === null ? {} : { summary }),
    ...(crew.order === undefined ? {} : { order: crew.order }),
  });
}

/** What the planner's plan leaves out of the request. A plan that is not the planner's says itself that it may. */
function leftOut({ request, plan, replies, dropped, planFailure }: State): string[] {
  if (plan === null || planFailure !== null) return [];
  const outcome = replies.at(-1)?.outcome;
  const repeated = outcome === undefined || outcome.status === "reject" ? [] : outcome.repeated ?? [];
  return uncovered(request, plan, { dropped, repeated });
}
