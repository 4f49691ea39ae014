/**
 * The way to a cell's MCP servers for processes that the bench has not started: a listener on loopback, which joins whoever
 * has the cell's token to the server that they name. Faults and records stay on the bench's side of it.
 */
import { timingSafeEqual } from "node:crypto";
import type { ServerPort } from "../../../agents/mod.ts";
import { type ByteConnection, ClosedError } from "../../../core/mod.ts";

/** How long a first line may be, in bytes, and how long it may take, in milliseconds. */
const MAX_HELLO = 512;
const HELLO_MS = 10_000;
/** How many may stand in them at once: each has a process of the server's behind it. Who comes then is turned away. */
const MAX_VISITS = 64;
/** How long a visit may take to notice that it is over, in milliseconds. */
const LEAVING_MS = 500;

/** The doors of one cell. */
export interface Doors extends AsyncDisposable {
  /** Where they are, as `127.0.0.1:PORT`. */
  readonly place: string;
  /** What opens them. */
  readonly token: string;
  /**
   * Waits until nobody stands in one any more.
   *
   * @param ms For how long at most.
   * @returns How many are still open then.
   */
  empty(ms: number): Promise<number>;
}

/**
 * Opens the doors to these servers. Each visit is a connection of its own: a subject that starts a server again gets a new
 * one.
 */
export function openDoors(ports: readonly ServerPort[]): Doors {
  const token = crypto.randomUUID();
  const byName = new Map(ports.map((port) => [port.name, port]));
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const visits = new Set<Promise<void>>();
  const sockets = new Set<Deno.TcpConn>();
  const welcome = async (): Promise<void> => {
    for await (const socket of listener) {
      if (visits.size >= MAX_VISITS) {
        closeSocket(socket);
        continue;
      }
      sockets.add(socket);
      const visit = visitOf(socket, token, byName).catch(() => {}).finally(() => {
        closeSocket(socket);
        sockets.delete(socket);
        visits.delete(visit);
      });
      visits.add(visit);
    }
  };
  const welcoming = welcome().catch(() => {});
  const { port } = listener.addr;
  const empty = async (ms: number): Promise<number> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => timer = setTimeout(resolve, ms));
    await Promise.race([Promise.all(visits), late]);
    clearTimeout(timer);
    return visits.size;
  };
  return {
    place: `127.0.0.1:${port}`,
    token,
    empty,
    async [Symbol.asyncDispose]() {
      listener.close();
      await welcoming;
      for (const socket of sockets) closeSocket(socket);
      // A server that takes its time to be reached is not waited for: the cell's end ends it.
      await empty(LEAVING_MS);
    },
  };
}

/** One visit, from its first line until one of the two sides is closed. */
async function visitOf(
  socket: Deno.TcpConn,
  token: string,
  ports: ReadonlyMap<string, ServerPort>,
): Promise<void> {
  socket.setNoDelay(true);
  const hello = await readHello(socket);
  const [key = "", name = ""] = hello?.line.split(" ") ?? [];
  const port = ports.get(name);
  if (hello === undefined || !isSame(key, token) || port === undefined) return;
  const connection = await port.connect();
  try {
    await join(socket, connection, hello.rest);
  } finally {
    await connection.close();
  }
}

/** Reads the first line, byte by byte as it comes; nothing if there is none in time. */
async function readHello(socket: Deno.TcpConn): Promise<{ line: string; rest: Uint8Array } | undefined> {
  const timer = setTimeout(() => closeSocket(socket), HELLO_MS);
  try {
    let seen = new Uint8Array();
    for (const chunk = new Uint8Array(MAX_HELLO);;) {
      const read = await socket.read(chunk);
      if (read === null) return undefined;
      const longer = new Uint8Array(seen.length + read);
      longer.set(seen);
      longer.set(chunk.subarray(0, read), seen.length);
      seen = longer;
      const end = seen.indexOf(10);
      if (end >= 0) return { line: new TextDecoder().decode(seen.subarray(0, end)), rest: seen.slice(end + 1) };
      if (seen.length > MAX_HELLO) return undefined;
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Carries bytes both ways until either side has closed. */
async function join(socket: Deno.TcpConn, connection: ByteConnection, first: Uint8Array): Promise<void> {
  let writing: Promise<unknown> = Promise.resolve();
  connection.open({
    bytes: (chunk) => writing = writing.then(() => writeAll(socket, chunk)).catch(() => {}),
    // What was said before the end is delivered first.
    closed: () => void writing.then(() => closeSocket(socket)),
  });
  try {
    if (first.length > 0) await connection.write(first);
    for (;;) {
      // A new buffer each time: the connection keeps what it is given.
      const chunk = new Uint8Array(64 * 1024);
      const read = await socket.read(chunk);
      if (read === null) return;
      await connection.write(chunk.subarray(0, read));
    }
  } catch (error) {
    if (error instanceof ClosedError) await writing;
  }
}

async function writeAll(socket: Deno.TcpConn, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length;) at += await socket.write(chunk.subarray(at));
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [given, token].map((text) => new TextEncoder().encode(text));
  return a !== undefined && b !== undefined && a.length === b.length && timingSafeEqual(a, b);
}

function closeSocket(socket: Deno.TcpConn): void {
  try {
    socket.close();
  } catch {
    // Closed by the other side of this.
  }
}
