/** Traces of which something is taken out, as if their subject had never shown it. */
import { SHOWN, type Shown } from "../../agents/mod.ts";
import type { Json } from "../../core/mod.ts";
import type { Trace, TraceEvent } from "../trace/event.ts";

/** In which of the subject's own events each thing is shown. */
const TOLD_IN: Readonly<Record<Exclude<Shown, "agents">, RegExp>> = {
  answer: /^(?:answer|summary)$/,
  plan: /^plan/,
  packets: /^packet$/,
  reports: /^report$/,
  routes: /^route$/,
  verdicts: /^verify$/,
  controls: /^(?:approval|effect|budget|handoff|message)$/,
  spans: /^(?:superstep|task|call)\.|^usage$/,
};

/**
 * A trace as it would be if its subject showed only this: its own events about all else are gone, without `agents` nothing
 * tells whose a model call or a tool call is, and without `answer` there is a text alone, under a status that says nothing.
 *
 * @param text What the text is; that of the answer if left out.
 */
export function showingOnly(trace: Trace, shows: readonly Shown[], text?: string): Trace {
  const hidden = SHOWN.filter((one) => !shows.includes(one));
  const isTold = ({ side, type }: TraceEvent) =>
    side !== "subject" || !hidden.some((one) => one !== "agents" && TOLD_IN[one].test(type));
  const events = trace.events.filter(isTold).map((event, seq): TraceEvent => {
    const named = hidden.includes("agents") ? anonymous(event) : event;
    if (event.side !== "bench") return { ...named, seq };
    if (event.type === "run.start") return { ...named, seq, detail: { ...event.detail, shows: [...shows] } };
    const { answer } = event.detail;
    if (event.type !== "run.end" || !isFields(answer)) return { ...named, seq };
    const plain = { status: "complete", text: answer["text"] ?? "", sections: [], failures: [] };
    const whole = hidden.includes("answer") ? plain : answer;
    return { ...named, seq, detail: { ...event.detail, answer: text === undefined ? whole : { ...whole, text } } };
  });
  return { ...trace, events };
}

/** An event of the world without the name of any agent, and at no place of the subject's. */
function anonymous(named: TraceEvent): TraceEvent {
  if (named.side !== "world") return named;
  const { worker: _worker, packet: _packet, superstep: _superstep, parent: _parent, ...event } = named;
  const { agent: _agent, calls, ...detail } = event.detail;
  if (event.type.startsWith("model.")) {
    const again = { ...detail, ...event.type === "model.turn" && calls !== undefined ? { calls } : {} };
    return { ...event, span: "run/models", detail: { ...again, ..._agent === undefined ? {} : { agent: "" } } };
  }
  if (event.type === "server.ledger") {
    const own = Array.isArray(calls)
      ? calls.map((call): Json => isFields(call) ? { ...call, span: null } : call)
      : calls;
    return { ...event, detail: { ...detail, ...own === undefined ? {} : { calls: own } } };
  }
  if (!event.type.startsWith("server.")) return event;
  return { ...event, span: `run/servers/${String(event.detail["server"])}` };
}

function isFields(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
