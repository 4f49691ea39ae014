/** A client on our stdin and stdout, and a server behind the injector. */
import { type ByteConnection, type ChildConnection, ClosedError, stdioConnection } from "../../core/mod.ts";
import { ConnectionRefusedError } from "../injector.ts";
import { batched } from "./batched.ts";
import { TERM_GRACE_MS } from "./group.ts";
import { Injection } from "./injection.ts";
import type { ProxyOptions } from "./options.ts";

/**
 * Runs until stdin ends, or the server does, or the signal aborts.
 *
 * @returns The server's exit code; 1 if a fault ended the connection or let none come about.
 * @throws {ProxyUsageError} If something that is asked for cannot be had.
 */
export async function runStdioLink(options: ProxyOptions): Promise<number> {
  const { upstream, signal, say } = options;
  let far: ByteConnection | undefined;
  let child: ChildConnection | undefined;
  await using injection = await Injection.open(options, async (own) => {
    if (upstream === undefined) return far = batched(child = own.start());
    const { UpstreamConnection } = await import("./upstream.ts");
    return far = new UpstreamConnection(new URL(upstream), say);
  });
  const aborted = Promise.withResolvers<"told">();
  const onAbort = () => {
    injection.signal("SIGTERM");
    aborted.resolve("told");
  };
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const stdio = stdioConnection();
  let kill: ReturnType<typeof setTimeout> | undefined;
  try {
    const opening = injection.link.open();
    opening.catch(() => {});
    const hub = await Promise.race([opening, aborted.promise]);
    if (hub === "told") return 130;
    const { ended, closed, flushed } = join(stdio, hub);
    const why = await Promise.race([ended, closed, aborted.promise]);
    if (why === "stdin" && !injection.closesLate) {
      // What it has been asked it still answers, as it would without us.
      await far?.close();
    } else if (why !== "server") {
      if (why === "told") kill = setTimeout(() => injection.signal("SIGKILL"), TERM_GRACE_MS);
      if (why === "told") await injection.link.close();
      else await hub.close();
    }
    await closed;
    await injection.link.close();
    await flushed();
    const code = child === undefined ? 0 : (await child.exited).code;
    if (why !== "server") return why === "told" ? 130 : code;
    if (code === 0 && injection.hasFired) say("a fault has ended the connection");
    return code === 0 && injection.hasFired ? 1 : code;
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

/** Joins the client's bytes to the hub's end of a link. */
function join(stdio: ByteConnection, hub: ByteConnection) {
  const ended = Promise.withResolvers<"stdin">();
  const closed = Promise.withResolvers<"server">();
  // A client that does not read any more has gone.
  const out = batched(stdio, () => ended.resolve("stdin"));
  hub.open({ bytes: (chunk) => tryWrite(out, chunk), closed: () => closed.resolve("server") });
  stdio.open({
    bytes: (chunk) => tryWrite(hub, chunk),
    // The link has what came before when the next task begins.
    closed: () => void setTimeout(() => ended.resolve("stdin"), 0),
  });
  return { ended: ended.promise, closed: closed.promise, flushed: () => out.flushed() };
}

function tryWrite(to: ByteConnection, chunk: Uint8Array): void {
  try {
    void to.write(chunk);
  } catch {
    // It is closed, of which its own reader is told.
  }
}
