/** What a command may touch of the world around it: two streams, a place, and a few variables. */

/** The terminal side of a command. Tests pass their own. */
export interface CliIo {
  /** Writes data to stdout, as it is. */
  out(text: string): void;
  /** Writes progress and complaints to stderr, as they are. */
  err(text: string): void;
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  /** Width of the terminal, or 80. In characters. */
  readonly columns: number;
  /** Where the user stands: what relative paths are relative to. */
  readonly cwd: string;
  /** A variable of the environment; `undefined` where it is not set or may not be read. */
  env(name: string): string | undefined;
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal;
  /** The folder in which runs are kept; the project's if left out. An absolute path. */
  readonly runs?: string;
}

/** Whether colour may be used on stdout: it is a terminal, and nobody has asked for none (no-color.org). */
export function wantsColour(io: CliIo): boolean {
  return io.isTerminal && (io.env("NO_COLOR") ?? "") === "";
}

/** Interrupts closer together than this are one press of a key, in real milliseconds. */
const SAME_KEY_MS = 500;

/** The process's own streams. A second interrupt ends the process at once. */
export function processIo(): CliIo {
  const interrupt = new AbortController();
  let first = 0;
  // Windows has no SIGTERM to listen to.
  for (const name of Deno.build.os === "windows" ? ["SIGINT"] as const : ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(name, () => {
      // `deno task` passes on what the terminal has sent already: one Ctrl-C arrives twice.
      if (interrupt.signal.aborted && performance.now() - first > SAME_KEY_MS) Deno.exit(130);
      if (interrupt.signal.aborted) return;
      first = performance.now();
      interrupt.abort(new Error(`interrupted by ${name}`));
    });
  }
  return {
    out: writer(Deno.stdout),
    err: writer(Deno.stderr),
    isTerminal: Deno.stdout.isTerminal(),
    columns: columns(),
    // `deno task` moves to the project's folder and leaves the place the user came from in INIT_CWD.
    cwd: env("INIT_CWD") ?? Deno.cwd(),
    env,
    signal: interrupt.signal,
  };
}

function writer(stream: { writeSync(bytes: Uint8Array): number }): (text: string) => void {
  let closed = false;
  return (text) => {
    const bytes = new TextEncoder().encode(text);
    for (let done = 0; done < bytes.length && !closed;) {
      try {
        done += stream.writeSync(bytes.subarray(done));
      } catch (error) {
        // `bench list | head` has read enough; that is no failure.
        if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
        closed = true;
      }
    }
  };
}

function columns(): number {
  try {
    // A terminal that has not been told its size says 0.
    return Deno.consoleSize().columns || 80;
  } catch {
    return 80;
  }
}

function env(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch {
    return undefined;
  }
}
