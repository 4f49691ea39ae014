/**
 * How long each piece of work took in the world: models thinking, servers answering, people deciding. What a subject does
 * between is not work of the world, and not in here.
 */
import { type Json, parentId } from "../../../core/mod.ts";
import { isWithin, type Task, tasksOf } from "../attempts.ts";
import { once } from "../once.ts";
import type { SeenCall, SeenPacket, TraceView } from "../view.ts";

/** A time of the cell's clock, and the event that it is from. */
interface Moment {
  readonly t: number;
  readonly seq: number;
}

/** A tool call, from the moment at which it was asked about or sent to its last word. Times in milliseconds. */
export interface CallWork {
  /** Where it was made. */
  readonly span: string;
  /** `server.tool`. */
  readonly tool: string;
  /** When it began. */
  readonly start: Moment;
  /** When it reached a server; `undefined` if it never did. */
  sent: Moment | undefined;
  /** When its reply came, it was called off or its connection ended; `undefined` if nothing of that happened. */
  end: Moment | undefined;
}

/** A model's turn, with the calls that it led to. */
export interface StepWork {
  /** Where it was asked. */
  readonly span: string;
  /** Who asked. */
  readonly agent: string;
  /** When. */
  readonly start: Moment;
  /** When in the first life of the subject, if there were more. */
  readonly begun: Moment;
  /** When the turn came, or the failure. */
  end: Moment | undefined;
  /** By their spans: of each, its last life. */
  readonly calls: Map<string, CallWork>;
}

/** An attempt at a task. */
export interface AttemptWork {
  /** The packet. */
  readonly packet: SeenPacket;
  /** In order. */
  readonly steps: readonly StepWork[];
  /** How long its world took, in milliseconds: see {@linkcode needOf}. */
  readonly ms: number;
}

/** A task with its attempts at work. */
export interface TaskWork extends Omit<Task, "attempts"> {
  /** In order. */
  readonly attempts: readonly AttemptWork[];
}

/** How long a hub waits for an answer where neither crew nor packet says, in milliseconds. */
const CALL_TIMEOUT_MS = 60_000;

/** Every model's turn, in order. After a kill a step that is asked for again replaces the one of the life before. */
export const stepsOf = once(({ trace: { events } }: Pick<TraceView, "trace">): readonly StepWork[] => {
  const steps = new Map<string, StepWork>();
  const open = new Map<string, Set<CallWork>>();
  for (const { side, type, span, seq, t, detail } of events) {
    if (side !== "world") continue;
    const now = { t, seq };
    if (type === "model.request") {
      const begun = steps.get(span)?.begun ?? now;
      steps.delete(span);
      steps.set(span, { span, agent: text(detail["agent"]), start: now, begun, end: undefined, calls: new Map() });
    } else if (type === "model.turn" || type === "model.error") {
      const step = steps.get(span);
      if (step !== undefined) step.end = now;
    } else if (type === "operator.request" || type === "server.request") {
      const calls = steps.get(parentId(span) ?? "")?.calls;
      if (calls === undefined) continue;
      const isSent = type === "server.request";
      const before = calls.get(span);
      const going = before !== undefined && before.end === undefined ? before : undefined;
      const tool = isSent ? `${server(detail)}.${text(detail["tool"])}` : text(detail["tool"]);
      const call = going ?? { span, tool, start: before?.start ?? now, sent: undefined, end: undefined };
      if (isSent) call.sent = now;
      calls.set(span, call);
      if (isSent) open.set(server(detail), (open.get(server(detail)) ?? new Set()).add(call));
    } else if (type === "operator.decision" || type === "server.reply" || type === "server.cancelled") {
      const call = steps.get(parentId(span) ?? "")?.calls.get(span);
      if (call === undefined) continue;
      call.end = now;
      if (type !== "operator.decision") open.get(server(detail))?.delete(call);
    } else if (type === "server.close") {
      for (const call of open.get(server(detail)) ?? []) call.end = now;
      open.delete(server(detail));
    }
  }
  return [...steps.values()];
});

const text = (value: Json | undefined): string => typeof value === "string" ? value : "";
const server = ({ server }: SeenDetail): string => text(server);
type SeenDetail = TraceView["trace"]["events"][number]["detail"];

/** Every task that was handed over, with its work. */
export const workOf = once((view: TraceView): readonly TaskWork[] => {
  const byWork = Map.groupBy(stepsOf(view), ({ span }) => parentId(span) ?? span);
  return tasksOf(view).map(({ attempts, ...task }) => ({
    ...task,
    attempts: attempts.map((packet, i): AttemptWork => {
      const own = byWork.get(packet.span) ?? [];
      return { packet, steps: own, ms: needOf(own, packet, i === 0, view) };
    }),
  }));
});

/**
 * How long an attempt has to take, in milliseconds: turn by turn, the model, and then the longest of the calls that it led
 * to, which might all have run at once. What has no end, and what went on beyond its limit, counts as its limit: a call
 * the specialist's `callTimeoutMs`, the attempt its deadline.
 */
function needOf(steps: readonly StepWork[], { packet }: SeenPacket, isFirst: boolean, view: TraceView): number {
  const { callMs, deadlineMs } = limitsOf(packet.recipient, view);
  const most = (isFirst ? deadlineMs : undefined) ?? packet.deadlineMs ?? Infinity;
  const over = view.trace.events.at(-1)?.t ?? 0;
  let sum = 0;
  for (const { start, end, calls } of steps) {
    sum += (end?.t ?? over) - start.t;
    let longest = 0;
    for (const call of calls.values()) longest = Math.max(longest, callNeed(call, callMs));
    sum += longest;
  }
  return Math.min(round(sum), most);
}

/** A person's time has no limit of a call's. */
function callNeed({ start, sent, end }: CallWork, most: number): number {
  const asked = (sent ?? end ?? start).t - start.t;
  return asked + (sent === undefined ? 0 : Math.min((end?.t ?? Infinity) - sent.t, most));
}

/** How long a specialist's calls and attempts may take, in milliseconds. */
export function limitsOf(
  name: string,
  { trace: { crew } }: Pick<TraceView, "trace">,
): { readonly callMs: number; readonly deadlineMs: number | undefined } {
  const own = crew.specialists.find((one) => one.name === name);
  return { callMs: own?.callTimeoutMs ?? CALL_TIMEOUT_MS, deadlineMs: own?.deadlineMs };
}

/** First and last event of an attempt's world; `undefined` if its model was never asked. */
export function boundsOf({ steps }: AttemptWork): { readonly first: Moment; readonly last: Moment } | undefined {
  const [one] = steps;
  if (one === undefined) return undefined;
  let last = one.start;
  for (const { start, end, calls } of steps) {
    for (const moment of [start, end, ...[...calls.values()].flatMap((call) => [call.sent, call.end])]) {
      if (moment !== undefined && moment.seq > last.seq) last = moment;
    }
  }
  return { first: one.begun, last };
}

/**
 * The attempts whose work went into nothing: of a task that was met, by the answer's live sections, all but the last one;
 * of one that was not, all but the first, which nobody could have spared.
 */
export function unusedAttempts({ attempts }: TaskWork, { answer }: Pick<TraceView, "answer">): readonly AttemptWork[] {
  const last = attempts.at(-1);
  const isMet = answer?.sections.some(({ worker, provenance }) =>
    worker === last?.packet.packet.recipient && provenance.kind === "live"
  );
  return isMet ? attempts.slice(0, -1) : attempts.slice(1);
}

/** Calls of an attempt that reached a server. */
export function callsIn({ packet: { span } }: AttemptWork, { calls }: Pick<TraceView, "calls">): SeenCall[] {
  return calls.filter((call) => isWithin(call.span, span));
}

/** Milliseconds, to the microsecond that the trace is exact to. */
export function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
