/**
 * The proxy when there is nothing for it to do: no fault, no record. The server has our stdout and stderr for its own, so
 * that what it says passes nobody; stdin passes through us, because it is how we learn that the client has gone.
 */
import { endGroup, signalGroup, startProgram, TERM_GRACE_MS, WAIT_MS, within } from "./group.ts";
import type { ProxyOptions } from "./options.ts";

/**
 * Runs a server until stdin ends, or it ends, or the signal aborts.
 *
 * @returns The server's exit code; 128 and its number if a signal ended it.
 * @throws {ProxyUsageError} If it cannot be started.
 */
export async function runStraight({ command, cwd, signal, waitMs = WAIT_MS }: ProxyOptions): Promise<number> {
  const child = startProgram(
    command,
    (program, args) =>
      new Deno.Command(program, { args, cwd, stdin: "piped", stdout: "inherit", stderr: "inherit", detached: true })
        .spawn(),
  );
  const { pid, status } = child;
  const stdin = Deno.stdin.readable.getReader();
  const told = Promise.withResolvers<"told">();
  const onAbort = () => told.resolve("told");
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const said = pump(stdin, child.stdin.getWriter());
  const over = Promise.race([told.promise, status.then(() => "exit" as const)]);
  try {
    await Promise.race([said, over]);
    // What it still owes, we do not see: it has all the time that it may have, and not less for being quick.
    const why = await within(over, waitMs) ? await over : "late";
    if (why === "exit") signalGroup(pid, "SIGKILL");
    else await endGroup(pid, status, [[0, "SIGTERM"], [TERM_GRACE_MS, "SIGKILL"]]);
    return (await status).code;
  } finally {
    signal.removeEventListener("abort", onAbort);
    void stdin.cancel().catch(() => {});
  }
}

/** As fast as the server reads, and no faster. Resolves when stdin has ended. */
async function pump(
  from: ReadableStreamDefaultReader<Uint8Array>,
  to: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  to.closed.catch(() => {});
  for (;;) {
    const { value, done } = await from.read().catch(() => ({ value: undefined, done: true }));
    if (done || value === undefined) break;
    // A server that does not read any more may still have something to say.
    await to.write(value).catch(() => {});
  }
  await to.close().catch(() => {});
}
