/** `bench validate`: checks files without running them. */
import { formatProblem, misnamed, resolveFound } from "../scenario/mod.ts";
import { EXIT } from "./exit.ts";
import type { CliIo } from "./io.ts";
import { SCENARIOS_FOLDER, select } from "./select.ts";

/** See {@linkcode CommandModule}. */
export async function execute(selectors: readonly string[], flags: { json?: true }, io: CliIo): Promise<number> {
  const found = await select(selectors, io);
  const resolved = resolveFound(found);
  const problems = [...resolved.ok ? [] : resolved.problems, ...misnamed(found, SCENARIOS_FOLDER)];
  if (flags.json) {
    io.out(`${JSON.stringify({ files: found.map(({ file }) => file), problems }, null, 2)}\n`);
  } else {
    for (const problem of problems) io.out(`${formatProblem(problem)}\n`);
  }
  const files = count(found.length, "scenario");
  io.err(problems.length === 0 ? `${files}: valid\n` : `${files}: ${count(problems.length, "problem")}\n`);
  return problems.length === 0 ? EXIT.good : EXIT.usage;
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;
