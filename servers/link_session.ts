import { type ByteConnection, ClosedError, encodeLine } from "../core/mod.ts";
import { held } from "./debts.ts";
import type { ArmedFault } from "./faults/armed.ts";
import type { LinkCircumstances, LinkControl, Phase, Step, Verdict } from "./faults/fault.ts";
import { FaultRequests } from "./fault_requests.ts";
import {
  cancelledId,
  type Fields,
  isFields,
  isReply,
  isRequest,
  isToolCall,
  type Reply,
  type RpcId,
  type RpcRequest,
  textOf,
} from "./jsonrpc.ts";
import type { LinkCell } from "./link_cell.ts";
import { Exchange, type Occasion, occasionOf, replyHooks, setupPhase } from "./link_exchange.ts";
import { LinkOutput, script, sendTo } from "./link_output.ts";
import { OwedReplies } from "./owed_replies.ts";
import { RawLines } from "./raw_lines.ts";
import type { CloseEvent } from "./world_event.ts";

const DECODER = new TextDecoder();

/** One for all: an error made for each connection would cost more than the connection. */
const ENDED = new ClosedError();

/** One connection through a link. */
export class LinkSession {
  readonly #exchanges = new Map<unknown, Exchange>();
  readonly #end = new AbortController();
  readonly #own = new FaultRequests();
  readonly #owed = new OwedReplies(() => this.#cell.debts);
  readonly #near: ByteConnection;
  readonly #far: ByteConnection;
  readonly #output: LinkOutput;
  #cell: LinkCell;
  /** A fault has done more than change whole messages: no other cell may have this connection. */
  #isTainted = false;

  /**
   * @param cell What the link is bound to.
   * @param near The hub's side.
   * @param far The server's side.
   */
  constructor(cell: LinkCell, near: ByteConnection, far: ByteConnection) {
    this.#cell = cell;
    this.#near = near;
    this.#far = far;
    this.#output = new LinkOutput(near, {
      signal: this.#end.signal,
      clock: () => this.#cell.clock,
      debts: () => this.#cell.debts,
      hangUp: () => this.#hangUp(),
      heard: (message) => this.#heard(message),
    });
    this.#output.listen(cell.ofBytes);
  }

  /** Begins to carry bytes both ways. */
  start(): void {
    this.#cell.sessions.add(this);
    this.#listen(this.#near, "hub", (line) => this.#fromHub(line), (rest) => sendTo(this.#far, rest));
    this.#listen(this.#far, "server", (line) => this.#fromServer(line), (rest) => this.#output.write(rest));
  }

  /** Lets the faults begin that act by themselves. */
  opened(faults: readonly ArmedFault[], attempt: number): void {
    for (const fault of faults) {
      const { opened } = fault.hooks;
      if (opened === undefined) continue;
      this.#isTainted = true;
      const occasion: Occasion = { phase: "connect", tool: undefined, call: attempt };
      const { ctx, broke } = this.#prepare(fault, occasion);
      try {
        const going = opened(ctx);
        if (going instanceof Promise) going.catch(broke);
      } catch (error) {
        broke(error);
      }
    }
  }

  /** Ends the connection on both sides; what faults still hold is lost. */
  end(by: CloseEvent["by"]): void {
    const cell = this.#cell;
    if (!cell.sessions.delete(this)) return;
    this.#end.abort(ENDED);
    this.#owed.forgive();
    cell.observe({ type: "close", server: cell.server, by });
    const closing = Promise.all([this.#near.close(), this.#far.close()]).then(() => {
      cell.closing.delete(closing);
    });
    cell.closing.add(closing);
  }

  /** A fault ends it in the server's name. That is known at once; either side hears of it later. */
  #hangUp(): void {
    if (this.#cell.sessions.has(this)) this.#cell.hasHungUp = true;
    this.end("server");
  }

  /** Whether it stands. */
  get isOpen(): boolean {
    return !this.#end.signal.aborted;
  }

  /** Whether no request is on its way and no fault has left its mark, so that nothing of this cell can reach the next. */
  get isIdle(): boolean {
    return this.#exchanges.size === 0 && this.isOpen && !this.#isTainted;
  }

  /** Leaves its cell as if the hub had closed it, and keeps the connection for another. */
  detach(): void {
    this.#cell.sessions.delete(this);
    this.#owed.forgive();
    this.#cell.observe({ type: "close", server: this.#cell.server, by: "hub" });
  }

  /** Goes on in another cell. */
  attach(cell: LinkCell): void {
    this.#cell = cell;
    this.#output.listen(cell.ofBytes);
    cell.sessions.add(this);
  }

  /** Closes a connection that belongs to no cell. */
  async discard(): Promise<void> {
    this.#end.abort(ENDED);
    await Promise.all([this.#near.close(), this.#far.close()]);
  }

  #listen(
    side: ByteConnection,
    by: "hub" | "server",
    line: (bytes: Uint8Array) => void,
    rest: (bytes: Uint8Array) => void,
  ) {
    const lines = new RawLines({ line, rest });
    side.open({
      bytes: (chunk) => {
        if (!this.#end.signal.aborted) lines.push(chunk);
      },
      closed: () => {
        if (this.#end.signal.aborted) return;
        lines.end();
        this.end(by);
      },
    });
  }

  #fromHub(line: Uint8Array): void {
    const message = this.#parse(line, "hub");
    if (message !== undefined) {
      if (isToolCall(message)) return this.#call(message, message.params, line);
      if (this.#cell.ofSetup && isRequest(message)) {
        const phase = setupPhase(message);
        if (phase !== undefined) return this.#pass(this.#begin(message, phase, undefined), line);
      }
      const id = cancelledId(message);
      if (id !== undefined) this.#owed.paid(id);
      const exchange = id === undefined ? undefined : this.#exchanges.get(id);
      if (exchange !== undefined) return this.#cancel(exchange, line);
      if (this.#own.takesAnswer(message)) return;
      if (isRequest(message)) return this.#give(message.id, line);
    }
    sendTo(this.#far, line);
  }

  /** Gives the server a request. */
  #give(id: RpcId, line: Uint8Array): void {
    this.#owed.owe(id);
    sendTo(this.#far, line);
  }

  #fromServer(line: Uint8Array): void {
    const message = this.#parse(line, "server");
    this.#handOn(message, line);
    // After it, so that nothing is settled between the server's answer and a fault that holds it.
    if (message !== undefined && message.method === undefined) this.#owed.paid(message.id);
  }

  #handOn(message: Fields | undefined, line: Uint8Array): void {
    if (message !== undefined && isReply(message)) {
      const exchange = this.#exchanges.get(message.id);
      if (exchange !== undefined && !exchange.answered) return this.#answer(exchange, message, line);
      if (this.#own.takesRepeated(message.id)) return;
    }
    this.#toHub(line);
  }

  #call(message: RpcRequest, { name, arguments: args = {}, _meta: meta = {} }: CallParams, line: Uint8Array): void {
    const cell = this.#cell;
    const exchange = this.#begin(message, "call", name);
    cell.observe({ type: "request", server: cell.server, tool: name, call: exchange.call, args, meta });
    // Whoever was told may have cut the hub off.
    if (this.isOpen) this.#pass(exchange, line);
  }

  #begin(message: RpcRequest, phase: Phase, tool: string | undefined): Exchange {
    const cell = this.#cell;
    const exchange = new Exchange(message, phase, tool, cell.nextOf(phase, tool), cell.strike(phase, tool));
    this.#exchanges.set(message.id, exchange);
    return exchange;
  }

  #pass(exchange: Exchange, line: Uint8Array): void {
    if (exchange.faults.length > 0) return void this.#throughRequestFaults(exchange, line);
    exchange.state = "sent";
    this.#give(exchange.request.id, line);
  }

  /** Runs without a pause, so that messages keep their order, unless a fault makes it wait. */
  async #throughRequestFaults(exchange: Exchange, line: Uint8Array): Promise<void> {
    const original = exchange.request;
    let message = original;
    for (const fault of exchange.faults) {
      const { request } = fault.hooks;
      if (request === undefined || fault.phase !== exchange.phase) continue;
      const asked = this.#ask(fault, occasionOf(exchange), (ctx) => request(message, ctx));
      const verdict = asked instanceof Promise ? await held(asked, this.#cell.debts) : asked;
      if (this.#end.signal.aborted) return;
      if (verdict?.do === "replace") message = verdict.message;
      if (verdict?.do === "answer" || verdict?.do === "drop") {
        exchange.state = "lost";
        if (verdict.do === "answer") await this.#reply(exchange, verdict.reply);
        return;
      }
    }
    exchange.state = "sent";
    this.#give(original.id, message === original ? line : encodeLine(message));
    if (exchange.cancel === undefined) return;
    this.#owed.paid(original.id);
    sendTo(this.#far, exchange.cancel);
  }

  #answer(exchange: Exchange, reply: Reply, line: Uint8Array): void {
    if (exchange.faults.length > 0 || this.#cell.ofBytes) return void this.#reply(exchange, reply, line);
    exchange.answered = true;
    this.#delivered(exchange, reply);
    this.#output.write(line);
  }

  /** As above. */
  async #reply(exchange: Exchange, original: Reply, line?: Uint8Array): Promise<void> {
    exchange.answered = true;
    let reply = original;
    for (const fault of exchange.faults) {
      for (const hook of replyHooks(fault, exchange.phase)) {
        const asked = this.#ask(fault, occasionOf(exchange), (ctx) => hook(reply, ctx));
        const verdict = asked instanceof Promise ? await held(asked, this.#cell.debts) : asked;
        if (this.#end.signal.aborted || verdict?.do === "drop") return;
        if (verdict?.do === "replace") reply = verdict.reply;
      }
    }
    // Where faults change bytes, it is delivered when it is heard.
    if (!this.#cell.ofBytes) this.#delivered(exchange, reply);
    this.#toHub(reply === original && line !== undefined ? line : encodeLine(reply), exchange);
  }

  #cancel(exchange: Exchange, line: Uint8Array): void {
    exchange.callOff();
    const { tool, call } = exchange;
    if (tool !== undefined) this.#cell.observe({ type: "cancelled", server: this.#cell.server, tool, call });
    if (exchange.state === "sent") sendTo(this.#far, line);
    // The server must not hear of the cancellation before it has heard of the call.
    else if (exchange.state === "held") exchange.cancel = line;
  }

  /** The hub is given a reply: that of this request, if the id is still its own. */
  #delivered(exchange: Exchange, reply: Reply): void {
    const { id } = exchange.request;
    if (reply.id !== id && String(reply.id) !== String(id)) return;
    this.#exchanges.delete(id);
    const { tool, call } = exchange;
    if (tool === undefined) return;
    const { server, observe } = this.#cell;
    const said = "error" in reply
      ? { isError: true, text: reply.error.message, error: reply.error }
      : { isError: reply.result.isError === true, text: textOf(reply.result) };
    observe({ type: "reply", server, tool, call, ...said });
  }

  #heard(message: Fields): void {
    if (!isReply(message)) return;
    const exchange = this.#exchanges.get(message.id) ?? this.#exchanges.get(Number(message.id));
    if (exchange !== undefined) this.#delivered(exchange, message);
  }

  /** Sends a line to the hub, through the faults that change bytes. */
  #toHub(line: Uint8Array, exchange?: Exchange): void {
    const cell = this.#cell;
    if (!cell.ofBytes) return this.#output.write(line);
    let steps: Iterable<Step> = [line];
    for (const fault of exchange?.faults ?? []) {
      if (fault.phase === exchange?.phase) steps = this.#script(steps, fault, occasionOf(exchange));
    }
    const ofStream = cell.faults.filter(({ phase, hooks }) => phase === "stream" && hooks.bytes !== undefined);
    if (ofStream.length > 0) {
      const call = cell.nextOf("stream", undefined);
      for (const fault of ofStream) {
        if (!cell.strikesOn(fault, "stream")) continue;
        steps = this.#script(steps, fault, { phase: "stream", tool: undefined, call, exchange });
      }
    }
    this.#output.play(steps);
  }

  /** What a fault makes of the pieces of a line. Lazy, because scripts may have no end. */
  #script(steps: Iterable<Step>, fault: ArmedFault, occasion: Occasion): Iterable<Step> {
    const { bytes } = fault.hooks;
    if (bytes === undefined) return steps;
    const { ctx, fired, broke } = this.#prepare(fault, occasion);
    return script(steps, (line) => bytes(line, ctx), {
      broke,
      fired: () => {
        this.#isTainted = true;
        fired();
      },
    });
  }

  /** Asks a fault what to do, and records that it fired, or that it broke; a broken fault lets the message pass. */
  #ask<V>(fault: ArmedFault, occasion: Occasion, hook: (ctx: LinkCircumstances) => Verdict<V>): Verdict<V> {
    const { ctx, fired, broke } = this.#prepare(fault, occasion);
    try {
      const verdict = hook(ctx);
      if (verdict !== undefined) {
        // What was listed or agreed on at the start of a session would be there for the next cell.
        if (occasion.phase !== "call") this.#isTainted = true;
        fired();
      }
      return verdict instanceof Promise ? verdict.catch(broke) : verdict;
    } catch (error) {
      return broke(error);
    }
  }

  #prepare(fault: ArmedFault, { phase, tool, call, exchange }: Occasion): Prepared {
    const cell = this.#cell;
    const place = () => cell.place(fault, phase, tool, call);
    let told = false;
    const fired = (): void => {
      if (told) return;
      told = true;
      cell.observe({ type: "fault", ...place() });
    };
    const broke = (error: unknown): void => {
      if (!this.#end.signal.aborted) cell.observe({ type: "fault_broke", ...place(), message: String(error) });
    };
    const ctx: LinkCircumstances = {
      ...cell.circumstances(fault, tool, call, this.#end.signal),
      phase,
      request: exchange?.request,
      link: this.#control(fired),
      cancelled: () => exchange?.cancelled() ?? new Promise(() => {}),
      covers: (name) => fault.covers(name),
    };
    return { ctx, fired, broke };
  }

  #control(fired: () => void): LinkControl {
    const used = (): boolean => {
      if (!this.isOpen) return false;
      this.#isTainted = true;
      fired();
      return true;
    };
    return {
      notify: (method, params) => {
        if (used()) this.#toHub(encodeLine({ jsonrpc: "2.0", method, ...(params && { params }) }));
      },
      ask: (method, params) => {
        return new Promise((resolve) => {
          if (used()) this.#toHub(this.#own.ask(method, params, resolve));
        });
      },
      repeat: (request) => {
        if (used()) sendTo(this.#far, this.#own.repeat(request));
      },
      hangUp: () => {
        if (used()) this.#hangUp();
      },
    };
  }

  #parse(line: Uint8Array, from: "hub" | "server"): Fields | undefined {
    const text = DECODER.decode(line);
    try {
      const message: unknown = JSON.parse(text);
      if (isFields(message)) return message;
    } catch {
      // Told below.
    }
    if (text.trim() !== "") {
      this.#cell.observe({ type: "bad_line", server: this.#cell.server, from, head: text.trimEnd().slice(0, 200) });
    }
    return undefined;
  }
}

type CallParams = Fields & { readonly name: string; readonly arguments?: Fields; readonly _meta?: Fields };

interface Prepared {
  readonly ctx: LinkCircumstances;
  fired(): void;
  broke(error: unknown): void;
}
