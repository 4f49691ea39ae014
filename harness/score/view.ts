/**
 * A trace as scorers read it: parsed once, typed, with world and subject kept apart. A trace may come from a file, so
 * what an event's detail holds is looked at before it is believed; what does not fit its type is left out.
 */
import { type Answer, contracts, type Handoff, type Shown } from "../../agents/mod.ts";
import { canonicalJson, type Json, parentId } from "../../core/mod.ts";
import type { Trace, TraceEvent } from "../trace/event.ts";
import { eventsOf } from "./events.ts";
import { livesOf } from "./lives.ts";
import { shownIn } from "./shown.ts";

/** A tool call in a conversation. */
export interface SeenToolCall {
  /** `server.tool`. */
  readonly name: string;
  /** Its arguments; the text of those that are no JSON object. */
  readonly args: Json;
}

/** A message in a conversation, as the model endpoint saw it. */
export interface SeenMessage {
  /** `user`, `assistant` or `tool`. */
  readonly role: string;
  /** What it says. */
  readonly text: string;
  /** Which tool a tool's message is from; empty for other messages. */
  readonly name: string;
  /** Whether a tool's message was marked as an error. */
  readonly isError: boolean;
  /** The calls that an assistant's message asks for. */
  readonly calls: readonly SeenToolCall[];
}

/** A model request as the model endpoint saw it. */
export interface SeenRequest {
  /** The event. */
  readonly seq: number;
  /** The step that it was made in. */
  readonly span: string;
  /** Who asked. */
  readonly agent: string;
  /** Text of the system prompt. */
  readonly system: string;
  /** The conversation. */
  readonly messages: readonly SeenMessage[];
  /** Names of the tools that were advertised. */
  readonly tools: readonly string[];
}

/** A tool call as the world saw it. */
export interface SeenCall {
  /** The event. */
  readonly seq: number;
  /** The call's span. */
  readonly span: string;
  /** `server.tool`. */
  readonly tool: string;
  /** Its arguments. */
  readonly args: Json;
  /** The agent whose model turn asked for just this, by the model endpoint's record; none if no turn did, or if the subject does not show whose turns are whose. */
  readonly agent: string | undefined;
  /** What was delivered for it, if anything was. */
  readonly reply: { readonly seq: number; readonly isError: boolean; readonly text: string } | undefined;
}

/** A packet as the subject dispatched it. */
export interface SeenPacket {
  /** The event. */
  readonly seq: number;
  /** The task's span. */
  readonly span: string;
  /** The superstep in which it was dispatched, if the span stands in one. */
  readonly superstep: number | undefined;
  /** What it says. */
  readonly packet: Handoff;
}

/** What scorers read. */
export interface TraceView {
  /** The whole trace. */
  readonly trace: Trace;
  /** What the subject shows. Nothing else of it stands here but the world's own records and the answer's text. */
  readonly shown: ReadonlySet<Shown>;
  /** The event that says how the run ended. */
  readonly end: TraceEvent | undefined;
  /** The answer that the bench was given; of one that is shown as text only, text and status alone, and the status says nothing. */
  readonly answer: Answer | undefined;
  /** Everything that a reader of the answer sees: its text, and each section's. */
  readonly answerTexts: readonly string[];
  /** Each model request, in order. */
  readonly requests: readonly SeenRequest[];
  /** Each tool call that left a hub, in order. */
  readonly calls: readonly SeenCall[];
  /** Each packet, in order. */
  readonly packets: readonly SeenPacket[];
}

/** The last trace that was read: what is scored is reported next. No more of them are held in memory for it. */
let last: TraceView | undefined;

/** Reads a trace. */
export function viewTrace(trace: Trace): TraceView {
  if (last?.trace !== trace) last = read(trace);
  return last;
}

function read(trace: Trace): TraceView {
  const end = eventsOf(trace.events, "bench", "run.end").at(-1);
  const parsed = contracts.Answer.safeParse(end?.detail["answer"]);
  const shown = shownIn(trace);
  const answer = !parsed.success || shown.has("answer") ? parsed.data : { ...parsed.data, sections: [], failures: [] };
  return {
    trace,
    shown,
    end,
    answer,
    answerTexts: answer === undefined ? [] : [answer.text, ...answer.sections.map((section) => section.text)],
    requests: readRequests(trace),
    calls: readCalls(trace, shown.has("agents")),
    packets: shown.has("packets") ? readPackets(trace) : [],
  };
}

const text = (value: Json | undefined): string => typeof value === "string" ? value : "";
const count = (value: Json | undefined): string => typeof value === "number" ? String(value) : "";
const list = (value: Json | undefined): readonly Json[] => Array.isArray(value) ? value : [];
const fields = (value: Json | undefined): { readonly [key: string]: Json | undefined } =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

function readRequests({ events }: Trace): SeenRequest[] {
  const prompts = new Map<string, string>();
  const requests: SeenRequest[] = [];
  for (const { type, side, seq, span, detail } of events) {
    if (side !== "world") continue;
    if (type === "model.prompt") prompts.set(text(detail["hash"]), text(detail["text"]));
    if (type !== "model.request") continue;
    requests.push({
      seq,
      span,
      agent: text(detail["agent"]),
      system: prompts.get(text(detail["prompt"])) ?? "",
      messages: list(detail["messages"]).map(readMessage),
      tools: list(detail["tools"]).map(text),
    });
  }
  return requests;
}

function readMessage(value: Json): SeenMessage {
  const { role, text: said, name, isError, calls } = fields(value);
  return {
    role: text(role),
    text: text(said),
    name: text(name),
    isError: isError === true,
    calls: readToolCalls(calls),
  };
}

function readToolCalls(value: Json | undefined): SeenToolCall[] {
  return list(value).map(fields).map(({ name, args, rawArguments }) => ({
    name: text(name),
    // What is no JSON object must not be executed, as whatever it may be taken for.
    args: typeof rawArguments === "string" ? rawArguments : args ?? null,
  }));
}

function readCalls({ events }: Trace, isAttributed: boolean): SeenCall[] {
  // A span is begun again when the subject was killed in it: a turn holds for the calls after it, and a call of the same
  // span is another call, with a reply of its own.
  const turns = new Map<string, { agent: string; calls: readonly SeenToolCall[] }>();
  const replies = new Map<string, SeenCall["reply"]>();
  const calls: (Omit<SeenCall, "reply"> & { readonly key: string })[] = [];
  let last: string | undefined;
  for (const { type, side, seq, span, detail } of events) {
    // Whoever was killed at the moment of a reply has not seen it.
    if (side === "bench" && type === "subject.killed" && detail["after"] === "server.reply") replies.delete(last ?? "");
    if (side !== "world") continue;
    if (type === "model.turn") {
      turns.set(span, { agent: text(detail["agent"]), calls: readToolCalls(detail["calls"]) });
    } else if (type === "server.reply") {
      const key = last = keyOf(span, detail);
      replies.set(key, { seq, isError: detail["isError"] === true, text: text(detail["text"]) });
    } else if (type === "server.request") {
      const tool = `${text(detail["server"])}.${text(detail["tool"])}`;
      const args = detail["args"] ?? null;
      const turn = turns.get(parentId(span) ?? "");
      const asked = turn?.calls.some((call) => call.name === tool && isSent(call.args, args));
      calls.push({
        seq,
        span,
        tool,
        args,
        agent: asked && isAttributed ? turn?.agent : undefined,
        key: keyOf(span, detail),
      });
    }
  }
  return calls.map(({ key, ...call }) => ({ ...call, reply: replies.get(key) }));
}

/** What a call and its reply have in common. */
function keyOf(span: string, detail: TraceEvent["detail"]): string {
  return `${span} ${text(detail["server"])}.${text(detail["tool"])} ${count(detail["call"])}`;
}

/** Whether what was sent is what the model asked for. Only an idempotency key may be added on the way. */
function isSent(asked: Json, sent: Json): boolean {
  if (canonicalJson(asked) === canonicalJson(sent)) return true;
  const { idempotency_key: _, ...without } = fields(sent);
  return !Object.hasOwn(fields(asked), "idempotency_key") && canonicalJson(asked) === canonicalJson(without);
}

function readPackets({ events }: Trace): SeenPacket[] {
  const lives = livesOf(events);
  // The same work is begun anew in a later life of a subject that was killed: it was handed over once.
  const begun = new Map<string, { readonly life: number; readonly written: Json }>();
  return events.filter(({ type }) => type === "packet").flatMap(({ seq, span, superstep, detail }) => {
    const life = lives.at(seq);
    const written = detail["packet"] ?? null;
    const before = begun.get(span);
    begun.set(span, { life, written });
    if (before !== undefined && before.life < life && canonicalJson(before.written) === canonicalJson(written)) {
      return [];
    }
    const packet = contracts.Handoff.safeParse(written);
    return packet.success ? [{ seq, span, superstep, packet: packet.data }] : [];
  });
}
