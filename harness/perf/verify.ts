/**
 * The claim verifier on files of labelled claims: `deno task perf:verify -- FOLDER [--json]`.
 *
 * The first argument is the folder that a relative FOLDER starts from; the task passes the user's. Exit codes: 0, or 2
 * with one line on stderr where folder or rows cannot be used.
 */
import { isAbsolute, join } from "node:path";
import { checkClaim } from "../../agents/verifier/mod.ts";
import { print, table } from "./stats.ts";
import { figuresOf, type VerifyFigures } from "./verify_figures.ts";
import { parseRows, RowsError, type VerifyRow } from "./verify_rows.ts";

const USAGE = "usage: deno task perf:verify -- FOLDER [--json]; FOLDER holds *.jsonl files of labelled claims";

/** The figures of one file, with its name. */
interface FileFigures extends VerifyFigures {
  readonly file: string;
  /** Milliseconds a claim, reading its evidence included. */
  readonly msPerClaim: number;
}

/** Runs the verifier over each `*.jsonl` of a folder, by name. */
function verifyBench(folder: string): FileFigures[] {
  const files = listFiles(folder);
  const read = files.map((file) => ({ file, rows: parseRows(file, readText(join(folder, file))) }));
  return read.map(({ file, rows }) => measure(file, rows));
}

function measure(file: string, rows: readonly VerifyRow[]): FileFigures {
  const start = performance.now();
  const judged = rows.map(({ label, claim, evidence, caption }) => {
    const texts = caption === undefined ? evidence : [caption, ...evidence];
    return { label, verdict: checkClaim(claim, texts.map((text, i) => ({ id: String(i), text }))).verdict };
  });
  return { file, ...figuresOf(judged), msPerClaim: (performance.now() - start) / rows.length };
}

function listFiles(folder: string): string[] {
  const files = attempt(folder, () => [...Deno.readDirSync(folder)])
    .filter(({ name, isDirectory }) => name.endsWith(".jsonl") && !isDirectory).map(({ name }) => name).sort();
  if (files.length === 0) throw new RowsError(`${folder}: no *.jsonl file; ${USAGE}`);
  return files;
}

const readText = (path: string): string => attempt(path, () => Deno.readTextFileSync(path));

function attempt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const why = error instanceof Error ? error.name : String(error);
    throw new RowsError(`${path}: cannot be read (${why}); ${USAGE}`);
  }
}

/** Three digits after the point, or `–` where nothing was there to be measured. */
const shown = (value: number | null): string => value === null ? "–" : value.toFixed(3).replace(/^0/, "");

function figuresTable(all: readonly FileFigures[]): string {
  return table([
    ["file", "rows", "bal.acc", "precis", "recall", "undet", "ba.det", "ms"],
    ...all.map((one) => [
      one.file.replace(/\.jsonl$/, ""),
      String(one.rows),
      shown(one.balancedAccuracy),
      shown(one.precision),
      shown(one.recall),
      shown(one.undetermined),
      shown(one.balancedAccuracyDetermined),
      one.msPerClaim.toFixed(1),
    ]),
  ]);
}

const LEGEND = [
  "",
  "flagged = verdict unsupported; undetermined counts as not flagged",
  "bal.acc mean recall of both labels   precis, recall of unsupported",
  "undet   share undetermined           ba.det  bal.acc of the determined",
  "ms      milliseconds a claim, reading its evidence included",
];

function main([from = ".", ...args]: readonly string[]): number {
  const [folder, ...more] = args.filter((arg) => arg !== "--" && arg !== "--json");
  try {
    if (folder === undefined || folder.startsWith("-") || more.length > 0) throw new RowsError(USAGE);
    const figures = verifyBench(isAbsolute(folder) ? folder : join(from, folder));
    if (args.includes("--json")) print(JSON.stringify(figures, null, 2));
    else print(figuresTable(figures), ...LEGEND);
    return 0;
  } catch (error) {
    if (!(error instanceof RowsError)) throw error;
    Deno.stderr.writeSync(new TextEncoder().encode(`${error.message}\n`));
    return 2;
  }
}

if (import.meta.main) Deno.exit(main(Deno.args));
