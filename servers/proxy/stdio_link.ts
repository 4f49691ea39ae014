/** A client on our stdin and stdout, and a server behind the injector. */
import { type ByteConnection, type ChildConnection, ClosedError, stdioConnection } from "../../core/mod.ts";
import { ConnectionRefusedError } from "../injector.ts";
import { batched } from "./batched.ts";
import { FarEnd } from "./far_end.ts";
import { END_GRACE_MS, endGroup, TERM_GRACE_MS, WAIT_MS, within } from "./group.ts";
import { Injection } from "./injection.ts";
import type { ProxyOptions } from "./options.ts";

/** The server's side. */
interface Server {
  readonly far: FarEnd;
  /** The process, if it is one. */
  readonly child?: ChildConnection;
  /** Tells it that nothing more will be asked. */
  endInput(): Promise<void>;
}

/**
 * Runs until stdin ends and everything is answered, or the server ends, or the signal aborts.
 *
 * @returns The server's exit code; 1 if a fault ended the connection or let none come about.
 * @throws {ProxyUsageError} If something that is asked for cannot be had.
 */
export async function runStdioLink(options: ProxyOptions): Promise<number> {
  const { signal, say } = options;
  let server: Server | undefined;
  await using injection = await Injection.open(options, async (own) => {
    server = await connect(own, options);
    return server.far;
  });
  const told = Promise.withResolvers<"told">();
  let kill: ReturnType<typeof setTimeout> | undefined;
  const onAbort = () => {
    injection.signal("SIGTERM");
    kill ??= setTimeout(() => injection.signal("SIGKILL"), TERM_GRACE_MS);
    told.resolve("told");
  };
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const stdio = stdioConnection();
  try {
    const opening = injection.link.open();
    opening.catch(() => {});
    const hub = await Promise.race([opening, told.promise]);
    if (hub === "told" || server === undefined) return 130;
    const { child } = server;
    const { ended, gone, closed, flushed } = join(stdio, hub);
    const over = Promise.race([closed.then(() => "closed" as const), gone, told.promise]);
    let why = await Promise.race([over, ended]);
    if (why === "stdin") why = await seeOff(server, injection, hub, over, options.waitMs ?? WAIT_MS);
    await injection.link.close();
    await closed;
    await flushed();
    if (why === "told") return 130;
    const code = child === undefined ? 0 : (await child.exited).code;
    // Only the link knows who ended it: server, client and fault may all do so at the same time, and are heard in any order.
    if (!injection.link.hasHungUp) return code;
    say("a fault has ended the connection");
    return 1;
  } catch (error) {
    if (signal.aborted && error instanceof ClosedError) return 130;
    if (!(error instanceof ConnectionRefusedError)) throw error;
    say(`no connection: ${error.message}`);
    return 1;
  } finally {
    clearTimeout(kill);
    signal.removeEventListener("abort", onAbort);
    void stdio.close();
  }
}

async function connect(own: Injection, { upstream, say }: ProxyOptions): Promise<Server> {
  if (upstream !== undefined) {
    const { UpstreamConnection } = await import("./upstream.ts");
    return { far: new FarEnd(new UpstreamConnection(new URL(upstream), say)), endInput: () => Promise.resolve() };
  }
  const child = own.start();
  const far = batched(child);
  return {
    far: new FarEnd(far),
    child,
    endInput: async () => {
      await far.flushed();
      await child.endInput();
    },
  };
}

/** Why it is over: the client has said all, or reads no more; we have been told; the server or a fault has ended it. */
type Why = "stdin" | "gone" | "told" | "closed";

/**
 * What there is to do when stdin has ended. The server hears of that after all that was said before, and has until then,
 * and as long as it still owes an answer, all the time that it may have; what faults hold back comes before its own end.
 */
async function seeOff(
  { far, child, endInput }: Server,
  { link, closesLate }: Injection,
  hub: ByteConnection,
  over: Promise<Why>,
  waitMs: number,
): Promise<Why> {
  const answered = async (): Promise<Why> => {
    await link.flushed();
    // A fault may have something to say about the end.
    if (!closesLate) await endInput();
    // A process that has said nothing may not have begun.
    if (child !== undefined) await far.heard;
    await link.settled();
    return "stdin";
  };
  const first = Promise.race([answered(), over]);
  const inTime = within(first, waitMs);
  far.beforeEnd = () => Promise.race([link.flushed(), inTime]);
  const why = await inTime ? await first : "stdin";
  // What a fault has cut off needs no more time.
  if (why !== "stdin" || link.hasHungUp) return why;
  if (closesLate) await Promise.race([hub.close(), over]);
  else if (child !== undefined) {
    void endInput();
    const grace = Math.min(END_GRACE_MS, waitMs);
    await endGroup(child.pid, child.exited, [[grace, "SIGTERM"], [TERM_GRACE_MS, "SIGKILL"]]);
    // What it has written last is still on its way to us.
    await over;
  }
  return "stdin";
}

/** Joins the client's bytes to the hub's end of a link. */
function join(stdio: ByteConnection, hub: ByteConnection) {
  const ended = Promise.withResolvers<"stdin">();
  const gone = Promise.withResolvers<"gone">();
  const closed = Promise.withResolvers<void>();
  // A client that does not read any more has gone.
  const out = batched(stdio, () => gone.resolve("gone"));
  hub.open({ bytes: (chunk) => tryWrite(out, chunk), closed: () => closed.resolve() });
  stdio.open({
    bytes: (chunk) => tryWrite(hub, chunk),
    // The link has what came before when the next task begins.
    closed: () => void setTimeout(() => ended.resolve("stdin"), 0),
  });
  return { ended: ended.promise, gone: gone.promise, closed: closed.promise, flushed: () => out.flushed() };
}

function tryWrite(to: ByteConnection, chunk: Uint8Array): void {
  try {
    void to.write(chunk);
  } catch {
    // It is closed, of which its own reader is told.
  }
}
