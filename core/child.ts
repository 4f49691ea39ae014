/**
 * Child processes as byte connections. Each child leads a process group of its own; closing it ends the whole group,
 * whatever it ignores, and waits until that is true.
 *
 * Limits: Linux and macOS; a grandchild that leaves the group (`setsid`) is not found.
 */
import { type ByteConnection, type ByteReader, ClosedError } from "./pipe.ts";

/** What to start, and how patient to be with it. */
export interface ChildOptions {
  /** Program: a name on PATH or a path. */
  command: string;
  /** Its arguments. */
  args?: readonly string[];
  /** The whole environment of the child; nothing is inherited. */
  env?: Readonly<Record<string, string>>;
  /** Working folder. */
  cwd?: string;
  /**
   * How long each of "closed stdin" and SIGTERM may take before the next is tried, in milliseconds.
   *
   * @default 500
   */
  graceMs?: number;
  /**
   * Called when the leader has ended, before the rest of its group is killed: for whoever wants to know what it has left
   * behind. It must be quick where nothing is left, because the group's id is free for others then. Must not throw.
   *
   * @default The rest is killed at once.
   */
  onLeaderEnd?: (pid: number) => Promise<void>;
  /**
   * How long a pipe may be silent and open after the leader has gone, in milliseconds: somebody who left the group may
   * hold it, and may even go on writing. After five times as long it is let go, whatever still comes.
   *
   * @default 2000
   */
  drainMs?: number;
}

/** The last bytes of stderr that are kept. */
const STDERR_TAIL = 8192;
/** See {@linkcode ChildOptions}. */
const DRAIN_MS = 2000;
/**
 * How many such times may pass in all. What a process leaves in its pipes is little, and is read long before; whatever
 * comes later is somebody else's, who could go on for ever.
 */
const DRAINS = 5;

const live = new Set<ChildConnection>();

/**
 * Kills the process group of every child that is still there, at once. For signal handlers and for the end of a
 * process: returns before the children are reaped.
 */
export function killChildren(): void {
  for (const child of live) child.kill("SIGKILL");
}

/** The process ids of all children that have not been reaped. */
export function childPids(): number[] {
  return [...live].map((child) => child.pid);
}

/**
 * Starts a program and connects to its stdin and stdout.
 *
 * @throws {Deno.errors.NotFound} If there is no such program.
 * @throws {Deno.errors.NotCapable} Without `--allow-run`.
 */
export function spawnChild(options: ChildOptions): ChildConnection {
  const process = new Deno.Command(options.command, {
    args: [...options.args ?? []],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...options.env },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
  return new ChildConnection(process, options.graceMs ?? 500, options.onLeaderEnd, options.drainMs);
}

/**
 * A running child, seen as the other end of a connection. When its leader has gone it answers nothing more: the rest of
 * its group is killed, what it had already written is delivered, and the reader is told that it has closed.
 */
export class ChildConnection implements ByteConnection {
  /** Process id, which is also the id of its group. */
  readonly pid: number;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  readonly #stdout: ReadableStreamDefaultReader<Uint8Array>;
  readonly #stderr: ReadableStreamDefaultReader<Uint8Array>;
  readonly #exit: Promise<Deno.CommandStatus>;
  readonly #errDone: Promise<void>;
  #outDone: Promise<void> = Promise.resolve();
  /** How many chunks have been read, of either stream. */
  #heard = 0;
  /** When the first began to wait for the ends of the pipes, on the machine's clock. */
  #draining: number | undefined;
  #reader: ByteReader | undefined;
  #tail = "";
  #gone = false;
  #closing: Promise<void> | undefined;

  /**
   * Takes charge of a process that leads a group of its own.
   *
   * @param process A process with all three streams piped.
   * @param graceMs How long each step of {@linkcode close} may take, in milliseconds.
   * @param onLeaderEnd See {@linkcode ChildOptions}.
   * @param drainMs See {@linkcode ChildOptions}.
   */
  constructor(
    process: Deno.ChildProcess,
    private readonly graceMs: number,
    onLeaderEnd?: (pid: number) => Promise<void>,
    private readonly drainMs: number = DRAIN_MS,
  ) {
    this.pid = process.pid;
    this.#stdin = process.stdin.getWriter();
    this.#stdin.closed.catch(() => {});
    this.#stdout = process.stdout.getReader();
    this.#stderr = process.stderr.getReader();
    this.#errDone = this.#drainStderr();
    live.add(this);
    this.#exit = process.status.then(async (status) => {
      this.#gone = true;
      // Not a turn later where nobody asks.
      if (onLeaderEnd !== undefined) await onLeaderEnd(this.pid);
      live.delete(this);
      // What the leader left behind in its group. At once, while the group's id cannot be anybody else's.
      this.kill("SIGKILL");
      return status;
    });
  }

  /** The end of what the child wrote to stderr, at most 8192 characters. */
  get stderrTail(): string {
    return this.#tail;
  }

  /** Resolves when the child has been reaped. */
  get exited(): Promise<{ code: number; signal: string | null }> {
    return this.#exit.then(({ code, signal }) => ({ code, signal }));
  }

  /** Resolves when the child has been reaped and {@linkcode stderrTail} is all that there will be. */
  get stderrEnded(): Promise<void> {
    return this.#exit.then(() => this.#drained(this.#errDone));
  }

  /** Begins delivery of what the child writes to stdout. */
  open(reader: ByteReader): void {
    this.#reader = reader;
    this.#outDone = this.#pump(reader);
    this.#exit.then(async () => {
      await this.#drained(this.#outDone);
      this.#hangUp();
    });
  }

  /**
   * Writes to the child's stdin; resolves when the pipe has taken it.
   *
   * @throws {ClosedError} If the child has gone, has closed its stdin, or is being closed.
   */
  async write(chunk: Uint8Array): Promise<void> {
    if (this.#gone || this.#closing !== undefined) throw new ClosedError();
    try {
      await this.#stdin.write(chunk);
    } catch (error) {
      throw new ClosedError(`the process does not read its input any more (${error})`);
    }
  }

  /**
   * Ends the child's stdin, once it has taken what was written; later writes fail. It may go on talking.
   *
   * @returns Resolves when it is done, or cannot be.
   */
  async endInput(): Promise<void> {
    await this.#stdin.close().catch(() => {});
  }

  /** Ends the child and its whole group, and waits for it. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  /** Sends a signal to the whole group. Harmless if nothing is left of it. */
  kill(signal: Deno.Signal): void {
    try {
      Deno.kill(-this.pid, signal);
    } catch {
      // Nobody is left to receive it.
    }
  }

  async #end(): Promise<void> {
    this.#stdin.close().catch(() => {});
    if (!await withinRealMs(this.#exit, this.graceMs)) {
      this.kill("SIGTERM");
      if (!await withinRealMs(this.#exit, this.graceMs)) this.kill("SIGKILL");
    }
    await this.#exit;
    const done = Promise.all([this.#outDone, this.#errDone]);
    // Somebody who left the group may hold the pipes for ever.
    await this.#drained(done);
    await Promise.all([
      this.#stdin.abort().catch(() => {}),
      this.#stdout.cancel().catch(() => {}),
      this.#stderr.cancel().catch(() => {}),
    ]);
    await done;
    this.#hangUp();
  }

  async #pump(reader: ByteReader): Promise<void> {
    for await (const chunk of chunks(this.#stdout)) {
      this.#heard++;
      if (this.#reader !== undefined) reader.bytes(chunk);
    }
    this.#hangUp();
  }

  async #drainStderr(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of chunks(this.#stderr)) {
      this.#heard++;
      this.#tail = (this.#tail + decoder.decode(chunk, { stream: true })).slice(-STDERR_TAIL);
    }
  }

  /** Waits for the ends of pipes, as long as anything comes out of them; but not for ever. */
  async #drained(ends: Promise<unknown>): Promise<void> {
    this.#draining ??= performance.now();
    for (let before = -1; before !== this.#heard;) {
      before = this.#heard;
      if (await withinRealMs(ends, this.drainMs)) return;
      if (performance.now() - this.#draining >= DRAINS * this.drainMs) return;
    }
  }

  #hangUp(): void {
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.closed();
  }
}

/** What arrives until the stream ends, breaks or is cancelled. */
async function* chunks(stream: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { value, done } = await stream.read().catch(() => ({ value: undefined, done: true }));
    if (done || value === undefined) return;
    yield value;
  }
}

/** Whether the promise settles within so many real milliseconds. */
async function withinRealMs(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let id: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => id = setTimeout(() => resolve(false), ms));
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(id);
  }
}
