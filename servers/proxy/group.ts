/** Processes that lead a group of their own, and how their errors are told. */
import { ProxyUsageError } from "./options.ts";

/**
 * How long a server may take, once the client has said all, to begin, to answer what it has been asked and to end by
 * itself, in milliseconds. Only a hang should reach it: a client that is in more of a hurry sends SIGTERM.
 */
export const WAIT_MS = 30_000;
/** How long it may take to end by itself once it has answered everything and its stdin has ended, in milliseconds. */
export const END_GRACE_MS = 5000;
/** How long it may take to end when nobody wants its answers any more, in milliseconds, before SIGTERM. */
export const CLOSE_GRACE_MS = 1500;
/** How long a server may take to obey SIGTERM when the proxy itself has been told to end, in milliseconds. */
export const TERM_GRACE_MS = 500;

const alive = new Set<number>();
// For the second Ctrl-C, which ends this process on the spot.
globalThis.addEventListener("unload", () => {
  for (const pid of alive) signalGroup(pid, "SIGKILL");
});

/** Sends a signal to all of a group; harmless if nothing is left of it. */
export function signalGroup(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(-pid, signal);
  } catch {
    // Nobody is left to receive it.
  }
}

/**
 * Waits for the leader of a group, sending one signal after another while it does not end, and then kills the rest.
 *
 * @param steps Signals, each after so many milliseconds more.
 */
export async function endGroup(
  pid: number,
  exited: Promise<unknown>,
  steps: readonly (readonly [ms: number, signal: Deno.Signal])[],
): Promise<void> {
  for (const [ms, signal] of steps) {
    if (ms > 0 && await within(exited, ms)) break;
    signalGroup(pid, signal);
  }
  await exited;
  signalGroup(pid, "SIGKILL");
}

/** Starts a program, or says why it cannot be. */
export function startProgram(
  command: readonly string[],
  start: (program: string, args: string[]) => Deno.ChildProcess,
) {
  const [program, ...args] = command;
  if (program === undefined) throw new ProxyUsageError("no command: bench proxy [options] -- COMMAND ARGS…");
  try {
    const process = start(program, args);
    alive.add(process.pid);
    void process.status.then(() => alive.delete(process.pid));
    return process;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      throw new ProxyUsageError(`there is no command ${JSON.stringify(program)}`);
    }
    if (error instanceof Deno.errors.NotCapable) {
      throw new ProxyUsageError("no permission to start a command: run deno with --allow-run");
    }
    if (error instanceof Deno.errors.PermissionDenied) {
      throw new ProxyUsageError(`${JSON.stringify(program)} may not be run`);
    }
    throw error;
  }
}

/** Whether a promise settles within so many milliseconds. */
export async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let id: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => id = setTimeout(() => resolve(false), ms));
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(id);
  }
}
