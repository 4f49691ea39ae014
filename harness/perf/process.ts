/** Whole processes as benchmarks see them: how long they take, on the clock and on the processor, and how much memory. */

/** What one run of a command came to. Children of the process are not counted. */
export interface ProcessFigure {
  /** From its start to its end, in milliseconds of the real clock. */
  readonly ms: number;
  /** Processor time of all its threads, in milliseconds; not there where it cannot be read. */
  readonly cpuMs?: number;
  /** The most memory that it had at once, in MB (2^20 bytes); not there where it cannot be read. */
  readonly peakMb?: number;
}

/** Options of {@linkcode measureProcess}. */
export interface MeasureOptions {
  /** Where it runs. */
  readonly cwd: string;
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Pause between two looks, in milliseconds. Neither figure ever falls, so only what comes in the last one is missed. */
const LOOK_EVERY_MS = 100;

/** Milliseconds of a tick of `/proc/PID/stat`: `USER_HZ` is 100 on every Linux that there is. */
const TICK_MS = 10;

/**
 * Runs a command to its end.
 *
 * Peak memory is the kernel's own high-water mark of resident memory (`VmHWM`). It and processor time are read from
 * `/proc`, which Linux alone has; Deno does not read there without every permission, so `cat` does.
 *
 * @throws {Error} If it cannot be started, or does not end with 0; with the end of its stderr.
 */
export async function measureProcess(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: MeasureOptions,
): Promise<ProcessFigure> {
  const start = performance.now();
  const child = new Deno.Command(command, {
    args: [...args],
    cwd,
    env: { ...env },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const over = new AbortController();
  const looking = look(child.pid, over.signal);
  const [said, { code }] = await Promise.all([new Response(child.stderr).text(), child.status]);
  const ms = performance.now() - start;
  over.abort();
  const seen = await looking;
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${said.trim().slice(-600)}`);
  return { ms, ...seen };
}

/** Looks at a process until it is over. */
async function look(pid: number, over: AbortSignal): Promise<Omit<ProcessFigure, "ms">> {
  let seen: Omit<ProcessFigure, "ms"> = {};
  while (!over.aborted) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    seen = { ...seen, ...await read(pid) };
  }
  return seen;
}

async function read(pid: number): Promise<Omit<ProcessFigure, "ms">> {
  try {
    const files = [`/proc/${pid}/status`, `/proc/${pid}/stat`];
    const { stdout } = await new Deno.Command("cat", { args: files, stdin: "null", stderr: "null" }).output();
    const text = new TextDecoder().decode(stdout);
    const peak = /^VmHWM:\s*(\d+) kB$/m.exec(text)?.[1];
    // After the name in brackets: state, and eleven more, and then ticks in user and in system mode (proc_pid_stat(5)).
    const ticks = /^\d+ \(.*\) \S(?: -?\d+){10} (\d+) (\d+) /m.exec(text);
    return {
      ...(peak === undefined ? {} : { peakMb: Number(peak) / 1024 }),
      ...(ticks === null ? {} : { cpuMs: (Number(ticks[1]) + Number(ticks[2])) * TICK_MS }),
    };
  } catch {
    return {}; // no `cat`
  }
}
