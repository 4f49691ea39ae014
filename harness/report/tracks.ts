/** What each agent of a cell did when, read from its trace. */
import { type Json, parentId } from "../../core/mod.ts";
import { makespan } from "../score/latency.ts";
import { shownIn } from "../score/shown.ts";
import type { Trace, TraceEvent } from "../trace/event.ts";
import type { WorkerRow } from "./report.ts";
import { workerRows } from "./report.ts";

/** Something that happened at one moment. */
export type MarkKind = "turn" | "answered" | "failed" | "fault" | "deadline";

/** One row of a timeline: the planner, or one packet. Positions are those of {@linkcode Tracks}. */
export interface Track {
  /** The agent's name, and the packet's where it differs. */
  readonly label: string;
  /** Where its work began and ended; not there for work that was never begun. */
  readonly bar?: { readonly from: number; readonly to: number };
  /** In no particular order. */
  readonly marks: readonly { readonly at: number; readonly kind: MarkKind }[];
  /** Stretches in which a tool call was under way. */
  readonly calling: readonly { readonly from: number; readonly to: number }[];
  /** Model turns. */
  readonly steps: number;
  /** Tool calls, and how many of them failed; not there where nobody can tell whose calls they are. */
  readonly calls?: { readonly made: number; readonly failed: number };
  /** Status of the report, or why there is none. */
  readonly status: string;
  /** Failure code. */
  readonly code?: string;
}

/** All rows of a cell. Positions run from 0 to `length`. */
export interface Tracks {
  /** Milliseconds of the cell's clock, or, where all happened at one instant, numbers of events. */
  readonly unit: "ms" | "events";
  /** From the run's start to its end; at least 1. */
  readonly length: number;
  /** In the order in which they began, those that never began last. */
  readonly tracks: readonly Track[];
}

/** Reads the rows of a cell: whoever asked a model outside a packet (the planner), each packet, what was never begun. */
export function readTracks(trace: Trace): Tracks {
  const { events } = trace;
  const settled = events.findLast(({ type }) => type === "run.settled") ?? events.at(-1);
  const start = events.find(({ type }) => type === "run.start")?.t ?? 0;
  const took = makespan({ trace }) ?? (settled?.t ?? start) - start;
  const unit = took > 0 ? "ms" : "events";
  const length = Math.max(took > 0 ? took : settled?.seq ?? 0, 1);
  const place = ({ t, seq }: TraceEvent) => Math.min(length, Math.max(0, unit === "ms" ? t - start : seq));
  const groups = groupByOwner(events);
  const reports = workerRows(trace);
  const attributed = shownIn(trace).has("agents");
  const whole: Whole = { events, reports, length, place, unit, attributed };
  const begun = [...groups].map(([owner, own]) => readTrack(owner, own, whole));
  return { unit, length, tracks: [...begun, ...neverBegun(trace, new Set(begun.map(({ label }) => label)))] };
}

interface Whole {
  readonly events: readonly TraceEvent[];
  readonly reports: readonly WorkerRow[];
  readonly length: number;
  readonly place: (event: TraceEvent) => number;
  readonly unit: Tracks["unit"];
  /** Whether it is known who makes a call. */
  readonly attributed: boolean;
}

/** The events below each packet's span, and those below the model requests of each agent that has no packet. */
function groupByOwner(events: readonly TraceEvent[]): Map<string, TraceEvent[]> {
  const owners = new Map<string, string>();
  const groups = new Map<string, TraceEvent[]>();
  for (const event of events) {
    const { type, span, detail } = event;
    if (type === "packet") owners.set(span, `packet:${span}`);
    let owner: string | undefined;
    for (let at: string | undefined = span; at !== undefined && owner === undefined; at = parentId(at)) {
      owner = owners.get(at);
    }
    if (owner === undefined && type === "model.request") {
      owner = `agent:${text(detail["agent"])}`;
      owners.set(span, owner);
    }
    if (owner === undefined) continue;
    const group = groups.get(owner);
    if (group === undefined) groups.set(owner, [event]);
    else group.push(event);
  }
  return groups;
}

function readTrack(owner: string, own: readonly TraceEvent[], whole: Whole): Track {
  const { place, length, reports } = whole;
  const packet = own.find(({ type }) => type === "packet");
  const given = packet === undefined ? {} : record(packet.detail["packet"]);
  const [worker, id] = [text(given["recipient"]), text(given["id"])];
  const attempt = typeof given["attempt"] === "number" ? ` #${given["attempt"]}` : "";
  const label = packet === undefined
    ? owner.slice("agent:".length)
    : `${worker === id ? worker : `${worker} ${id}`}${attempt}`;
  const report = packet === undefined ? undefined : own.find(({ type }) => type === "report");
  const row = report === undefined ? undefined : rowOf(report, id, reports);
  const [first, last] = [own[0], own.at(-1)];
  const end = packet === undefined || own.some(({ type }) => type === "report" || type === "task.end");
  const bar = { from: first === undefined ? 0 : place(first), to: last === undefined || !end ? length : place(last) };
  const calls = readCalls(own, place, bar.to);
  const limit = given["deadlineMs"];
  const deadline = typeof limit === "number" && whole.unit === "ms" ? bar.from + limit : Infinity;
  const turns = own.filter(({ type }) => type === "model.turn");
  const broken = own.filter(({ type }) => type === "model.error");
  const code = row === undefined ? lostCode(packet, id, broken, whole.events) : row.code;
  return {
    label,
    bar,
    marks: [
      ...turns.map((event) => ({ at: place(event), kind: "turn" as const })),
      ...own.filter(({ type }) => type === "server.fault" || type === "model.fault").map((event) => ({
        at: place(event),
        kind: "fault" as const,
      })),
      ...broken.map((event) => ({ at: place(event), kind: "failed" as const })),
      ...calls.map(({ to, failed }) => ({ at: to, kind: failed ? "failed" as const : "answered" as const })),
      ...(deadline <= bar.to ? [{ at: deadline, kind: "deadline" as const }] : []),
    ],
    calling: calls,
    steps: turns.length,
    ...(whole.attributed || calls.length > 0
      ? { calls: { made: calls.length, failed: calls.filter(({ failed }) => failed).length } }
      : {}),
    status: row?.status ?? (packet !== undefined ? "no report" : code === undefined ? "ok" : "failed"),
    ...(code === undefined ? {} : { code }),
  };
}

/** The row of a packet's report; of a further attempt it is the report itself that says how it ended. */
function rowOf(
  { detail }: TraceEvent,
  id: string,
  rows: readonly WorkerRow[],
): { readonly status: string; readonly code?: string } | undefined {
  const own = rows.filter((one) => one.packet === id && one.provenance === "live");
  if (own.length === 1) return own[0];
  const report = record(detail["report"]);
  const { code } = record(report["failure"]);
  return { status: text(report["status"]), ...(typeof code === "string" ? { code } : {}) };
}

/** Each call by its span: from the first that is known of it to its end, by the world's word where there is one. */
function readCalls(own: readonly TraceEvent[], place: Whole["place"], end: number) {
  const calls = new Map<string, { from: number; to: number; failed: boolean; ended: boolean }>();
  for (const event of own) {
    const { type, span, detail } = event;
    if (type === "call.start" || type === "server.request") {
      if (!calls.has(span)) calls.set(span, { from: place(event), to: end, failed: true, ended: false });
    }
    const call = calls.get(span);
    if (call === undefined) continue;
    if (type === "server.reply" || type === "server.cancelled") {
      Object.assign(call, { to: place(event), failed: detail["isError"] !== false, ended: true });
    } else if (type === "call.end") {
      // A result may be an error inside, and a refused call never reaches a server: only the caller can say so.
      const failed = typeof detail["code"] === "string";
      Object.assign(call, call.ended ? { failed: call.failed || failed } : { to: place(event), failed, ended: true });
    }
  }
  return [...calls.values()];
}

/** The code of an agent that gave no report: what its route names, or what its model or plan failed with. */
function lostCode(
  packet: TraceEvent | undefined,
  id: string,
  broken: readonly TraceEvent[],
  events: readonly TraceEvent[],
): string | undefined {
  const source = packet === undefined
    ? events.find(({ type }) => type === "plan.fallback")
    : events.find(({ type, detail }) => type === "route" && detail["packetId"] === id);
  const code = (source ?? broken.at(-1))?.detail["code"];
  return typeof code === "string" ? code : undefined;
}

/** What the answer names and no row shows: tasks for specialists that do not exist, tasks that were never begun. */
function neverBegun({ events }: Trace, shown: ReadonlySet<string>): Track[] {
  const failures = record(events.findLast(({ type }) => type === "run.end")?.detail["answer"])["failures"];
  const names = [...shown].map((label) => label.split(" ")[0]);
  return (Array.isArray(failures) ? failures : []).map(record)
    .filter(({ specialist }) => !names.includes(text(specialist)))
    .map(({ specialist, code }) => ({
      label: text(specialist),
      marks: [],
      calling: [],
      steps: 0,
      calls: { made: 0, failed: 0 },
      status: "never ran",
      ...(typeof code === "string" ? { code } : {}),
    }));
}

const text = (value: Json | undefined): string => typeof value === "string" ? value : "";
/** Own members of an object, and none of anything else. */
const record = (value: Json | undefined): { readonly [key: string]: Json | undefined } =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
