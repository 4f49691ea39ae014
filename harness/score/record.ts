/**
 * Whether an answer agrees with the world's record, whatever was to be expected: who came to nothing is named, who did
 * their part is not, and nothing is complete of which somebody saw nothing.
 *
 * The record is that of model endpoint and servers. It knows what was asked, what was answered and what faults struck, and
 * not what anybody thought of it.
 */
import { parentId } from "../../core/mod.ts";
import type { TraceEvent } from "../trace/event.ts";
import { type Check, check, unanswered } from "./check.ts";
import { failureLines, ownWords } from "./prose.ts";
import { isFailedResult } from "./result_shape.ts";
import type { TraceView } from "./view.ts";

/** A tool call, and whether it came to something: a reply came that is no error, by its flag or by its shape. */
interface Done {
  readonly seq: number;
  readonly tool: string;
  readonly ok: boolean;
}

/** One piece of a specialist's work: the model calls under one span, with the tool calls that they led to. */
interface Unit {
  readonly agent: string;
  /** Id of its packet, if it has one. */
  readonly packet: string | undefined;
  /** Where it begins. */
  readonly seq: number;
  readonly calls: readonly Done[];
  /** What came of the last time that its model was asked. */
  readonly last: Turn;
  /** Whether its model asked for any tool. */
  readonly asked: boolean;
  /** Whether a fault struck one of its calls or turns. */
  readonly struck: boolean;
}

/** What a model's call came to. */
type Turn = "note" | "empty" | "cut" | "calls" | "nothing";

const IDS = ["record.named", "record.healthy", "record.complete"] as const;

/** Scores the answer against the record. */
export function scoreRecord(view: TraceView): Check[] {
  if (view.answer === undefined) return IDS.map((id) => unanswered(id, view.end === undefined ? [] : [view.end.seq]));
  const units = readUnits(view);
  return [named(view, units), healthy(view, units), complete(view, units)];
}

/** Whoever came to nothing, wholly or in part, is among the answer's failures. */
function named({ answer, end }: TraceView, units: readonly Unit[]): Check {
  const stated = new Set((answer?.failures ?? []).map(({ specialist }) => specialist));
  const lost = units.flatMap((unit) => {
    const why = lossOf(unit);
    const recovered = unit.packet !== undefined &&
      units.some((later) => later.seq > unit.seq && later.packet === unit.packet && lossOf(later) === undefined);
    return why === undefined || recovered ? [] : [{ ...unit, why }];
  });
  const silent = lost.filter(({ agent }) => !stated.has(agent));
  const [first] = silent;
  const message = first === undefined
    ? `whoever came to nothing is among the answer's failures (${
      [...new Set(lost.map(({ agent }) => agent))].join(", ") || "nobody did"
    })`
    : `${first.agent} is not among the answer's failures: ${first.why}`;
  const seen = silent.flatMap(({ seq, calls }) => [seq, ...calls.map((call) => call.seq)]);
  return check("record.named", first === undefined, message, [...seen, ...end === undefined ? [] : [end.seq]]);
}

/** What is missing of a piece of work, by the record alone. */
function lossOf({ calls, last, asked }: Unit): string | undefined {
  for (const [tool, own] of Map.groupBy(calls, ({ tool }) => tool)) {
    if (!own.some(({ ok }) => ok)) return `every call of ${tool} failed`;
  }
  if (asked && calls.length === 0) return "no call that its model asked for reached a server";
  switch (last) {
    case "nothing":
      return "its model was asked, and the call came to nothing";
    case "calls":
      return "its model was not heard again after its last calls";
    case "cut":
      return "its model's last reply was cut off or refused";
    case "empty":
      return "its model ended without a word";
    case "note":
      return undefined;
  }
}

/** Nobody is called failed who was struck by nothing, saw what was asked for and reported. */
function healthy(view: TraceView, units: readonly Unit[]): Check {
  const { answer, end, trace: { events, crew } } = view;
  const prose = ownWords(answer);
  const ofPlanner = events.some(({ side, type, detail }) =>
    side === "world" && type === "model.fault" && detail["agent"] === "planner"
  );
  const sound = crew.specialists.filter(({ name, toolAllow }) => {
    const own = units.filter(({ agent }) => agent === name);
    const servers = toolAllow.map((entry) => entry.split(".")[0]);
    // A struck connection strikes whoever needs the server.
    const cut = events.some(({ side, type, detail }) =>
      side === "world" && type === "server.fault" && detail["tool"] === undefined &&
      servers.some((server) => server === detail["server"])
    );
    return own.length > 0 && !cut &&
      own.every((unit) => !unit.struck && unit.calls.some(({ ok }) => ok) && lossOf(unit) === undefined);
  }).map(({ name }) => name);
  const accused = sound.filter((name) => {
    const stated = (answer?.failures ?? []).filter(({ specialist }) => specialist === name);
    // Another task of the same specialist may not have been begun, if the plan was struck.
    if (ofPlanner && stated.length > 0 && stated.every(({ code }) => code === "not_started")) return false;
    return stated.length > 0 || failureLines(name, prose).length > 0;
  });
  const message = accused.length === 0
    ? `nobody who did their part is called failed (${sound.join(", ") || "nobody is known to have"})`
    : `${accused.join(", ")} did their part, struck by nothing, and the answer calls them failed`;
  return check("record.healthy", accused.length === 0, message, end === undefined ? [] : [end.seq]);
}

/** No answer is complete where somebody who was set to work saw no result at all. */
function complete({ answer, end, packets }: TraceView, units: readonly Unit[]): Check {
  const agents = new Set([...units.map(({ agent }) => agent), ...packets.map(({ packet }) => packet.recipient)]);
  const blind = [...agents].filter((name) =>
    !units.some(({ agent, calls }) => agent === name && calls.some(({ ok }) => ok))
  );
  const good = answer?.status !== "complete" || blind.length === 0;
  const message = blind.length === 0
    ? "everybody who was set to work saw a result"
    : `${blind.join(", ")} saw no result, and the answer is ${answer?.status}`;
  return check("record.complete", good, message, end === undefined ? [] : [end.seq]);
}

function readUnits({ trace: { events }, requests, calls, packets }: TraceView): Unit[] {
  const units = new Map<string, Mutable<Unit>>();
  const bySpan = new Map<string, Mutable<Unit>>();
  for (const { agent, span, seq } of requests) {
    if (agent === "planner") continue;
    const work = parentId(span) ?? span;
    const key = `${agent} ${work}`;
    const unit = units.get(key) ?? {
      agent,
      packet: packets.find((packet) => packet.span === work)?.packet.id,
      seq,
      calls: [],
      last: "nothing",
      asked: false,
      struck: false,
    };
    units.set(key, unit);
    bySpan.set(span, unit);
  }
  // A step, or a call of a step.
  const unitAt = (span: string) => bySpan.get(span) ?? bySpan.get(parentId(span) ?? "");
  for (const event of events) {
    const { side, type, span } = event;
    if (side !== "world") continue;
    if (type === "model.request" || type === "model.turn" || type === "model.error") {
      const unit = bySpan.get(span);
      if (unit === undefined) continue;
      unit.last = turnOf(event);
      unit.asked ||= unit.last === "calls";
    } else if (type === "server.fault" || type === "model.fault") {
      const unit = unitAt(span);
      if (unit !== undefined) unit.struck = true;
    }
  }
  for (const call of calls) {
    const unit = unitAt(call.span);
    if (unit === undefined) continue;
    const { seq, tool, reply } = call;
    const ok = reply !== undefined && !reply.isError && !isFailedResult(reply.text);
    unit.calls = [...unit.calls, { seq, tool, ok }];
  }
  return [...units.values()];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function turnOf({ type, detail: { calls, finish, text } }: TraceEvent): Turn {
  if (type !== "model.turn") return "nothing";
  if (finish === "length" || finish === "content_filter" || finish === "refusal") return "cut";
  if (Array.isArray(calls) && calls.length > 0) return "calls";
  return typeof text === "string" && text.trim() !== "" ? "note" : "empty";
}
