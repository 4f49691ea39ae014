/** `bench list`: what there is to run. */
import { formatProblem, type Loaded } from "../scenario/mod.ts";
import { EXIT } from "./exit.ts";
import type { CliIo } from "./io.ts";
import { select } from "./select.ts";
import { wrap } from "./wrap.ts";

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
}

/** See {@linkcode CommandModule}. */
export async function execute(selectors: readonly string[], flags: { json?: true }, io: CliIo): Promise<number> {
  const found = await select(selectors, io);
  const listed = found.flatMap(({ result, file, variants }) => result.ok ? [entry(result.value, file, variants)] : []);
  io.out(flags.json ? `${JSON.stringify(listed, null, 2)}\n` : screen(listed, Math.min(io.columns, 100)));
  const problems = found.flatMap(({ result, problems }) => result.ok ? problems : [...result.problems, ...problems]);
  for (const problem of problems) io.err(`${formatProblem(problem)}\n`);
  return problems.length === 0 ? EXIT.good : EXIT.usage;
}

function entry({ content }: Loaded, file: string, variants: readonly (string | null)[]): Listed {
  const { name, crew, story, smoke, faults } = content;
  return {
    name,
    crew,
    file,
    story,
    variants: variants.filter((variant) => variant !== null),
    smoke,
    faults: faults.map(({ fault }) => fault),
  };
}

function screen(listed: readonly Listed[], width: number): string {
  const column = Math.min(30, Math.max(0, ...listed.map(({ name }) => name.length)));
  const lines = [...Map.groupBy(listed, ({ crew }) => crew)].flatMap(([crew, scenarios]) => [
    crew,
    ...scenarios.flatMap(({ name, story, variants, smoke }) => [
      ...wrap(story, width, `  ${name.padEnd(column)}  ${smoke ? "*" : " "} `),
      ...variants.map((variant) => `  ${name}/${variant}`),
    ]),
    "",
  ]);
  const note = listed.some(({ smoke }) => smoke) ? "* also runs in the wire lane when no lane is named\n" : "";
  return `${lines.join("\n")}${lines.length > 0 ? "\n" : ""}${note}`;
}
