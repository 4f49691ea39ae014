/**
 * Whether an answer agrees with the world's record, whatever was to be expected: who came to nothing is named, who did
 * their part is not, and nothing is complete of which somebody saw nothing.
 *
 * The record is that of model endpoint and servers. It knows what was asked, what was answered and what faults struck, and
 * not what anybody thought of it.
 */
import { isAllowed } from "../../agents/mod.ts";
import { type Json, parentId } from "../../core/mod.ts";
import type { TraceEvent } from "../trace/event.ts";
import { tasksOf } from "./attempts.ts";
import { type Check, check, unanswered } from "./check.ts";
import { eventsOf } from "./events.ts";
import { once } from "./once.ts";
import { handedTo, isHandoff, isWorker } from "./peers.ts";
import { failureLines, ownWords } from "./prose.ts";
import { scoreRecovered } from "./recovered.ts";
import { isFailedResult } from "./result_shape.ts";
import { isStranger, notShown, unseen } from "./shown.ts";
import { accusedIn, maySayFailed } from "./stranger.ts";
import type { TraceView } from "./view.ts";

/** A tool call, and whether it came to something: a reply came that is no error, by its flag or by its shape. */
export interface Done {
  readonly seq: number;
  readonly tool: string;
  readonly ok: boolean;
  /** Whether it had an effect whose key turned up in a later result: what it came to was seen all the same. */
  readonly seen: boolean;
}

/** One piece of a specialist's work: the model calls under one span, with the tool calls that they led to. */
export interface Unit {
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
  /** Whether it ended by handing control to a peer. */
  readonly handed: boolean;
  /** Whether a fault struck one of its calls or turns. */
  readonly struck: boolean;
  /** Whether its model asked for a call of a tool on its list that reached no server: somebody held it back. */
  readonly held: boolean;
}

/** What a model's call came to. */
type Turn = "note" | "empty" | "cut" | "calls" | "nothing";

/** Work that came to nothing, wholly or in part. */
interface LostUnit extends Unit {
  /** Why. */
  readonly why: string;
  /** Whether later work may have made up for it: whose task that was, only packets tell. */
  readonly maybe: boolean;
}

/** What the record alone says of a run that nobody has foreseen. */
export interface RecordReading {
  /** Whose work came to nothing, wholly or in part, and was not made up for; with its task's owner, and why. */
  readonly lost: readonly {
    readonly agent: string;
    readonly owner: string;
    readonly why: string;
    readonly seq: number;
  }[];
  /** Specialists that were struck by nothing, saw what was asked for and reported. */
  readonly sound: readonly string[];
  /** Those who were set to work and saw no result at all. */
  readonly blind: readonly string[];
}

/** Reads the record. */
export function readRecord(view: TraceView): RecordReading {
  const units = readUnits(view);
  const owners = new Map(tasksOf(view).map(({ id, owner }) => [id, owner]));
  const lost = lostOf(units, view).filter(({ maybe }) => !maybe).map(({ agent, packet, why, seq }) => ({
    agent,
    owner: owners.get(packet ?? "") ?? agent,
    why,
    seq,
  }));
  return {
    lost,
    sound: soundOf(view, units),
    blind: blindOf(view, units).filter((name) => !mayBeStoodIn(name, units, view)),
  };
}

const IDS = ["record.named", "record.healthy", "record.kept", "record.complete", "record.recovered"] as const;

/** Scores the answer against the record. */
export function scoreRecord(view: TraceView): Check[] {
  if (view.answer === undefined) return IDS.map((id) => unanswered(id, view.end === undefined ? [] : [view.end.seq]));
  const units = readUnits(view);
  return [
    named(view, units),
    healthy(view, units),
    kept(view, units),
    complete(view, units),
    scoreRecovered(view, units, lossOf),
  ];
}

/** Whoever came to nothing, wholly or in part, is among the answer's failures; of an answer in prose alone, in its words. */
function named(view: TraceView, units: readonly Unit[]): Check {
  const { answer, end, shown } = view;
  const failures = new Set((answer?.failures ?? []).map(({ specialist }) => specialist));
  const stated = shown.has("answer") ? failures : { has: (name: string) => maySayFailed(view, name) };
  const where = shown.has("answer") ? "among the answer's failures" : "called failed by the answer's text";
  const owners = new Map(tasksOf(view).map(({ id, owner }) => [id, owner]));
  const lost = lostOf(units, view);
  // Who stands in for somebody else fails at that one's task.
  const silent = lost.filter(({ agent, packet }) =>
    !stated.has(agent) && !stated.has(owners.get(packet ?? "") ?? agent)
  );
  const first = silent.find(({ maybe }) => !maybe) ?? silent[0];
  if (first?.maybe) {
    const what = `${first.agent} came to nothing once (${first.why}), and is not ${where}`;
    return notShown(
      "record.named",
      `${what}; ${unseen(shown, ["packets"])}, so whether that was made up for is not known`,
    );
  }
  const message = first === undefined
    ? `whoever came to nothing is ${where} (${[...new Set(lost.map(({ agent }) => agent))].join(", ") || "nobody did"})`
    : `${first.agent} is not ${where}: ${first.why}`;
  const seen = silent.flatMap(({ seq, calls }) => [seq, ...calls.map((call) => call.seq)]);
  return check("record.named", first === undefined, message, [...seen, ...end === undefined ? [] : [end.seq]]);
}

/** Work that came to nothing, wholly or in part, and that no later attempt made up for. */
function lostOf(units: readonly Unit[], view: TraceView): LostUnit[] {
  return units.flatMap((unit) => {
    const why = lossOf(unit);
    const recovered = unit.packet !== undefined &&
      units.some((later) => later.seq > unit.seq && later.packet === unit.packet && lossOf(later) === undefined);
    if (why === undefined || recovered) return [];
    return [{ ...unit, why, maybe: mayBeStoodIn(unit.agent, units.filter(({ seq }) => seq > unit.seq), view) }];
  });
}

/** Where no packets are shown: whether somebody who may do a specialist's work did some, without loss. */
function mayBeStoodIn(name: string, units: readonly Unit[], { shown, trace: { crew } }: TraceView): boolean {
  if (shown.has("packets")) return false;
  const others = crew.specialists.filter(({ standsInFor = [] }) => standsInFor.includes(name)).map((one) => one.name);
  return units.some((unit) => [name, ...others].includes(unit.agent) && lossOf(unit) === undefined);
}

/** What is missing of a piece of work, by the record alone. */
const lossOf = once(({ calls, last, asked }: Unit): string | undefined => {
  for (const [tool, own] of Map.groupBy(calls, ({ tool }) => tool)) {
    if (!own.some(({ ok, seen }) => ok || seen)) return `every call of ${tool} failed`;
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
});

/** Names of the specialists that were struck by nothing, saw what was asked for and reported. */
function soundOf({ trace: { events, crew } }: TraceView, units: readonly Unit[]): string[] {
  return crew.specialists.filter(({ name, toolAllow }) => {
    const own = units.filter(({ agent }) => agent === name);
    const servers = toolAllow.map((entry) => entry.split(".")[0]);
    // A struck connection strikes whoever needs the server.
    const cut = eventsOf(events, "world", "server.fault").some(({ detail }) =>
      detail["tool"] === undefined && servers.some((server) => server === detail["server"])
    );
    return own.length > 0 && !cut &&
      own.every((unit) => !unit.struck && !unit.held && unit.calls.some(({ ok }) => ok) && lossOf(unit) === undefined);
  }).map(({ name }) => name);
}

/** Nobody is called failed who was struck by nothing, saw what was asked for and reported. */
function healthy(view: TraceView, units: readonly Unit[]): Check {
  const { answer, end, shown, trace: { events } } = view;
  const prose = ownWords(answer);
  const strict = isStranger(shown) ? new Set(accusedIn(view)) : undefined;
  const ofPlanner = eventsOf(events, "world", "model.fault").some(({ detail }) => detail["agent"] === "planner");
  const sound = soundOf(view, units);
  const accused = sound.filter((name) => {
    const stated = (answer?.failures ?? []).filter(({ specialist }) => specialist === name);
    // Another task of the same specialist may not have been begun, if the plan was struck or a handoff was refused.
    const isMore = ofPlanner || timesWanted(name, view) > units.filter(({ agent }) => agent === name).length;
    if (isMore && stated.length > 0 && stated.every(({ code }) => code === "not_started")) return false;
    // Who said what nothing bears out, or in no form that is due, has the record on their side and failed all the same; the
    // scenario knows what was said.
    if (stated.length > 0 && stated.every(({ code }) => SAID.has(code) && expectedCode(name, view) === code)) {
      return false;
    }
    if (strict === undefined) return stated.length > 0 || failureLines(name, prose).length > 0;
    // Which task it is said of, and why, a text may not tell.
    return stated.length > 0 || strict.has(name) && !isMore && expectedCode(name, view) === undefined;
  });
  const message = accused.length === 0
    ? `nobody who did their part is called failed (${sound.join(", ") || "nobody is known to have"})`
    : `${accused.join(", ")} did their part, struck by nothing, and the answer calls them failed`;
  return check("record.healthy", accused.length === 0, message, end === undefined ? [] : [end.seq]);
}

/** Whoever saw what was asked for and reported has a part in the answer; or the answer says why not. */
function kept(view: TraceView, units: readonly Unit[]): Check {
  const { answer, end } = view;
  const owners = new Map(tasksOf(view).map(({ id, owner }) => [id, owner]));
  const told = new Set([
    ...(answer?.sections ?? []).map(({ worker }) => worker),
    ...(answer?.failures ?? []).map(({ specialist }) => specialist),
  ]);
  const heard = units.filter((unit) =>
    !unit.handed && unit.last === "note" && unit.calls.some(({ ok }) => ok) && lossOf(unit) === undefined
  );
  // Who stands in for somebody else may be told under either name.
  const lost = heard.filter(({ agent, packet }) => !told.has(agent) && !told.has(owners.get(packet ?? "") ?? agent));
  const names = [...new Set(lost.map(({ agent }) => agent))].join(", ");
  const message = lost.length === 0
    ? "whoever saw results and reported has a part in the answer, or is named in it as failed"
    : `${names} saw results and reported, and the answer has neither a part nor a failure of theirs`;
  const evidence = [...lost.map(({ seq }) => seq), ...end === undefined ? [] : [end.seq]];
  return check("record.kept", lost.length === 0, message, evidence);
}

/** Codes that depend on what a worker's model said, which the record does not judge. */
export const SAID: ReadonlySet<string> = new Set(["unverified", "malformed_result", "empty_result"]);

function expectedCode(name: string, { trace: { scenario } }: TraceView): string | undefined {
  const failed = scenario.expect?.failed ?? {};
  return Object.hasOwn(failed, name) ? failed[name] : undefined;
}

/** How often peers wanted to hand control to one. */
function timesWanted(name: string, view: TraceView): number {
  return eventsOf(view.trace.events, "world", "model.turn")
    .flatMap((event) => handedTo(toolsOf(event), view)).filter((to) => to === name).length;
}

/** Those who were set to work and saw no result at all. */
function blindOf(view: TraceView, units: readonly Unit[]): string[] {
  // Whoever meets a task in the end, it is its owner's that was met.
  const owners = new Map(tasksOf(view).map(({ id, owner }) => [id, owner]));
  const ownerOf = ({ agent, packet }: Unit) => owners.get(packet ?? "") ?? agent;
  return [...new Set([...units.map(ownerOf), ...owners.values()])].filter((name) =>
    !units.some((unit) => ownerOf(unit) === name && (unit.handed || unit.calls.some(({ ok }) => ok)))
  );
}

/** No answer is complete where somebody who was set to work saw no result at all. */
function complete(view: TraceView, units: readonly Unit[]): Check {
  const { answer, end } = view;
  const blind = blindOf(view, units);
  const doubtful = blind.filter((name) => mayBeStoodIn(name, units, view));
  if (answer?.status === "complete" && blind.length > 0 && doubtful.length === blind.length) {
    const what = `${blind.join(", ")} saw no result, and the answer is complete`;
    return notShown(
      "record.complete",
      `${what}; ${unseen(view.shown, ["packets"])}, so whether it was made up for is not known`,
    );
  }
  const good = answer?.status !== "complete" || blind.length === 0;
  const message = blind.length === 0
    ? "everybody who was set to work saw a result"
    : `${blind.join(", ")} saw no result, and the answer is ${answer?.status}`;
  return check("record.complete", good, message, end === undefined ? [] : [end.seq]);
}

/** Several scorers read the units of one view. */
const readUnits = once(unitsIn);

function unitsIn(view: TraceView): readonly Unit[] {
  const { trace: { events }, requests, calls, packets } = view;
  const units = new Map<string, Mutable<Unit>>();
  const bySpan = new Map<string, Mutable<Unit>>();
  for (const { agent, span, seq } of requests) {
    if (!isWorker(agent, view)) continue;
    const work = parentId(span) ?? span;
    const key = `${agent} ${work}`;
    const unit = units.get(key) ?? {
      agent,
      packet: packets.find((packet) => packet.span === work)?.packet.id,
      seq,
      calls: [],
      last: "nothing",
      asked: false,
      handed: false,
      struck: false,
      held: false,
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
      const tools = toolsOf(event);
      unit.last = turnOf(event);
      unit.asked ||= unit.last === "calls" && tools.some((tool) => !isHandoff(tool, view));
      unit.held ||= isHeld(unit.agent, span, tools, view);
      unit.handed = unit.last === "calls" && hasHanded(tools, event.seq, view);
      if (unit.handed) unit.last = "note";
    } else if (type === "server.fault" || type === "model.fault") {
      const unit = unitAt(span);
      if (unit !== undefined) unit.struck = true;
    }
  }
  const keys = effectKeys(view);
  for (const call of calls) {
    const unit = unitAt(call.span);
    if (unit === undefined) continue;
    const { seq, tool, reply } = call;
    const ok = reply !== undefined && !reply.isError && !isFailedResult(reply.text);
    const key = keys.get(call.span);
    const seen = key !== undefined && calls.some((later) => later.seq > seq && later.reply?.text.includes(key));
    unit.calls = [...unit.calls, { seq, tool, ok, seen }];
  }
  return [...units.values()];
}

/** Whether a turn asks for calls of its agent's tools of which fewer reached a server. */
function isHeld(agent: string, span: string, tools: readonly string[], { calls, trace: { crew } }: TraceView): boolean {
  const allow = crew.specialists.find(({ name }) => name === agent)?.toolAllow ?? [];
  const asked = tools.filter((tool) => isAllowed(tool, allow)).length;
  // By their spans: one that was made again, because its caller was killed in it, is one call.
  const made = calls.filter((call) => parentId(call.span) === span && isAllowed(call.tool, allow));
  return new Set(made.map((call) => call.span)).size < asked;
}

/** The idempotency keys of calls that had an effect, by the servers' own records. */
function effectKeys({ trace: { events } }: TraceView): ReadonlyMap<string, string> {
  return new Map(
    eventsOf(events, "world", "server.ledger").flatMap(({ detail: { calls } }) =>
      !Array.isArray(calls) ? [] : calls.flatMap((call) => {
        const { span, args } = fields(call);
        const { idempotency_key: key } = fields(args);
        return typeof span === "string" && typeof key === "string" ? [[span, key] as const] : [];
      })
    ),
  );
}

function fields(value: Json | undefined): { readonly [key: string]: Json | undefined } {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** Whether control went to one of those whom a turn hands it to: that one was asked next, or is named as failed. */
function hasHanded(tools: readonly string[], seq: number, view: TraceView): boolean {
  const { requests, answer, shown } = view;
  return handedTo(tools, view).some((name) =>
    requests.some((later) => later.agent === name && later.seq > seq) ||
    (answer?.failures ?? []).some(({ specialist }) => specialist === name) ||
    !shown.has("answer") && maySayFailed(view, name)
  );
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function turnOf({ type, detail: { calls, finish, text } }: TraceEvent): Turn {
  if (type !== "model.turn") return "nothing";
  if (finish === "length" || finish === "content_filter" || finish === "refusal") return "cut";
  if (Array.isArray(calls) && calls.length > 0) return "calls";
  return typeof text === "string" && text.trim() !== "" ? "note" : "empty";
}

/** Names of the tools that an event's turn calls. */
function toolsOf({ detail: { calls } }: TraceEvent): string[] {
  return (Array.isArray(calls) ? calls : []).flatMap((call) =>
    typeof call === "object" && call !== null && !Array.isArray(call) && typeof call["name"] === "string"
      ? [call["name"]]
      : []
  );
}
