/** `bench list`: what there is to run. */
import { resolve } from "node:path/posix";
import { expansionOf, formatProblem, type Inapplicable, type Loaded, variantsIn } from "../scenario/mod.ts";
import { EXIT, UsageError } from "./exit.ts";
import type { CliIo } from "./io.ts";
import { select } from "./select.ts";
import { tellSubjects } from "./list_subjects.ts";
import { wrap } from "./wrap.ts";

interface RunsModule {
  tellRuns(json: boolean, io: CliIo): number;
}

interface ModelsModule {
  tellModels(json: boolean, file: string | undefined, io: CliIo): Promise<number>;
}

const LIST_RUNS: string = "./list_runs.ts";
const LIST_MODELS: string = "./list_models.ts";

/** A scenario as `list --json` shows it. */
interface Listed {
  readonly name: string;
  readonly crew: string;
  readonly file: string;
  readonly story: string;
  /** Names of its variants, in the order of the file. */
  readonly variants: readonly string[];
  readonly smoke: boolean;
  /** Ids of its faults, in the order in which they are applied. */
  readonly faults: readonly string[];
  /** Groups of variants that a word stands for: which ones, and which faults have nothing to do in it, and why. */
  readonly expansions: readonly {
    readonly name: string;
    readonly variants: readonly string[];
    readonly inapplicable: readonly Inapplicable[];
  }[];
}

/** See {@linkcode CommandModule}. */
export async function execute(
  selectors: readonly string[],
  flags: {
    readonly json?: true;
    readonly subjects?: true;
    readonly models?: true;
    readonly prices?: string;
    readonly runs?: true;
  },
  io: CliIo,
): Promise<number> {
  if (flags.subjects !== undefined) return tellSubjects(flags.json ?? false, io);
  if (flags.models !== undefined) {
    const { tellModels }: ModelsModule = await import(LIST_MODELS);
    return await tellModels(flags.json ?? false, flags.prices && resolve(io.cwd, flags.prices), io);
  }
  if (flags.prices !== undefined) throw new UsageError("--prices is for --models, and for run and compare");
  if (flags.runs !== undefined) {
    // Not a literal: a database is loaded by those alone who ask for what is in it.
    const { tellRuns }: RunsModule = await import(LIST_RUNS);
    return tellRuns(flags.json ?? false, io);
  }
  const found = await select(selectors, io);
  const listed = found.flatMap(({ result, file, variants }) => result.ok ? [entry(result.value, file, variants)] : []);
  io.out(flags.json ? `${JSON.stringify(listed, null, 2)}\n` : screen(listed, Math.min(io.columns, 100)));
  const problems = found.flatMap(({ result, problems }) => result.ok ? problems : [...result.problems, ...problems]);
  for (const problem of problems) io.err(`${formatProblem(problem)}\n`);
  return problems.length === 0 ? EXIT.good : EXIT.usage;
}

function entry(loaded: Loaded, file: string, variants: readonly (string | null)[]): Listed {
  const { name, crew, story, smoke, faults } = loaded.content;
  const { written, groups } = variantsIn(loaded.content);
  return {
    name,
    crew,
    file,
    story,
    variants: variants.flatMap((variant) => variant !== null && written.has(variant) ? [variant] : []),
    smoke,
    faults: faults.map(({ fault }) => fault),
    expansions: groups.flatMap((group) => {
      const expansion = expansionOf(loaded, group);
      if (!expansion.ok) return [];
      const { scenarios, inapplicable } = expansion.value;
      return [{ name: group, variants: scenarios.flatMap(({ variant }) => variant ?? []), inapplicable }];
    }),
  };
}

function screen(listed: readonly Listed[], width: number): string {
  const column = Math.min(30, Math.max(0, ...listed.map(({ name }) => name.length)));
  const lines = [...Map.groupBy(listed, ({ crew }) => crew)].flatMap(([crew, scenarios]) => [
    crew,
    ...scenarios.flatMap(({ name, story, variants, smoke, expansions }) => [
      ...wrap(story, width, `  ${name.padEnd(column)}  ${smoke ? "*" : " "} `),
      ...variants.map((variant) => `  ${name}/${variant}`),
      ...expansions.map((group) => `  ${name}/${group.name}  ${group.variants.length} faults, each alone`),
    ]),
    "",
  ]);
  const note = listed.some(({ smoke }) => smoke) ? "* also runs in the wire lane when no lane is named\n" : "";
  return `${lines.join("\n")}${lines.length > 0 ? "\n" : ""}${note}`;
}
