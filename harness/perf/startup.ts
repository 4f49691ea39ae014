/**
 * How long a person waits for `bench --help`, as a whole process and warm, beside a Deno process that does nothing.
 *
 * `deno run --allow-read=. --allow-env --allow-run harness/perf/startup.ts`
 */
import { fileURLToPath } from "node:url";
import { print, spread, table } from "./stats.ts";

const ROUNDS = 15;
const MAIN = fileURLToPath(new URL("../cli/main.ts", import.meta.url));
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

async function timed(args: readonly string[]): Promise<number> {
  const start = performance.now();
  const command = new Deno.Command(Deno.execPath(), { args: [...args], cwd: ROOT, stdout: "null", stderr: "null" });
  const { success } = await command.output();
  if (!success) throw new Error(`deno ${args.join(" ")} failed`);
  return performance.now() - start;
}

/** Measures, and prints a table. */
export async function startupBench(): Promise<void> {
  const commands = new Map<string, readonly string[]>([
    ["deno, doing nothing", ["eval", ""]],
    ["bench --help", ["run", "--no-prompt", "--allow-read=.", "--allow-env", MAIN, "--help"]],
    ["deno task bench --help", ["task", "bench", "--help"]],
  ]);
  const samples = new Map<string, number[]>([...commands.keys()].map((name) => [name, []]));
  for (let round = -2; round < ROUNDS; round++) {
    for (const [name, args] of commands) {
      const ms = await timed(args);
      if (round >= 0) samples.get(name)?.push(ms);
    }
  }
  const floor = samples.get("deno, doing nothing") ?? [];
  const rows = [...samples].map(([name, list]) => {
    const ratio = spread(list.map((ms, i) => ms / (floor[i] ?? NaN)));
    return [name, spread(list).min.toFixed(0), spread(list).median.toFixed(0), ratio.median.toFixed(2)];
  });
  print(
    "start of a process, warm, in ms",
    table([["", "min", "median", "ratio"], ...rows]),
    `${ROUNDS} rounds, interleaved`,
  );
}

if (import.meta.main) await startupBench();
