/** Changes as text, the worst first, the same thing said once. */
import { clip, printable } from "../../core/mod.ts";
import { type Change, worstFirst } from "../golden/compare.ts";

/** Most changes that are shown. */
const MAX_CHANGES = 40;
/** Most facts of one change. */
const MAX_FACTS = 6;
/** Most cells that are named for a change that they share. */
const MAX_NAMED = 4;
/** Longest fact, in characters. */
const MAX_LENGTH = 400;

/** Tells changes, a line a change and further facts below it; nothing if there are none. */
export function tellChanges(changes: readonly Change[]): string {
  const groups = [...Map.groupBy(worstFirst(changes), ({ severity, facts }) => JSON.stringify([severity, facts]))];
  const lines = groups.slice(0, MAX_CHANGES).flatMap(([, [first, ...others]]) => tell(first, others));
  const left = groups.length - MAX_CHANGES;
  if (left > 0) lines.push(`… and ${left} more; --json has them all`);
  return lines.map((line) => `${printable(line)}\n`).join("");
}

function tell(change: Change | undefined, others: readonly Change[]): string[] {
  if (change === undefined) return [];
  const { where, facts: [worst = "", ...rest], parts } = change;
  const named = [where, ...others.slice(0, MAX_NAMED - 1).map((other) => other.where)].join(", ");
  const more = others.length >= MAX_NAMED ? ` and ${others.length - MAX_NAMED + 1} more` : "";
  const place = parts === undefined ? "" : `; ${parts}${others.length > 0 ? ` of ${where}` : ""}`;
  const shown = rest.slice(0, MAX_FACTS - 1).map((fact) => `    ${flat(fact)}`);
  if (rest.length > shown.length) shown.push(`    … and ${rest.length - shown.length} more`);
  return [`${named}${more}: ${flat(worst)}${place}`, ...shown];
}

const flat = (text: string): string => clip(text.replace(/\s+/g, " "), MAX_LENGTH);
