/** The cell's model over HTTP, for a subject that knows nothing of the bench: whose call it is, and what tools are called. */
import { ENTRY, HANDOFF, type Message, type ModelRequest, type ModelTurn } from "../../../agents/mod.ts";
import { childId, CodedError } from "../../../core/mod.ts";
import { endpoint } from "../../../servers/endpoint/mod.ts";
import { FIXTURES } from "../../../servers/mod.ts";
import { type ModelCall, ModelCallError, type ModelReply } from "../../../servers/model/mod.ts";
import type { ForeignWorld } from "../foreign.ts";
import { Attention, MAX_REQUEST_BYTES } from "./attention.ts";
import { type ToolNames, toolNames } from "./tool_names.ts";
import { whoAsks } from "./who_asks.ts";

/** Whom a call is from that does not say so. No agent of a crew has such a name. */
const UNNAMED = "(unnamed)";
/** What such a caller is called where nobody has to know it. */
const NAMELESS = "agent";

/** The endpoint of one cell. */
export interface ModelFront extends AsyncDisposable {
  /** Its base, without `/v1`. */
  readonly url: string;
  /** How many calls have been played, or have failed as the scenario wants it. */
  readonly played: number;
  /** What was wrong with the last request that the endpoint refused; none if it refused none. */
  readonly refused: string | undefined;
}

/**
 * Opens the endpoint of a cell on loopback.
 *
 * A call that cannot be played is told to the subject as an error of its model that is not worth another attempt, and to
 * the bench as `subject.unplayable`.
 */
export async function modelFront(world: ForeignWorld): Promise<ModelFront> {
  const { crew, topology, agents, asModels, isScripted = () => true, match, model, ports, record, signal: over } =
    world;
  const peers = topology === "peer" ? [ENTRY, ...crew.specialists.map(({ name }) => name)] : [];
  const tools = [
    ...ports.flatMap(({ name }) => [...FIXTURES.get(name)?.tools.keys() ?? []].map((tool) => `${name}.${tool}`)),
    ...peers.map((name) => `${HANDOFF}${name}`),
  ];
  // What the endpoint tells of a call, which the call itself does not: found by the messages that are in both.
  const modelsAsked = new WeakMap<object, string>();
  // Who asks in a conversation that goes on by the id of a reply: its first message is the same object each time.
  const askers = new WeakMap<object, string>();
  const order = peers.length === 0 ? "" : `; there is no planner: ${ENTRY} begins, and a call of handoff_NAME hands on`;
  const spans = new Spans();
  const attention = new Attention();
  let played = 0;
  let refused: string | undefined;
  const unplayable = (why: string): CodedError => {
    record("subject.unplayable", { why });
    return new CodedError("model_error", why);
  };
  const scripted = async (call: ModelCall, signal: AbortSignal): Promise<ModelReply> => {
    const refusal = attention.refusal(call);
    if (refusal !== undefined) throw unplayable(refusal);
    // Where a live model answers everybody, it need not be known who asks.
    const wanted = modelsAsked.get(call.messages);
    const known = {
      match,
      ...(agents === undefined ? {} : { agents }),
      ...(wanted === undefined ? {} : { model: wanted }),
    };
    const said = call.agent === UNNAMED ? whoAsks(call, known) : call.agent;
    const [first] = call.messages;
    // Instructions need not be given again, so they may be no help.
    const asked = typeof said === "string" || first === undefined ? said : askers.get(first) ?? said;
    if (typeof asked === "string" && first !== undefined) askers.set(first, asked);
    if (typeof asked !== "string" && agents !== undefined) throw unplayable(asked.why + order);
    const asker = typeof asked === "string" ? asked : NAMELESS;
    if (agents?.includes(asker) === false) {
      throw unplayable(`${asker} is asked, and has no script; ${listed(agents)}${order}`);
    }
    const names = toolNames(tools, call.tools.map(({ name }) => name));
    const request = canonicalRequest({ ...call, agent: asker }, names);
    played++;
    const asking = { ...request, span: spans.of(request) };
    const turn = await model.next(asking, AbortSignal.any([signal, over])).catch((error) => {
      throw asProviders(error);
    });
    const lost = turn.calls.find(({ name }) => tools.includes(name) && names.offered(name) === undefined);
    // A live model may call what it likes; that is the subject's to deal with.
    if (lost !== undefined && isScripted(asker)) throw unplayable(notOffered(lost.name, asker, call));
    return offeredTurn(turn, names);
  };
  const up = await endpoint({
    backend: { scripted },
    agent: UNNAMED,
    maxBodyBytes: MAX_REQUEST_BYTES,
    ...(agents === undefined ? {} : { agents }),
    ...(asModels === undefined ? {} : { asModels }),
    observer: (event) => {
      if (event.type === "model_request") modelsAsked.set(event.messages, event.model);
      if (event.type !== "model_rejected") return;
      refused = event.message;
      if (event.status === 404 && event.message.startsWith("there is no agent")) {
        const [nobody] = event.message.split(";");
        record("subject.unplayable", {
          why: `the subject asks for an agent without a script: ${nobody}; ${listed(agents)}${order}`,
        });
      }
    },
  });
  return {
    url: up.url,
    get played() {
      return played;
    },
    get refused() {
      return refused;
    },
    [Symbol.asyncDispose]: () => up.close(),
  };
}

function listed(agents: readonly string[] = []): string {
  return `agents: ${agents.join(", ")}`;
}

function notOffered(tool: string, agent: string, { tools }: ModelCall): string {
  const offered = tools.map(({ name }) => name).join(", ") || "none";
  return `${agent}'s script calls ${tool}, and no tool that the subject offers can only be this one; offered: ${offered}`;
}

/** An error as the provider would send it, where it has a status of HTTP: so clients do about it what they do about that. */
function asProviders(error: unknown): unknown {
  if (!(error instanceof CodedError) || error instanceof ModelCallError) return error;
  // A script that has no turn will have none when it is asked again.
  if (!("status" in error) || typeof error.status !== "number" || error.status === 404) return error;
  const { code, detail, status } = error;
  const wait = "retryAfterMs" in error && typeof error.retryAfterMs === "number" ? error.retryAfterMs : undefined;
  return new ModelCallError({ status, code, message: detail, ...(wait === undefined ? {} : { retryAfterMs: wait }) });
}

/** What is asked, in the bench's names of tools. */
function canonicalRequest(call: ModelCall, names: ToolNames): Omit<ModelRequest, "span"> {
  const messages = call.messages.map((message): Message => {
    if (message.role === "user") return message;
    if (message.role === "tool") return { ...message, name: names.canonical(message.name) };
    return { ...message, calls: message.calls.map((one) => ({ ...one, name: names.canonical(one.name) })) };
  });
  const tools = call.tools.map((tool) => ({ ...tool, name: names.canonical(tool.name) }));
  return { agent: call.agent, system: call.system, messages, tools };
}

/** A turn in the subject's names of tools. A tool that does not exist keeps its name, but for what providers forbid. */
function offeredTurn({ text, calls, finish, usage }: ModelTurn, names: ToolNames): ModelReply {
  const renamed = calls.map((one) => ({
    ...one,
    name: names.offered(one.name) ?? one.name.replaceAll(/[^A-Za-z0-9_-]/g, "_"),
  }));
  const { inputTokens, outputTokens } = usage;
  return { text, calls: renamed, finish, usage: { inputTokens, outputTokens } };
}

/** Names of the steps of conversations, which are told apart by how they begin. */
class Spans {
  readonly #begun = new Map<string, number>();
  readonly #counts = new Map<string, number>();

  /** The span of a call: the same for one that is tried again. */
  of({ agent, messages }: Pick<ModelRequest, "agent" | "messages">): string {
    const opening = `${agent}\n${messages[0]?.text ?? ""}`;
    let conversation = this.#begun.get(opening);
    if (conversation === undefined) {
      conversation = (this.#counts.get(agent) ?? 0) + 1;
      this.#counts.set(agent, conversation);
      this.#begun.set(opening, conversation);
    }
    const step = messages.filter(({ role }) => role === "assistant").length + 1;
    return `${childId("run/models", agent)}/c${conversation}/step${step}`;
  }
}
