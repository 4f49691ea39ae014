/** What all adapters share: the crew's tools over a hub, and the crew's models by their agents' names. */
import { Hub, type Message, type Model, type ModelTurn, type Specialist, type SubjectWorld } from "../../agents/mod.ts";
import type { ToolSpec } from "../../agents/mod.ts";
import { childId, type Json } from "../../core/mod.ts";
import { bridgeName, realName } from "./names.ts";

/** A tool call that came to nothing. A framework's own handling of tool errors sees it. */
export class ToolFailed extends Error {
  override readonly name = "ToolFailed";
}

/** What an adapter's model bridge asks for turns. Names of tools are those that the framework knows. */
export interface Voice {
  /** The next turn. `system` is what the framework sends as the agent's instructions. */
  next(request: VoiceRequest, signal: AbortSignal): Promise<ModelTurn>;
}

/** What a framework sends to its model, in the bench's words. */
export interface VoiceRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
}

/**
 * The desk of one run. Opened by an adapter at its beginning and closed at its end: all connections with it.
 */
export class Desk implements AsyncDisposable {
  readonly #seats = new Map<string, number>();

  private constructor(readonly world: SubjectWorld, readonly hub: Hub) {}

  /** Connects to the crew's servers. One that is down costs nobody anything who does not need it. */
  static async open(world: SubjectWorld): Promise<Desk> {
    return new Desk(world, await Hub.open({ ports: world.ports, clock: world.clock }, world.signal));
  }

  /** The specialist of that name, if the crew has one. Untrusted names are looked up, and never used as keys. */
  specialist(name: string): Specialist | undefined {
    return this.world.crew.specialists.find((one) => one.name === name);
  }

  /** Whether the servers of a specialist's tools are there, so that its tools can be loaded. */
  isReachable({ toolAllow }: Specialist): boolean {
    return this.hub.down(toolAllow).length === 0;
  }

  /**
   * A seat for an agent: one conversation with its model, and its tools.
   *
   * @param name Name of the agent, by which the bench knows it.
   * @throws {ToolFailed} If a server that its tools are on cannot be reached: MCP clients fail to load tools, then.
   */
  seat(name: string): Seat {
    const specialist = this.specialist(name);
    const [down] = specialist === undefined ? [] : this.hub.down(specialist.toolAllow);
    if (down !== undefined) throw new ToolFailed(`failed to connect to server ${down.name}: ${down.failure.detail}`);
    const number = (this.#seats.get(name) ?? 0) + 1;
    this.#seats.set(name, number);
    return new Seat(this, name, `run/${name}/${number}`, specialist);
  }

  /** Closes every connection. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.hub.close();
  }
}

/** One agent in one conversation. */
export class Seat implements Voice {
  /** The agent's tools, with names that every provider takes. */
  readonly tools: readonly ToolSpec[];
  readonly #model: Model;
  /** Where each call was asked for, by its id: the trace puts the call there. */
  readonly #asked = new Map<string, string>();
  /** Ids of calls that failed: one framework does not tell its model. */
  readonly #failed = new Set<string>();
  #steps = 0;

  /** A seat of the desk; see {@linkcode Desk.seat}. */
  constructor(
    private readonly desk: Desk,
    readonly name: string,
    private readonly span: string,
    private readonly specialist: Specialist | undefined,
  ) {
    this.#model = desk.world.model;
    const specs = specialist === undefined ? [] : desk.hub.specs(specialist.toolAllow);
    this.tools = specs.map((spec) => ({ ...spec, name: bridgeName(spec.name) }));
    const names = new Set(this.tools.map(({ name }) => name));
    if (names.size < specs.length) throw new ToolFailed(`two tools of ${name} have one name for frameworks`);
  }

  /** See {@linkcode Voice}. */
  async next({ system, messages, tools }: VoiceRequest, signal: AbortSignal): Promise<ModelTurn> {
    const real = (name: string) => realName(name, this.desk.hub);
    const span = childId(this.span, `step${++this.#steps}`);
    const request = {
      agent: this.name,
      span,
      system,
      messages: messages.map((message): Message => {
        if (message.role === "user") return message;
        if (message.role === "tool") {
          const isError = message.isError || this.#failed.has(message.callId);
          return { ...message, isError, name: real(message.name) };
        }
        return { ...message, calls: message.calls.map((call) => ({ ...call, name: real(call.name) })) };
      }),
      tools: tools.map((spec) => ({ ...spec, name: real(spec.name) })),
    };
    const turn = await this.#model.next(request, signal);
    const calls = turn.calls.map((call, i) => {
      // Scripted models count their own calls; frameworks tell calls of several agents apart by their ids.
      const id = `${this.name}-${call.id}`;
      this.#asked.set(id, childId(span, `call${i + 1}`));
      return { ...call, id, name: bridgeName(call.name) };
    });
    return { ...turn, calls };
  }

  /**
   * Calls one of the agent's tools, as an MCP client does: within the specialist's time, and a result that is an error is
   * thrown.
   *
   * @param name The tool's name as the framework knows it.
   * @param callId The id that the model gave the call.
   * @throws {ToolFailed} If the call came to nothing, with what the server or the hub says.
   */
  async call(name: string, args: { [key: string]: Json }, callId: string, signal: AbortSignal): Promise<string> {
    const { specialist } = this;
    const allow = specialist?.toolAllow ?? [];
    const limit = specialist?.callTimeoutMs ?? specialist?.deadlineMs;
    const outcome = await this.desk.hub.call(realName(name, this.desk.hub), args, {
      allow,
      signal,
      span: this.#asked.get(callId) ?? childId(this.span, "call"),
      ...(limit === undefined ? {} : { timeoutMs: limit }),
    });
    if (outcome.kind === "answered") return outcome.text;
    this.#failed.add(callId);
    throw new ToolFailed(outcome.text);
  }
}
