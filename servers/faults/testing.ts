/** What the tests of the catalogue share: one session with a desk, as its hub saw it, byte for byte. */
import {
  type ByteConnection,
  type ByteReader,
  type Clock,
  encodeLine,
  LineSplitter,
  memoryPair,
  sleep,
  spawnChild,
} from "../../core/mod.ts";
import { FixtureServer, RESET } from "../fixture_server.ts";
import { FaultLink } from "../injector.ts";
import { type Fields, isFields } from "../jsonrpc.ts";
import type { WorldEvent } from "../world_event.ts";
import type { Fault, FaultEntry } from "./fault.ts";
import { desk } from "./testdata/desk.ts";

/** How long a call that was struck is waited for, in milliseconds of its clock. */
const GRACE = 100;

/** What came of a request: the replies to it, or that it was called off, or that the connection ended first. */
export type Answer = Fields | "called off" | "closed";

/** One session, as the hub saw it. */
export interface Run {
  readonly events: readonly WorldEvent[];
  /** All bytes, one a character, and `<end>` if the other end closed. */
  readonly text: string;
  readonly chunks: number;
  /** Messages, in order. */
  readonly received: readonly Fields[];
  /** Lines that are no JSON. */
  readonly noise: readonly string[];
  /** Why the connection was refused. */
  readonly refused?: string;
  /** Replies to the steps that were come to, by their names, and how long each took. */
  readonly answers: ReadonlyMap<string, Answer>;
  readonly took: ReadonlyMap<string, number>;
  /** Names of all tools that were listed. */
  readonly tools: readonly string[];
  /** Whether the server ended the connection. */
  readonly isCut: boolean;
  /** Whether a second connection came about. */
  readonly reopened: boolean;
}

/** Connects to a desk that has no state. */
export type Connect = () => ByteConnection | Promise<ByteConnection>;

/** A desk in memory. */
export const inMemory = (clock: Clock): Connect => async () => {
  const [near, far] = memoryPair();
  const server = new FixtureServer(desk, far);
  server.bind({ clock });
  await server.start();
  return near;
};

/** A desk in a process of its own, leased to one session after another. */
export class SharedDesk implements AsyncDisposable {
  readonly #child = spawnChild({
    command: Deno.execPath(),
    args: ["run", "--quiet", "--no-prompt", new URL("./testdata/serve_desk.ts", import.meta.url).pathname],
    env: environment(),
  });
  #reader: ByteReader | undefined;

  constructor() {
    this.#child.open({
      bytes: (chunk) => this.#reader?.bytes(chunk),
      closed: () => this.#reader?.closed(),
    });
  }

  /** A connection to it, as to a new one: what it still had to say before is thrown away. */
  readonly connect: Connect = async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const lines = new LineSplitter({ line: (text) => text.includes('"ready"') && resolve(), overlong: () => {} });
    this.#reader = { bytes: (chunk) => lines.push(chunk), closed: resolve };
    await this.#child.write(encodeLine({ jsonrpc: "2.0", id: "ready", method: RESET }));
    await promise;
    this.#reader = undefined;
    let mine: ByteReader | undefined;
    return {
      open: (reader) => void (mine = this.#reader = reader),
      write: (chunk) => this.#child.write(chunk),
      close: () => {
        if (this.#reader === mine) this.#reader = undefined;
        mine?.closed();
        mine = undefined;
        return Promise.resolve();
      },
    };
  };

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child.close();
  }
}

/** Plays the same session over a link with these faults: initialize, list, calls one by one and side by side, close. */
export async function play(
  clock: Clock,
  connect: Connect,
  faults: readonly FaultEntry[],
  catalogue?: ReadonlyMap<string, Fault>,
): Promise<Run> {
  const events: WorldEvent[] = [];
  const link = new FaultLink({ server: "desk", connect, ...(catalogue && { catalogue }) });
  link.bind({ faults, clock, seed: "1", observer: (event) => events.push(event) });
  const hub = new RecordingHub(clock, events);
  const took = new Map<string, number>();
  const timed = async <T>(step: string, work: Promise<T>): Promise<T> => {
    const start = clock.now();
    const done = await work;
    took.set(step, clock.now() - start);
    return done;
  };
  const answers = new Map<string, Answer>();
  const ask = async (step: string, method: string, params: Fields = {}) => {
    const answer = await timed(step, hub.request(method, params));
    answers.set(step, answer);
    return answer;
  };
  const call = (step: string, name: string, args: Fields) => ask(step, "tools/call", { name, arguments: args });
  const tools: string[] = [];
  let refused: string | undefined;
  try {
    hub.open(await timed("connect", link.open()));
    await ask("initialize", "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    });
    hub.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    let cursor: unknown;
    for (let page = 1; page <= 6; page++) {
      const listed = await ask("list", "tools/list", cursor === undefined ? {} : { cursor });
      const result = typeof listed === "object" && isFields(listed.result) ? listed.result : {};
      const names: readonly unknown[] = Array.isArray(result.tools) ? result.tools : [];
      tools.push(...names.map((tool) => String(isFields(tool) ? tool.name : tool)));
      if ((cursor = result.nextCursor) === undefined) break;
    }
    await Promise.all([
      call("find", "find", { id: "D-42" }),
      call("search", "search", { query: "q" }),
    ]);
    await call("again", "find", { id: "D-42" });
    await call("typed", "typed", { id: "D-42" });
    await call("save", "save", { id: "D-42" });
    await ask("relist", "tools/list");
    await hub.quiet();
    await timed("close", hub.close());
  } catch (error) {
    refused = String(error);
  }
  const isCut = events.some((event) => event.type === "close" && event.by === "server");
  let reopened = false;
  if (isCut) reopened = await link.open().then((again) => again.close().then(() => true), () => false);
  await link.close();
  // Would throw if a session had been left.
  link.bind({ faults: [], clock, seed: "1", observer: () => {} });
  const { text, chunks, received, noise } = hub;
  return {
    ...{ events, text, chunks, received, noise, answers, took, tools, isCut, reopened },
    ...(refused === undefined ? {} : { refused }),
  };
}

/** A hub that keeps what it is sent, and gives a struck call a moment before it calls it off. */
class RecordingHub {
  text = "";
  chunks = 0;
  readonly received: Fields[] = [];
  readonly noise: string[] = [];
  #connection: ByteConnection | undefined;
  readonly #ended = Promise.withResolvers<"closed">();
  readonly #waiting = new Map<unknown, (reply: Fields) => void>();
  #id = 0;
  #isClosing = false;

  constructor(private readonly clock: Clock, private readonly events: readonly WorldEvent[]) {}

  open(connection: ByteConnection): void {
    const lines = new LineSplitter({
      line: (text) => this.#line(text),
      overlong: () => this.noise.push("overlong"),
      truncated: (text) => this.noise.push(text),
    });
    this.#connection = connection;
    connection.open({
      bytes: (chunk) => {
        this.chunks++;
        for (const byte of chunk.length < 10_000 ? chunk : []) this.text += String.fromCharCode(byte);
        if (chunk.length >= 10_000) this.text += `<${chunk.length} bytes>`;
        lines.push(chunk);
      },
      closed: () => {
        lines.end();
        if (!this.#isClosing) this.text += "<end>";
        this.#ended.resolve("closed");
      },
    });
  }

  send(message: Fields): void {
    try {
      void this.#connection?.write(encodeLine(message));
    } catch {
      // It is closed, which is known.
    }
  }

  async request(method: string, params: Fields): Promise<Answer> {
    const id = ++this.#id;
    const before = this.events.length;
    const reply = new Promise<Fields>((resolve) => this.#waiting.set(id, resolve));
    this.send({ jsonrpc: "2.0", id, method, params });
    const over = new AbortController();
    const answer = await Promise.race([reply, this.#ended.promise, this.#patience(before, over.signal)]);
    over.abort();
    if (answer === "called off") {
      this.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
      // What comes late comes now.
      await this.quiet();
    }
    return answer;
  }

  /** Waits for what is still to come. */
  async quiet(): Promise<void> {
    await sleep(this.clock, GRACE / 2);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#connection?.close();
  }

  /** Only a call that a fault has struck may stay unanswered. */
  async #patience(before: number, signal: AbortSignal): Promise<Answer> {
    try {
      while (!this.events.slice(before).some(({ type }) => type === "fault")) await sleep(this.clock, 5, signal);
      await sleep(this.clock, GRACE, signal);
      return "called off";
    } catch {
      return "closed";
    }
  }

  #line(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return void this.noise.push(text);
    }
    for (const one of Array.isArray(message) ? message : [message]) {
      if (!isFields(one)) continue;
      this.received.push(one);
      if (typeof one.method === "string" && one.id !== undefined) {
        this.send({ jsonrpc: "2.0", id: one.id, error: { code: -32601, message: "Method not found" } });
      } else if (one.method === undefined) {
        const id = Number(one.id);
        this.#waiting.get(id)?.(one);
        this.#waiting.delete(id);
      }
    }
  }
}

function environment(): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of ["DENO_DIR", "HOME", "XDG_CACHE_HOME"]) {
    const value = Deno.env.get(name);
    if (value !== undefined) env[name] = value;
  }
  return env;
}
