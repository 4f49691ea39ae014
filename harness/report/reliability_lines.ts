/** Whether the same comes out again, where cells were run more than once. */
import type { Reliability } from "../reliability/reliability.ts";
import { count, fit, type Line, pad, widest, wrap } from "./layout.ts";
import type { RunReport } from "./report.ts";
import { scoreText } from "./score_words.ts";

/** The pass^k that are shown; pass^1 is the share that passed. */
const SHOWN_K: readonly number[] = [2, 4, 8];
/** Most scenarios that are named because they passed and failed. */
const MAX_UNSTEADY = 6;
/** A table needs so many columns; below there is a sentence a side. */
const TABLE_COLUMNS = 64;
/** Named, since some mean by pass^k that one of k trials passes, and others the pass rate to the power of k. */
const CONVENTION = "pass^k: k trials of a scenario, drawn from all of its own, all pass: the mean over scenarios of " +
  "C(passed, k) / C(trials, k) (tau-bench)";

interface Row {
  readonly name: string;
  readonly trials: string;
  readonly passed: string;
  readonly interval: string;
  readonly passK: readonly string[];
}

/** Trials, the share that passed with its interval (Wilson), pass^k, and who is unsteady. Nothing without repeats. */
export function reliabilityLines({ reliability = [] }: RunReport, columns: number): Line[] {
  if (reliability.length === 0) return [];
  const rows = rowsOf(reliability);
  const unsteady = [...new Set(reliability.flatMap((side) => side.unsteady))];
  const named = unsteady.slice(0, MAX_UNSTEADY).join(", ");
  const more = unsteady.length > MAX_UNSTEADY ? ` and ${unsteady.length - MAX_UNSTEADY} more` : "";
  const notes = [
    CONVENTION,
    ...(unsteady.length === 0 ? [] : [`${count(unsteady.length, "scenario")} passed and failed: ${named}${more}`]),
  ];
  return [
    ...(columns < TABLE_COLUMNS ? sentences(rows, columns) : table(rows)),
    ...notes.flatMap((note) => wrap(note, columns - 2).slice(0, 4).map((line): Line => [[`  ${line}`, "dim"]])),
  ];
}

function table(rows: readonly Row[]): Line[] {
  const name = Math.max("repeats".length, widest(rows.map((row) => row.name), 20));
  const heads = ["trials", "passed", "95 % interval", ...SHOWN_K.map((k) => `pass^${k}`)];
  const line = (first: string, rest: readonly string[]): string =>
    [pad(first, name), ...rest.map((text, i) => pad(text, heads[i]?.length ?? 0, "right"))].join("  ");
  return [
    [[line("repeats", heads), "bold"]],
    ...rows.map((row): Line => [line(row.name, [row.trials, row.passed, row.interval, ...row.passK])]),
  ];
}

function sentences(rows: readonly Row[], columns: number): Line[] {
  return [
    [["Repeats", "bold"]],
    ...rows.flatMap(({ name, trials, passed, interval, passK }) => {
      const ks = SHOWN_K.map((k, i) => `pass^${k} ${passK[i] ?? "-"}`).join(", ");
      return wrap(fit(`${name}: ${trials} trials, ${passed} passed (${interval}), ${ks}`, 200), columns - 2)
        .map((line): Line => [`  ${line}`]);
    }),
  ];
}

/** The same as a table of Markdown. Names of subjects and models are told in code. */
export function reliabilityTable({ reliability = [] }: RunReport): string[] {
  if (reliability.length === 0) return [];
  return [
    `| repeats | trials | passed | 95 % interval | ${SHOWN_K.map((k) => `pass^${k}`).join(" | ")} |`,
    `|---|---:|---:|---|${SHOWN_K.map(() => "---:|").join("")}`,
    ...rowsOf(reliability).map(({ name, trials, passed, interval, passK }) =>
      `| ${[`\`${fit(name, 60).replace(/[`|]/g, "'")}\``, trials, passed, interval, ...passK].join(" | ")} |`
    ),
    "",
    CONVENTION.replaceAll("^", "\\^"),
  ];
}

function rowsOf(sides: readonly Reliability[]): Row[] {
  const systems = new Set(sides.map(({ subject, model }) => JSON.stringify([subject, model])));
  return sides.map(({ lane, subject, model, trials, passed: { rate, interval }, passHatK }) => ({
    name: systems.size < 2 ? lane : `${lane} ${subject} ${model}`,
    trials: String(trials),
    passed: scoreText(rate, "ratio"),
    interval: interval === null ? "-" : interval.map((end) => scoreText(end, "ratio")).join(" to "),
    passK: SHOWN_K.map((k) => scoreText(passHatK.find((one) => one.k === k)?.value ?? null, "ratio")),
  }));
}
