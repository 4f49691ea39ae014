/** A server in plain JSON lines, as small as it can be, for the hub's tests. */
import { type ByteConnection, encodeLine, type Json, LineSplitter, memoryPair } from "../../core/mod.ts";
import type { ServerPort } from "./hub.ts";

/** A tool call as the server got it. */
export interface FakeCall {
  readonly id: number;
  readonly tool: string;
  readonly args: Json;
  readonly meta: Json;
}

type Frame = { [key: string]: Json };

/** What the server does. Whatever is left out works. */
export interface FakeOptions {
  /** Entries of its list of tools; more than one list is more than one page. */
  readonly pages?: readonly (readonly Json[])[];
  /** Takes the place of its answer to a method, for the frame `id` that it is given. */
  readonly on?: Readonly<Record<string, (id: number, server: FakeServer, params: Frame) => void>>;
  /** Answers a call; without it every call is answered with `ok`. */
  readonly call?: (call: FakeCall, server: FakeServer) => void;
}

/** A tool as a server lists it. */
export const tool = (name: string): Json => ({ name, description: `about ${name}`, inputSchema: { type: "object" } });

/** A tool result of one text. */
export const textResult = (text: string): Json => ({ content: [{ type: "text", text }] });

/** One server, for any number of connections. */
export class FakeServer {
  readonly port: ServerPort;
  /** Every frame received, in order. */
  readonly received: Frame[] = [];
  /** Every call received, in order. */
  readonly calls: FakeCall[] = [];
  /** Connections that were opened, and those of them that are closed. */
  opened = 0;
  closed = 0;
  #connection: ByteConnection | undefined;

  constructor(name: string, private readonly options: FakeOptions = {}) {
    this.port = { name, connect: () => Promise.resolve(this.connect()) };
  }

  connect(): ByteConnection {
    const [near, far] = memoryPair();
    this.opened++;
    this.#connection = far;
    const splitter = new LineSplitter({ line: (text) => this.#take(JSON.parse(text)), overlong: () => {} });
    far.open({
      bytes: (chunk) => splitter.push(chunk),
      closed: () => this.closed++,
    });
    return near;
  }

  /** Methods of the notifications received. */
  get notified(): Json[] {
    return this.received.filter((frame) => frame["id"] === undefined).map((frame) => frame["method"] ?? null);
  }

  /** Writes a line as it is, or the beginning of one. */
  raw(line: string, end = "\n"): void {
    this.#write(new TextEncoder().encode(line + end));
  }

  send(frame: Json): void {
    this.#write(encodeLine(frame));
  }

  reply(id: number, result: Json): void {
    this.send({ jsonrpc: "2.0", id, result });
  }

  /** Goes away. */
  die(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  #write(bytes: Uint8Array): void {
    try {
      this.#connection?.write(bytes);
    } catch {
      // Whoever asked is gone.
    }
  }

  #take(frame: Frame): void {
    this.received.push(frame);
    const { id, method } = frame;
    if (typeof id !== "number" || typeof method !== "string") return;
    const params = (frame["params"] ?? {}) as Frame;
    const own = this.options.on?.[method];
    if (own !== undefined) return own(id, this, params);
    if (method === "initialize") {
      const serverInfo = { name: this.port.name, version: "1" };
      this.reply(id, { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo });
    } else if (method === "tools/list") {
      const pages = this.options.pages ?? [[tool("find")]];
      const page = Number(params["cursor"] ?? 0);
      const more = page + 1 < pages.length ? { nextCursor: String(page + 1) } : {};
      this.reply(id, { tools: [...pages[page] ?? []], ...more });
    } else if (method === "tools/call") {
      const call = {
        id,
        tool: String(params["name"]),
        args: params["arguments"] ?? null,
        meta: params["_meta"] ?? null,
      };
      this.calls.push(call);
      if (this.options.call === undefined) this.reply(id, textResult("ok"));
      else this.options.call(call, this);
    }
  }
}
