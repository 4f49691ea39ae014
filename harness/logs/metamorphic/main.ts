/**
 * How `bench score` does on runs that nobody has looked at: mutants of the bench's own runs, and of labelled logs in a
 * folder. `deno run --allow-read harness/logs/metamorphic/main.ts [FOLDER] [--half dev|held-out] [--seed N] [--wrong]`
 *
 * `--wrong` prints what was judged otherwise. Not to be used with `--half held-out` by whoever writes rules.
 */
import { readLog } from "../read.ts";
import { mutantsOfRun } from "./folder_runs.ts";
import { measure } from "./measure.ts";
import { mutantsOf } from "./own_runs.ts";
import { type Half, halfOf, HALVES, readPools } from "./pools.ts";

const option = (name: string): string | undefined => {
  const at = Deno.args.indexOf(name);
  return at < 0 ? undefined : Deno.args[at + 1];
};
const seed = option("--seed") ?? "1";
const only = option("--half");
const halves = HALVES.filter((half) => only === undefined || half === only);
const [folder] = Deno.args.filter((arg, i) =>
  !arg.startsWith("--") && !/^--(?:seed|half)$/.test(Deno.args[i - 1] ?? "")
);
if (halves.length === 0) {
  print(`--half ${only}: allowed are ${HALVES.join(", ")}`);
  Deno.exit(2);
}
const pools = await readPools();
for (const half of halves) await show(half);

async function show(half: Half): Promise<void> {
  const own = halfOf(pools, half, seed);
  table(`${half}, own runs`, mutantsOf(own, seed));
  if (folder === undefined) return;
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (!isFile || !name.endsWith(".jsonl")) continue;
    const { runs, problems } = readLog(await Deno.readTextFile(`${folder}/${name}`));
    for (const problem of problems) print(`${name}: ${problem}`);
    table(`${half}, ${name}`, runs.flatMap((run) => mutantsOfRun(run, own, seed)));
  }
}

function table(title: string, mutants: Parameters<typeof measure>[0]): void {
  const { byMutation, precision, recall, wrong } = measure(mutants);
  print(`\n${title}: ${mutants.length} mutants, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`);
  for (const [name, { right, all }] of byMutation) {
    print(
      `  ${name.padEnd(56)} ${String(right).padStart(4)} of ${String(all).padStart(4)}  ${(right / all).toFixed(3)}`,
    );
  }
  if (Deno.args.includes("--wrong")) {
    for (const { mutation, from } of wrong) print(`    ${mutation} | ${JSON.stringify(from)}`);
  }
}

function print(line: string): void {
  // deno-lint-ignore no-console -- a benchmark prints
  console.log(line);
}
