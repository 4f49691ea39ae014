/** The process of a subject: started in a group of its own, watched, and ended with everything that it has started. */
import { spawnChild } from "../../../core/mod.ts";
import { endRemains } from "./remains.ts";

/** The most that a subject may write to its output, in bytes. */
export const MAX_OUTPUT_BYTES: number = 2 ** 20;

/** How long it may take to obey SIGTERM, in milliseconds; twice, before it is killed. */
const GRACE_MS = 500;

/** What to start. */
export interface ProcessOptions {
  /** The program and its arguments. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Where it stands. */
  readonly cwd: string;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** What its environment and that of its descendants has, and no other's. */
  readonly mark: string;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** How a process has ended. */
export interface ProcessEnd {
  /** Its exit code. */
  readonly code: number;
  /** The signal that has ended it, if one has. */
  readonly signal: string | null;
  /** What it wrote to its output, as far as that was allowed. */
  readonly output: Uint8Array;
  /** Whether it wrote more, and was ended for it. */
  readonly isFlooding: boolean;
  /** What it complained of last in its errors: the last line that names an error, else the last line; empty if there is none. */
  readonly complaint: string;
  /** How many processes it had left running that did not end by themselves. They have been killed. */
  readonly left: number;
}

/**
 * Runs a process to its end. Its input is empty.
 *
 * @throws {Deno.errors.NotFound} If there is no such program.
 */
export async function runProcess({ command, cwd, env, mark, signal }: ProcessOptions): Promise<ProcessEnd> {
  const [program, ...args] = command;
  let left = 0;
  const onLeaderEnd = async (pid: number) => {
    // Whoever cannot look finds nothing; the group is killed all the same.
    left = await endRemains(pid, mark).catch(() => 0);
  };
  const child = spawnChild({ command: program, args, cwd, env, graceMs: GRACE_MS, onLeaderEnd });
  const stop = () => {
    child.kill("SIGTERM");
    void child.close();
  };
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isFlooding = false;
  const { promise: heard, resolve: closed } = Promise.withResolvers<void>();
  child.open({
    bytes(chunk) {
      if (isFlooding) return;
      size += chunk.length;
      if (size <= MAX_OUTPUT_BYTES) return void chunks.push(chunk);
      isFlooding = true;
      stop();
    },
    closed,
  });
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    void child.endInput();
    const ended = await child.exited;
    await heard;
    await child.stderrEnded;
    await child.close();
    return { ...ended, output: joined(chunks), isFlooding, complaint: complaintIn(child.stderrTail), left };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** Programs that die of an error write other lines behind it, or before it: a stack, their version. */
function complaintIn(text: string): string {
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  return lines.findLast((line) => /^(?:[\w.: ]+ )?[\w.]*(?:Error|Exception)\b/.test(line)) ?? lines.at(-1) ?? "";
}
