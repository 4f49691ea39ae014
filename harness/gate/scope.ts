/** Which cells a file of the gate means by a name. */
import { nearest } from "../../core/mod.ts";
import { cellName } from "../golden/compare.ts";
import { glob, isGlob } from "../scenario/glob.ts";
import { quote, unknown } from "../scenario/problem.ts";

/** Where there are more names than this, a message names the command that lists them instead. */
const MAX_LISTED = 40;

/** Names that files about scenarios may use. */
export interface Names {
  readonly crews: ReadonlySet<string>;
  /** Scenarios, and `scenario/variant` of those variants that are written out. */
  readonly cells: ReadonlySet<string>;
}

/** Whether a cell is one of those that a name or glob means. A scenario's name means its variants too. */
export function isAbout(
  pattern: string,
  { scenario, variant }: { readonly scenario: string; readonly variant: string | null },
): boolean {
  const name = cellName(scenario, variant);
  if (!isGlob(pattern)) return pattern === name || pattern === scenario;
  const matches = glob(pattern);
  return matches(name) || matches(scenario);
}

/** Whether there is a cell that both of two such names or globs mean. */
export function overlaps(one: string, other: string, { cells }: Names): boolean {
  return [...cells].some((name) => {
    const [scenario = name, variant = null] = name.split("/");
    return isAbout(one, { scenario, variant }) && isAbout(other, { scenario, variant });
  });
}

/** What is wrong with such a name or glob: nothing there is called so. */
export function scopeFlaw(pattern: string, { cells }: Names): string | undefined {
  const isThere = isGlob(pattern) ? [...cells].some(glob(pattern)) : cells.has(pattern);
  if (isThere) return undefined;
  if (cells.size <= MAX_LISTED) return unknown("scenario", pattern, cells);
  const near = nearest(pattern, cells);
  const hint = near === undefined ? "" : ` (did you mean ${quote(near)}?)`;
  return `unknown scenario ${quote(pattern)}${hint}; see bench list for those that there are`;
}
