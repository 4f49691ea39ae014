/** A claim about one row of several: everything that it says has to stand in the same row. */
import { bearsOut } from "./agree.ts";
import { type Claim, quote } from "./claim.ts";
import { numberOf } from "./derive.ts";
import type { Field, Reading } from "./evidence.ts";
import { against, bearing, type Finding, lacking } from "./finding.ts";
import { aligned, labelStems } from "./near.ts";
import { standsOutsideRows } from "./stated.ts";

/** One row: its fields, by number of its record. */
type Row = readonly Field[];

/** What a claim says of a row: one of these fields has to be in it. */
interface Demand {
  readonly says: string;
  readonly fields: ReadonlySet<Field>;
}

/** Words with which a claim speaks of several rows at once; what it says is then not of one row. */
const SEVERAL = new Set(
  ("than same both other others each every all except between combined total average mean sum difference different any " +
    "either neither compare compared whereas while before after only more fewer less").split(" "),
);
const HIGHEST = new Set(
  "highest most largest biggest maximum max greatest longest best tallest heaviest latest".split(" "),
);
const LOWEST = new Set("lowest least smallest fewest minimum min shortest cheapest lightest earliest".split(" "));

/** Rows that are compared; larger tables are left alone. */
const MAX_ROWS = 5_000;

/** Checks a claim against the tables of the evidence that have at least two rows. */
export function checkRows(claim: Claim, reading: Reading): Finding[] {
  const rows: Row[] = rowsOf(reading.fields);
  if (rows.length < 2 || rows.length > MAX_ROWS || claim.negated.includes(true)) return [];
  const extreme = checkExtreme(claim, rows);
  if (extreme !== undefined) return [extreme];
  const names = new Set(rows.flatMap((row) => row.flatMap(({ label }) => label)));
  if (
    claim.tokens.some(({ lower }) =>
      !names.has(lower) && (SEVERAL.has(lower) || HIGHEST.has(lower) || LOWEST.has(lower))
    )
  ) return [];
  const demands = demandsOf(claim, rows);
  if (demands.length < 2 || speaksOfSeveral(claim, rows)) return [];
  const found = tablesOf(rows).map((table) => judge(table, demands)).filter((one) => one !== undefined);
  return found.some(({ weighs }) => weighs === "against") && standsOutsideRows(claim, reading) ? [] : found;
}

const rowsOf = (fields: readonly Field[]): Row[] => [
  ...Map.groupBy(fields.filter(({ listed }) => listed), ({ record }) => record).values(),
];

/** Rows that share most of their columns, in whatever observations they are: what stands in others is not of theirs. */
function tablesOf(rows: readonly Row[]): Row[][] {
  const tables: { columns: ReadonlySet<string>; rows: Row[] }[] = [];
  for (const row of rows) {
    const columns = new Set(row.map(({ labelText }) => labelText));
    const table = tables.find((one) => {
      const shared = [...columns].filter((column) => one.columns.has(column)).length;
      return shared * 2 >= Math.min(columns.size, one.columns.size);
    });
    if (table !== undefined) table.rows.push(row);
    else if (tables.length < MAX_TABLES) tables.push({ columns, rows: [row] });
  }
  return tables.map(({ rows }) => rows);
}

/** Tables that are told apart; rows of further ones are left alone. */
const MAX_TABLES = 20;

/** Asks one row of a table for everything that stands in no other table. */
function judge(table: readonly Row[], demands: readonly Demand[]): Finding | undefined {
  const own = new Set(table.flat());
  const due = demands.filter(({ fields }) => [...fields].every((field) => own.has(field)));
  if (table.length < 2 || due.length < 2) return undefined;
  const fitting = table.filter((row) => due.every((demand) => row.some((field) => demand.fields.has(field))));
  const says = due.map(({ says }) => says).join(", ");
  const sources = (some: readonly Row[]) =>
    [...new Set(some.flatMap((row) => row.map(({ source }) => source)))].slice(0, 5);
  if (fitting.length > 0) return bearing("value", `one row has ${says}`, sources(fitting));
  const near = table.filter((row) => row.some((field) => due[0]?.fields.has(field)));
  return lacking("value", `no row has ${says} together`, sources(near));
}

/** Texts and numbers of the claim that stand in some row. Numbers beside a column's name have to stand in that column. */
function demandsOf(claim: Claim, rows: readonly Row[]): Demand[] {
  const spoken = new Set(claim.allStems);
  const cells = rows.flat();
  const texts = Map.groupBy(cells.filter((field) => isSpoken(field, spoken)), ({ value }) => value.toLowerCase());
  const whole = [...texts].filter(([value]) =>
    // `late` of `late delivery` is no demand of its own.
    ![...texts.keys()].some((other) => other.length > value.length && other.includes(value))
  );
  const demands = whole.map(([value, same]): Demand => ({ says: value.slice(0, 40), fields: new Set(same) }));
  for (const mention of claim.mentions) {
    if (mention.kind === "number" && isCount(claim, mention.from)) continue;
    const same = cells.filter((field) => field.mentions.some((one) => bearsOut(mention, one)));
    if (same.length === 0) continue;
    const columns = aligned(claim, mention, same);
    demands.push({ says: quote(claim, mention), fields: new Set(columns.length > 0 ? columns : same) });
  }
  return demands;
}

const isSpoken = ({ stems, mentions }: Field, spoken: ReadonlySet<string>): boolean =>
  stems.length > 0 && mentions.length === 0 && stems.every((one) => spoken.has(one));

/** `there are 3 …`, `3 of the …`: a number of rows and not in a row. */
function isCount({ tokens }: Claim, from: number): boolean {
  return ["there", "be", "is", "are", "were", "was"].includes(tokens[from - 1]?.lower ?? "") &&
      tokens[0]?.lower === "there" ||
    tokens[from + 1]?.lower === "of";
}

/** Whether two values of one column are named. */
function speaksOfSeveral(claim: Claim, rows: readonly Row[]): boolean {
  const spoken = new Set(claim.allStems);
  const named = Map.groupBy(rows.flat().filter((field) => isSpoken(field, spoken)), ({ labelText }) => labelText);
  return [...named.values()].some((same) => new Set(same.map(({ value }) => value.toLowerCase())).size > 1);
}

/** `the highest total is 150 (Dov)`: the number has to be the column's extreme, and the names have to be of its row. */
function checkExtreme(claim: Claim, rows: readonly Row[]): Finding | undefined {
  const at = claim.tokens.findIndex(({ lower }) => HIGHEST.has(lower) || LOWEST.has(lower));
  if (at < 0) return undefined;
  const high = HIGHEST.has(claim.tokens[at]?.lower ?? "");
  const spoken = new Set(claim.allStems);
  const columns = [...Map.groupBy(rows.flat(), ({ labelText }) => labelText)].filter(([, same]) =>
    same.every((field) => numberOf(field) !== undefined) && same[0] !== undefined &&
    labelStems(same[0]).every((one) => spoken.has(one))
  );
  const [only, more] = columns;
  if (only === undefined || more !== undefined) return undefined;
  const [name, same] = only;
  const values = same.map((field) => numberOf(field)?.value ?? 0);
  const best = values.reduce((a, b) => (high ? b > a : b < a) ? b : a);
  const winners = new Set(same.filter((_, i) => values[i] === best).map(({ record }) => record));
  const stated = claim.mentions.filter((one) =>
    one.kind === "number" && same.some(({ mentions }) => mentions.some((seen) => bearsOut(one, seen)))
  );
  const sources = [...new Set(same.filter(({ record }) => winners.has(record)).map(({ source }) => source))].slice(
    0,
    5,
  );
  if (stated.length > 0 && !stated.some((one) => one.kind === "number" && one.value === best)) {
    return against("number", `the ${high ? "highest" : "lowest"} ${name} is ${best}`, sources);
  }
  const uses = new Map<string, number>();
  for (const row of rows) {
    for (const value of new Set(row.map(({ value }) => value))) uses.set(value, (uses.get(value) ?? 0) + 1);
  }
  const named = rows.filter((row) => row.some((field) => uses.get(field.value) === 1 && isSpoken(field, spoken)));
  if (named.length > 0 && !named.some((row) => winners.has(row[0]?.record ?? -1))) {
    return against("value", `the ${high ? "highest" : "lowest"} ${name} is in another row`, sources);
  }
  return stated.length + named.length > 0
    ? bearing("value", `the ${high ? "highest" : "lowest"} ${name} is ${best}`, sources)
    : undefined;
}
