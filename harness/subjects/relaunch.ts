/** Starts the same command again under the frameworks' lock file. */
import { fileURLToPath } from "node:url";
import type { CliIo } from "../cli/io.ts";
import type { ElsewhereError } from "./elsewhere.ts";

const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The words that start it. Loopback is all the network that a framework gets: whatever it would report of itself stays
 * here. It may read any variable, because its packages look for many.
 *
 * @param args The words after the program's name.
 * @param cwd Where the user stands.
 */
export function relaunchArgs(args: readonly string[], cwd: string): string[] {
  return [
    "run",
    "--quiet",
    "--frozen",
    "--no-prompt",
    "--lock=frameworks/deno.lock",
    "--allow-read",
    // A comma in a path would begin another one, and nothing can be put before it.
    `--allow-write=${["reports/runs", ...(cwd.includes(",") ? [] : [cwd]), "/tmp"].join(",")}`,
    "--allow-env",
    "--allow-sys=homedir,hostname",
    "--allow-run",
    "--allow-net=127.0.0.1",
    "frameworks/bench.ts",
    ...args,
  ];
}

/**
 * Runs the command there to its end, on this process's own streams.
 *
 * @returns Its exit code.
 */
export async function relaunch(
  { subject }: Pick<ElsewhereError, "subject">,
  args: readonly string[],
  io: CliIo,
): Promise<number> {
  io.err(`brownout: ${subject} runs under frameworks/deno.lock; what is missing of it is downloaded now\n`);
  const child = new Deno.Command(Deno.execPath(), {
    args: relaunchArgs(args, io.cwd),
    cwd: ROOT,
    env: { INIT_CWD: io.cwd },
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  // A terminal sends its interrupt to both; whoever ends only this process means both, too.
  const pass = () => end(child);
  io.signal.addEventListener("abort", pass);
  globalThis.addEventListener("unload", pass);
  try {
    return (await child.status).code;
  } finally {
    io.signal.removeEventListener("abort", pass);
    globalThis.removeEventListener("unload", pass);
  }
}

function end(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGTERM");
  } catch (error) {
    // It has ended by itself.
    if (!(error instanceof TypeError) && !(error instanceof Deno.errors.NotFound)) throw error;
  }
}
