/** `bench explain`: a scenario as a story. */
import { canonicalJson } from "../../core/canonical.ts";
import { oneLine } from "../../core/text.ts";
import {
  crewOf,
  type Expansion,
  expansionOf,
  formatProblem,
  type Found,
  resolve,
  type Scenario,
  variantsIn,
} from "../scenario/mod.ts";
import { EXIT, UsageError } from "./exit.ts";
import type { CliIo } from "./io.ts";
import { select } from "./select.ts";
import { type Section, tell, tellExpansion } from "./story.ts";
import { wrap } from "./wrap.ts";

/** See {@linkcode CommandModule}. */
export async function execute(operands: readonly string[], flags: { json?: true }, io: CliIo): Promise<number> {
  const [found, ...others] = await select(operands, io);
  if (found === undefined || others.length > 0) {
    const names = [found, ...others].flatMap((one) => one === undefined ? [] : [one.name]);
    throw new UsageError(`explain takes one scenario, this means ${names.length}: ${names.join(", ")}`);
  }
  const { result, variants: [first = null, ...more] } = found;
  // Many at once are a group of variants, and told with the scenario that they are of.
  const variant = more.length > 0 ? null : first;
  const resolved = result.ok ? resolve(result.value, variant) : result;
  if (!resolved.ok) {
    for (const problem of resolved.problems) io.err(`${formatProblem(problem)}\n`);
    return EXIT.usage;
  }
  io.out(flags.json ? `${pretty(resolved.value)}\n` : page(resolved.value, found, Math.min(io.columns, 100)));
  return EXIT.good;
}

function page(scenario: Scenario, found: Found, width: number): string {
  const variants = new Map<string, string>();
  const expansions: Expansion[] = [];
  if (scenario.variant === null && found.result.ok) {
    const { written, groups } = variantsIn(found.result.value.content);
    for (const [name, { story }] of written) variants.set(`${scenario.name}/${name}`, story ?? scenario.story);
    for (const group of groups) {
      const expansion = expansionOf(found.result.value, group);
      if (expansion.ok) expansions.push(expansion.value);
    }
  }
  const name = scenario.variant === null ? scenario.name : `${scenario.name}/${scenario.variant}`;
  const head = [`${name}  (${oneLine(found.file)})`, ...wrap(scenario.story, width)];
  const parts = [
    ...tell(scenario, crewOf(scenario), variants),
    ...expansions.flatMap((one) => tellExpansion(scenario, one)),
  ].map((
    section,
  ) => render(section, width));
  return `${[head, ...parts].map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function render({ heading, items }: Section, width: number): string[] {
  const column = Math.min(24, Math.max(...items.map(([lead]) => lead.length)));
  const gap = column === 0 ? "  " : `  ${" ".repeat(column)} `;
  return [
    ...wrap(heading, width),
    ...items.flatMap(([lead, text]) => wrap(text, width, lead === "" ? gap : `  ${oneLine(lead).padEnd(column)} `)),
  ];
}

/** Keys sorted, so that the same scenario is the same text. */
function pretty(scenario: Scenario): string {
  return JSON.stringify(JSON.parse(canonicalJson(scenario)), null, 2);
}
