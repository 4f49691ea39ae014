/**
 * The peer graph: triage → agent → agent → …, and from the last one to the answer.
 *
 * One agent has control. It reports, or hands control to another and does not get it back. Nobody supervises: the answer
 * is rendered from the reports of all who had control, and from every handoff that did not take place.
 */
import { childId, type Failure, type FailureCode } from "../../core/mod.ts";
import { type MeterLimits, NO_USAGE } from "../budget/meter.ts";
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
  send,
  START,
  type StateOf,
} from "../engine/mod.ts";
import { type Emit, quiet } from "../observe.ts";
import type { KeptRun } from "../subjects/subject.ts";
import { cachedReport } from "../supervisor/route.ts";
import type { Checked } from "../supervisor/state.ts";
import type { Answer, Report } from "../types.ts";
import { type ControlTools, haveControl } from "./control.ts";
import { Desk } from "./desk.ts";
import { type Asked, ENTRY, MAX_HANDOFFS, type Refused } from "./handoff.ts";
import { answerOf, failedReport, standInFor, undone } from "./outcome.ts";
import { packetId } from "./packets.ts";
import { askTriage, type Entry } from "./triage.ts";
import { turnsIn } from "./turn.ts";

/** What peers work with. */
export interface PeerTools extends ControlTools {
  /** Calls the whole run off. */
  readonly signal: AbortSignal;
  /** Where the run is kept. */
  readonly kept?: KeptRun;
}

const channels = {
  request: lastValue(""),
  entry: lastValue<Entry>({ usage: NO_USAGE }),
  /** Handoffs that were accepted. The n-th of them is packet `h<n>`, and its report the n-th report. */
  accepted: append<Asked>(),
  refused: append<Refused>(),
  checked: append<Checked>(),
  substitutes: append<Report>(),
  answer: lastValue<Answer | null>(null),
};

type State = StateOf<typeof channels>;

/**
 * Answers a request with a crew of peers. Never throws for what models, agents or servers do: whatever ends the run
 * early, the answer says what is missing.
 */
export async function peers(request: string, tools: PeerTools): Promise<Answer> {
  const { clock, signal, crew, kept } = tools;
  let over = false;
  const told = quiet(tools.emit);
  // An agent that was cut off ends a little later than the run: what it does then is no part of the run.
  const emit: Emit = (type, span, detail) => {
    if (!over) told(type, span, detail);
  };
  const table = build({ ...tools, emit, turns: turnsIn(kept?.log) });
  const options = {
    clock,
    signal,
    onEvent: (event: GraphEvent) => emitGraphEvent(event, emit),
    ...(kept === undefined ? {} : { checkpointer: kept.checkpointer }),
  };
  const result = kept?.isResumed === true && await kept.checkpointer.load(kept.runId) !== undefined
    ? await table.resume(kept.runId, options)
    : await table.run({ request }, { ...options, ...(kept === undefined ? {} : { runId: kept.runId }) });
  let { answer } = result.state;
  if (answer === null) {
    answer = conclude(finish(result, crew, clock.now()), clock.now());
    emit("answer", "run", { answer });
  }
  over = true;
  return answer;
}

function build(tools: PeerTools) {
  const { crew, model, clock, emit } = tools;
  return graph(channels)
    .node("triage", async ({ request }, { task, superstep, signal }) => {
      const desk = new Desk({ from: ENTRY, specialists: crew.specialists, past: [], emit });
      const span = taskSpan(superstep, task);
      const entry = await askTriage(request, { desk, model, emit, limits: limitsOf(crew) }, span, signal);
      const first = desk.accepted ?? fallbackHandoff(crew);
      if (entry.failure !== undefined) {
        const tasks = first === undefined
          ? []
          : [{ id: packetId(1), specialist: first.to, objective: first.objective }];
        emit("plan.fallback", span, { tasks, code: entry.failure.code });
      }
      return { entry, accepted: first === undefined ? [] : [first], refused: desk.refused };
    })
    .node("agent", async (state, { task, superstep, signal }) => {
      const { checked, accepted, refused } = await haveControl(state, tools, taskSpan(superstep, task), signal);
      // Cut off: nobody will read this report, and the answer must not be contradicted by it.
      signal.throwIfAborted();
      return { checked: [checked], accepted, refused };
    })
    .node("recover", ({ checked }, { task, superstep }) => {
      const span = taskSpan(superstep, task);
      const substitutes = checked.flatMap(({ report }) => {
        if (report.failure === undefined) return [];
        const fallback = standInFor(report, crew);
        const { packetId, worker, failure: { code } } = report;
        emit("route", span, {
          packetId,
          worker,
          code,
          strategy: fallback === undefined ? "disclose" : "fallback",
          attempt: 1,
        });
        if (fallback === undefined) return [];
        const substitute = cachedReport(report, fallback, clock.now());
        emit("report", span, { report: substitute });
        return [substitute];
      });
      return { substitutes };
    })
    .node("synthesize", (state, { task, superstep, failures }) => {
      const answer = conclude(withLost(state, failures, clock.now()), clock.now());
      emit("answer", taskSpan(superstep, task), { answer });
      return { answer };
    })
    .edge(START, "triage")
    .branch("triage", next, { targets: ["agent", "recover"] })
    .branch("agent", next, { targets: ["agent", "recover"] })
    .edge("recover", "synthesize")
    .edge("synthesize", END)
    .compile({ stepCap: MAX_HANDOFFS + 4, deadlineMs: crew.deadlineMs });
}

/** Whoever has been handed control and has not had it yet; the answer, once there is nobody. */
function next({ accepted, checked }: State, { failures }: { readonly failures: readonly NodeFailure[] }) {
  const isLost = failures.some(({ node }) => node === "agent");
  return accepted.length > checked.length && !isLost
    ? send("agent", accepted.length, { key: packetId(accepted.length) })
    : "recover";
}

function limitsOf({ budget: { tokens, costUsd } = {} }: Crew): MeterLimits {
  return {
    ...(tokens === undefined ? {} : { maxTokens: tokens }),
    ...(costUsd === undefined ? {} : { maxCostUsd: costUsd }),
  };
}

/** The crew's own beginning, for a first agent that hands control to nobody. */
function fallbackHandoff({ fallbackPlan: [first] }: Crew): Asked | undefined {
  return first && { from: ENTRY, to: first.specialist, objective: first.objective, inputs: {} };
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
  return withLost(state, failures, now, { code: ENDINGS[status], detail: why });
}

/** The state with a report for whoever had control and gave none: it threw, or was cut off. */
function withLost(state: State, failures: readonly NodeFailure[], now: number, end?: Failure): State {
  const { accepted, checked, entry } = state;
  const thrown = failures.find(({ node }) => node === "agent" || node === "triage");
  const why = end ?? thrown ?? { code: "internal", detail: "it gave no report" };
  const code = why.code === "timeout" || why.code === "cancelled" ? why.code : "internal";
  const failure: Failure = { code, detail: why.detail };
  if (accepted.length === 0) return entry.failure === undefined ? { ...state, entry: { ...entry, failure } } : state;
  const open = accepted[checked.length];
  if (open === undefined) return state;
  const { to: worker, objective } = open;
  const lost = failedReport({ worker, packetId: packetId(checked.length + 1), objective }, failure, now);
  return { ...state, checked: [...checked, { report: lost, unconfirmed: [] }] };
}

function conclude({ entry, accepted, refused, checked, substitutes }: State, now: number): Answer {
  const about = { worker: ENTRY, packetId: ENTRY, objective: "Hand control to a specialist." };
  const first = entry.failure === undefined ? [] : [failedReport(about, entry.failure, now)];
  const told = checked.filter(({ report: { findings, failure } }) => findings.length > 0 || failure !== undefined);
  const lost = undone(refused, accepted, checked.map(({ report }) => report), now);
  const alone = (report: Report): Checked => ({ report, unconfirmed: [] });
  return answerOf([...first.map(alone), ...told, ...lost.map(alone)], substitutes);
}

/** The span of a task: it stands in its superstep. */
function taskSpan(superstep: number, task: string): string {
  return childId(`run/s${superstep}`, task);
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
