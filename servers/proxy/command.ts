import { ChildConnection } from "../../core/mod.ts";
import { CLOSE_GRACE_MS, startProgram } from "./group.ts";

/** What to start. */
export interface CommandOptions {
  /** The program and its arguments. */
  command: readonly string[];
  /** Its working folder. */
  cwd: string;
  /** Variables beside those of this process, all of which it gets. */
  env?: Readonly<Record<string, string>>;
}

/**
 * Starts a server in a process group of its own, with this process's environment and stderr: a proxy has nothing to say
 * about either.
 *
 * @throws {ProxyUsageError} If it cannot be started.
 */
export function startCommand({ command, cwd, env = {} }: CommandOptions): ChildConnection {
  const process = startProgram(command, (program, args) =>
    new Deno.Command(program, {
      args,
      cwd,
      env: { ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      detached: true,
    }).spawn());
  return new ChildConnection(withStderrShown(process), CLOSE_GRACE_MS);
}

/** The same process, whose stderr is also written to ours: no faster than somebody reads it, as if it were ours. */
function withStderrShown(process: Deno.ChildProcess): Deno.ChildProcess {
  const shown = process.stderr.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      async transform(chunk, controller) {
        controller.enqueue(chunk);
        await writeAll(chunk);
      },
    }),
  );
  const whole = () => new Response(shown);
  return {
    pid: process.pid,
    status: process.status,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: Object.assign(shown, {
      arrayBuffer: () => whole().arrayBuffer(),
      bytes: () => whole().bytes(),
      json: () => whole().json(),
      text: () => whole().text(),
    }),
    output: () => process.output(),
    kill: (signal) => process.kill(signal),
    ref: () => process.ref(),
    unref: () => process.unref(),
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  };
}

async function writeAll(chunk: Uint8Array): Promise<void> {
  try {
    for (let done = 0; done < chunk.length;) done += await Deno.stderr.write(chunk.subarray(done));
  } catch {
    // Nobody listens any more; the tail is kept all the same.
  }
}
