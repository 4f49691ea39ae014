import { type ByteConnection, ClosedError, encodeLine } from "../core/mod.ts";
import type { ArmedFault } from "./faults/armed.ts";
import type { Circumstances, Verdict } from "./faults/fault.ts";
import {
  cancelledId,
  type Fields,
  isFields,
  isReply,
  isToolCall,
  type Reply,
  textOf,
  type ToolCall,
} from "./jsonrpc.ts";
import type { LinkCell } from "./link_cell.ts";
import { RawLines } from "./raw_lines.ts";
import type { CloseEvent } from "./world_event.ts";

const DECODER = new TextDecoder();

/** One for all: an error made for each connection would cost more than the connection. */
const ENDED = new ClosedError();

/** A call that the hub has made and not been answered. */
interface Call {
  readonly tool: string;
  /** Its number among the calls of its tool. */
  readonly call: number;
  /** The faults that strike it, settled once, when it is made. */
  readonly faults: readonly ArmedFault[];
  /** `held` while faults have its request, then `sent`, or `lost` if the server never sees it. */
  state: "held" | "sent" | "lost";
  /** The server has answered, and faults have the reply. */
  answered: boolean;
  /** The hub's cancellation, if it came while the request was held. */
  cancel?: Uint8Array;
}

/** One connection through a link. */
export class LinkSession {
  readonly #calls = new Map<unknown, Call>();
  readonly #end = new AbortController();

  #cell: LinkCell;
  readonly #near: ByteConnection;
  readonly #far: ByteConnection;

  /**
   * @param cell What the link is bound to.
   * @param near The hub's side.
   * @param far The server's side.
   */
  constructor(cell: LinkCell, near: ByteConnection, far: ByteConnection) {
    this.#cell = cell;
    this.#near = near;
    this.#far = far;
  }

  /** Begins to carry bytes both ways. */
  start(): void {
    this.#cell.sessions.add(this);
    this.#listen(this.#near, "hub", (line) => this.#fromHub(line), (rest) => send(this.#far, rest));
    this.#listen(this.#far, "server", (line) => this.#fromServer(line), (rest) => send(this.#near, rest));
  }

  /** Ends the connection on both sides; what faults still hold is lost. */
  end(by: CloseEvent["by"]): void {
    const cell = this.#cell;
    if (!cell.sessions.delete(this)) return;
    this.#end.abort(ENDED);
    cell.observe({ type: "close", server: cell.server, by });
    const closing = Promise.all([this.#near.close(), this.#far.close()]).then(() => {
      cell.closing.delete(closing);
    });
    cell.closing.add(closing);
  }

  /** Whether no call is on its way, so that nothing of this cell can reach the next. */
  get isIdle(): boolean {
    return this.#calls.size === 0 && !this.#end.signal.aborted;
  }

  /** Leaves its cell as if the hub had closed it, and keeps the connection for another. */
  detach(): void {
    this.#cell.sessions.delete(this);
    this.#cell.observe({ type: "close", server: this.#cell.server, by: "hub" });
  }

  /** Goes on in another cell. */
  attach(cell: LinkCell): void {
    this.#cell = cell;
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
      if (isToolCall(message)) return this.#request(message, line);
      const id = cancelledId(message);
      const call = id === undefined ? undefined : this.#calls.get(id);
      if (call !== undefined) return this.#cancel(call, line);
    }
    send(this.#far, line);
  }

  #fromServer(line: Uint8Array): void {
    const message = this.#parse(line, "server");
    if (message !== undefined && isReply(message)) {
      const call = this.#calls.get(message.id);
      if (call !== undefined && !call.answered) return void this.#reply(call, message, line);
    }
    send(this.#near, line);
  }

  #request(message: ToolCall, line: Uint8Array): void {
    const cell = this.#cell;
    const { name: tool, arguments: args = {}, _meta: meta = {} } = message.params;
    const call: Call = { tool, call: cell.nextCall(tool), faults: cell.strike(tool), state: "held", answered: false };
    this.#calls.set(message.id, call);
    cell.observe({ type: "request", server: cell.server, tool, call: call.call, args, meta });
    void this.#throughRequestFaults(call, message, line);
  }

  /** Runs without a pause, so that messages keep their order, unless a fault makes it wait. */
  async #throughRequestFaults(call: Call, original: ToolCall, line: Uint8Array): Promise<void> {
    let message = original;
    for (const fault of call.faults) {
      const { request } = fault.hooks;
      if (request === undefined) continue;
      const asked = this.#ask(fault, call, (ctx) => request(message, ctx));
      const verdict = asked instanceof Promise ? await asked : asked;
      if (this.#end.signal.aborted) return;
      if (verdict?.do === "replace") message = verdict.message;
      if (verdict?.do === "answer" || verdict?.do === "drop") {
        call.state = "lost";
        if (verdict.do === "answer") await this.#reply(call, verdict.reply);
        return;
      }
    }
    call.state = "sent";
    send(this.#far, message === original ? line : encodeLine(message));
    if (call.cancel !== undefined) send(this.#far, call.cancel);
  }

  /** As above. */
  async #reply(call: Call, original: Reply, line?: Uint8Array): Promise<void> {
    call.answered = true;
    let reply = original;
    for (const fault of call.faults) {
      const { reply: hook } = fault.hooks;
      if (hook === undefined) continue;
      const asked = this.#ask(fault, call, (ctx) => hook(reply, ctx));
      const verdict = asked instanceof Promise ? await asked : asked;
      if (this.#end.signal.aborted || verdict?.do === "drop") return;
      if (verdict?.do === "replace") reply = verdict.reply;
    }
    this.#calls.delete(original.id);
    const { server, observe } = this.#cell;
    const said = "error" in reply
      ? { isError: true, text: reply.error.message, error: reply.error }
      : { isError: reply.result.isError === true, text: textOf(reply.result) };
    observe({ type: "reply", server, tool: call.tool, call: call.call, ...said });
    send(this.#near, reply === original && line !== undefined ? line : encodeLine(reply));
  }

  #cancel(call: Call, line: Uint8Array): void {
    this.#cell.observe({ type: "cancelled", server: this.#cell.server, tool: call.tool, call: call.call });
    if (call.state === "sent") send(this.#far, line);
    // The server must not hear of the cancellation before it has heard of the call.
    else if (call.state === "held") call.cancel = line;
  }

  /** Asks a fault what to do, and records that it fired, or that it broke; a broken fault lets the message pass. */
  #ask<V>(fault: ArmedFault, call: Call, hook: (ctx: Circumstances) => Verdict<V>): Verdict<V> {
    const { server, observe } = this.#cell;
    const place = { server, fault: fault.id, at: fault.at, tool: call.tool, call: call.call };
    const broke = (error: unknown): void => {
      if (!this.#end.signal.aborted) observe({ type: "fault_broke", ...place, message: String(error) });
    };
    try {
      const verdict = hook(this.#cell.circumstances(fault, call.tool, call.call, this.#end.signal));
      if (verdict !== undefined) observe({ type: "fault", ...place });
      return verdict instanceof Promise ? verdict.catch(broke) : verdict;
    } catch (error) {
      return broke(error);
    }
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

/** Sends bytes to a side that may be gone, which its reader will hear of by itself. */
function send(side: ByteConnection, bytes: Uint8Array): void {
  try {
    const written = side.write(bytes);
    if (written instanceof Promise) written.catch(() => {});
  } catch {
    // As above.
  }
}
