/**
 * Whether each worker saw its packet, its tools and its own observations, and nothing else. Read from every model
 * request, as the model endpoint saw it.
 *
 * What a packet holds beyond the planner's words are notes of the packets it depends on; whose they may be follows from
 * `dependsOn`, which `plan.edges` compares with the scenario's gold plan. So a packet is no excuse for what it carries.
 */
import { HANDOFF } from "../../agents/mod.ts";
import { isWithin } from "./attempts.ts";
import { mayBring } from "./broken_reply.ts";
import { type Check, check } from "./check.ts";
import { eventsOf } from "./events.ts";
import { isWorker } from "./peers.ts";
import { folded, sentences, TELLING } from "./texts.ts";
import type { SeenCall, SeenPacket, SeenRequest, TraceView } from "./view.ts";

/** A worker's request with everything that it may rest on. */
interface Work {
  readonly request: SeenRequest;
  /** The packet that it works on. */
  readonly packet: SeenPacket | undefined;
  /** All its texts, whole. */
  readonly texts: readonly string[];
  /** Whether a span belongs to its packet's work. */
  readonly isOwn: (span: string, agent: string | undefined) => boolean;
  /** Whether it belongs to the work of a packet that this one depends on. */
  readonly isKnown: (span: string, agent: string | undefined) => boolean;
}

/** Scores isolation. */
export function scoreIsolation(view: TraceView): Check[] {
  const work = view.requests.filter(({ agent }) => isWorker(agent, view)).map((request) => workOf(request, view));
  return [userMessage(view, work), canaries(view, work), siblings(view, work), observations(view, work)];
}

function workOf(request: SeenRequest, { packets }: TraceView): Work {
  const own = packets.find((packet) => isWithin(request.span, packet.span));
  const before = own === undefined ? [] : dependencies(own, packets);
  // An earlier attempt at the same packet is the same work, if it was its own.
  const attempts = packets.filter(({ packet, seq }) =>
    packet.id === own?.packet.id && packet.recipient === request.agent && seq <= (own?.seq ?? 0)
  );
  return {
    request,
    packet: own,
    texts: [
      request.system,
      ...request.messages.map(({ text, calls }) => calls.length === 0 ? text : text + JSON.stringify(calls)),
    ],
    isOwn: (span, agent) =>
      agent === request.agent && (own === undefined || attempts.some((one) => isWithin(span, one.span))),
    isKnown: (span, agent) => before.some((packet) => agent === packet.packet.recipient && isWithin(span, packet.span)),
  };
}

/** The packets whose reports had to exist before this one, and those before them. */
function dependencies(packet: SeenPacket, packets: readonly SeenPacket[]): SeenPacket[] {
  const found = new Set<SeenPacket>();
  const queue = [packet];
  for (const { packet: { dependsOn } } of queue) {
    for (const one of packets) {
      if (!dependsOn.includes(one.packet.id) || found.has(one)) continue;
      found.add(one);
      queue.push(one);
    }
  }
  return [...found];
}

/** A longer piece of the user's message is the message, whoever passes it on. In characters, folded. */
const SHORT = 80;

/**
 * No worker is sent the user's message, or a sentence of it; but the user's answer to its question is for it, and so is
 * a short sentence that the planner itself has made the task.
 */
function userMessage(view: TraceView, work: readonly Work[]): Check {
  const { shown, trace } = view;
  const whole = folded(trace.scenario.request);
  const single = sentences(trace.scenario.request);
  const needles = [whole, ...single];
  const planned = eventsOf(trace.events, "world", "model.turn").flatMap(({ seq, detail: { agent, text, calls } }) =>
    typeof agent === "string" && !isWorker(agent, view)
      ? [{ seq, words: folded(`${typeof text === "string" ? text : ""} ${JSON.stringify(calls ?? [])}`) }]
      : []
  );
  const wasPlanned = (needle: string, { request, packet }: Work): boolean => {
    const isPart = needle !== whole || needle.length < TELLING || single.includes(whole);
    if (!isPart || needle.length > SHORT) return false;
    // What the packet says is not known where none are shown; what the planner said is.
    const { objective = needle, inputs = {} } = packet?.packet ?? {};
    if (packet === undefined && shown.has("packets")) return false;
    return folded(JSON.stringify([objective, inputs])).includes(needle) &&
      planned.some(({ seq, words }) => seq < request.seq && words.includes(needle));
  };
  const answers = eventsOf(trace.events, "world", "user.answer");
  // Conversations grow: what has been read once need not be read again.
  const read = new Map<string, readonly string[]>();
  const heldBy = (text: string): readonly string[] => {
    const known = read.get(text);
    if (known !== undefined) return known;
    const plain = folded(text);
    const found = needles.filter((needle) => plain.includes(needle));
    read.set(text, found);
    return found;
  };
  const wasSaid = (needle: string, { agent, seq }: SeenRequest): boolean =>
    answers.some(({ seq: at, detail: { worker, said } }) =>
      worker === agent && at < seq && typeof said === "string" && folded(said).includes(needle)
    );
  const leaks = work.filter((one) =>
    one.texts.some((text) => heldBy(text).some((needle) => !wasSaid(needle, one.request) && !wasPlanned(needle, one)))
  );
  return verdict("isolation.user_message", leaks, {
    good: "no worker was sent the user's message",
    bad: "was sent the user's message",
  });
}

/** No worker is sent a canary that neither its own calls nor those before it were answered with. */
function canaries({ trace, calls }: TraceView, work: readonly Work[]): Check {
  const all = [...Object.keys(trace.scenario.canaries), ...trace.crew.fallbacks.map(({ canary }) => canary)];
  const sources = new Map(all.map((canary) => [canary, calls.filter((call) => mayBring(call, canary, trace))]));
  const leaks = work.filter(({ request, texts, isOwn, isKnown }) =>
    all.some((canary) =>
      texts.some((text) => text.includes(canary)) &&
      !sources.get(canary)?.some((call) =>
        call.seq < request.seq && (isOwn(call.span, call.agent) || isKnown(call.span, call.agent))
      )
    )
  );
  return verdict("isolation.canaries", leaks, {
    good: "no worker was sent a value of somebody else's source",
    bad: "was sent a value that it could only have from somebody else's observations",
  });
}

/** No worker is sent the note of another, unless it depends on that one's packet. */
function siblings(view: TraceView, work: readonly Work[]): Check {
  const notes = eventsOf(view.trace.events, "world", "model.turn").flatMap(({ span, seq, detail: { agent, text } }) =>
    typeof agent === "string" && isWorker(agent, view) && typeof text === "string" && text.length >= TELLING
      ? [{ seq, span, agent: String(agent), note: text, escaped: JSON.stringify(text).slice(1, -1) }]
      : []
  );
  const leaks = work.filter(({ request, texts, isOwn, isKnown }) =>
    notes.some(({ seq, span, agent, note, escaped }) =>
      // What is only said later, by a further attempt of its own, is no leak.
      seq < request.seq && !isOwn(span, agent) && !isKnown(span, agent) &&
      texts.some((text) => text.includes(note) || text.includes(escaped))
    )
  );
  return verdict("isolation.siblings", leaks, {
    good: "no worker was sent a sibling's report",
    bad: "was sent a sibling's report",
  });
}

/** What a worker's model is shown as a tool result is what a server delivered to that worker. */
function observations({ calls }: TraceView, work: readonly Work[]): Check {
  const leaks = work.filter(({ request, isOwn }) => {
    // What a tool that moves control says is nobody's observation: no server may be called so.
    const shown = request.messages.filter(({ role, name, isError }) =>
      role === "tool" && !isError && !name.startsWith(HANDOFF)
    );
    if (shown.length === 0) return false;
    const own = new Set(
      calls.filter((call) => isOwn(call.span, call.agent) && wasBefore(call, request)).flatMap(({ reply }) =>
        reply === undefined ? [] : [reply.text]
      ),
    );
    return shown.some(({ text }) => !own.has(text) && ![...own].some((delivered) => isRenderingOf(text, delivered)));
  });
  return verdict("isolation.observations", leaks, {
    good: "every tool result that a model saw is one that its worker was sent",
    bad: "was shown a tool result that no server delivered to it",
  });
}

/** A line of its own in brackets: what stands for a block that is no text. */
const BLOCK_NOTE = /^\[[^\]\n]{1,60}\]\n?|\n\[[^\]\n]{1,60}\](?=\n|$)/g;
/** A result that is longer may be cut, in UTF-16 units. */
const LONG = 10_000;
/** The most that may be said of the cut. */
const CUT_NOTE = 300;

/** Whether a text is what was delivered, but for blocks that nobody can read, or for the end of something very long. */
function isRenderingOf(text: string, delivered: string): boolean {
  if (text.replace(BLOCK_NOTE, "") === delivered.replace(BLOCK_NOTE, "")) return true;
  if (delivered.length <= LONG || text.length >= delivered.length) return false;
  let common = 0;
  while (common < text.length && text[common] === delivered[common]) common++;
  return common >= LONG / 2 && text.length - common <= CUT_NOTE;
}

function wasBefore({ reply }: SeenCall, { seq }: SeenRequest): boolean {
  return reply !== undefined && reply.seq < seq;
}

function verdict(id: string, leaks: readonly Work[], { good, bad }: { good: string; bad: string }): Check {
  const [first] = leaks;
  const message = first === undefined ? good : `${first.request.agent} ${bad} (${first.request.span})`;
  return check(id, first === undefined, message, leaks.map(({ request }) => request.seq));
}
