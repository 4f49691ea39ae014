/** What the commands' options mean. Parsed once, here; nothing inside checks again. */
import { extname, resolve } from "node:path/posix";
import { clip, nearest, oneLine } from "../../core/text.ts";
import { duration } from "../../servers/faults/duration.ts";
import { type ModelFlags, type ModelOptions, parseModelOptions } from "../models/options.ts";
import { findSubject, type SubjectEntry } from "../subjects/mod.ts";
import { UsageError } from "./exit.ts";
import type { CliIo } from "./io.ts";

/** Lanes that a run may be in. */
export const LANES = ["sim", "wire", "both"] as const;
/** Formats of a report, by the extension of its file. */
export const OUTPUT_EXTENSIONS = [".json", ".jsonl", ".md", ".xml", ".html"] as const;

/** What `run` is asked for. Paths are absolute. */
export interface RunOptions {
  /** Crews, scenarios, variants, globs, files or folders; none selects all. */
  readonly selectors: readonly string[];
  /** `default` is everything in `sim`, and scenarios marked `smoke: true` in `wire` too. */
  readonly lane: "default" | (typeof LANES)[number];
  /** How many cells run at once. */
  readonly jobs: number;
  /** Who is judged. */
  readonly subject: SubjectEntry;
  /** How many times each cell runs. */
  readonly repeat: number;
  /** How long the subject may take, in milliseconds of the cell's clock; the bench's default if left out. */
  readonly deadlineMs?: number;
  /** Where the report is written, in each file's form; each extension is one of {@linkcode OUTPUT_EXTENSIONS}. */
  readonly outputs?: readonly string[];
  /** Of everything random. */
  readonly seed: number;
  /** Whether the report goes to stdout as JSON instead of the terminal's screen. */
  readonly json: boolean;
  /** The folder into which traces are written. */
  readonly trace?: string;
  /** Whether each cell's timeline is shown. */
  readonly timeline: boolean;
  /** Whether each scenario has a line of its own, however many there are. */
  readonly list?: true;
  /** Whether a person at the terminal stands in for the scripted operator and the scripted user; `wire` only. */
  readonly ask?: true;
  /** Files that the user gives, by the name of the input; none if left out. Absolute paths. */
  readonly inputs?: ReadonlyMap<string, string>;
  /** Live models or a recording, where the script does not play everybody. */
  readonly models?: ModelOptions;
  /** The run to go on with: its id, or `true` for the latest that has not ended and is made of the same. */
  readonly resume?: string | true;
  /** The options as they were typed, by their long names in camel case; none if nobody typed them. */
  readonly typed?: Readonly<Record<string, unknown>>;
}

/** Options of `run` as the command line has them. */
export interface RunFlags extends ModelFlags {
  /** `--lane`. */
  readonly lane?: string;
  /** `--jobs`. */
  readonly jobs: string;
  /** `--subject`. */
  readonly subject: string;
  /** `--repeat`. */
  readonly repeat: string;
  /** `--deadline`. */
  readonly deadline?: string;
  /** `--output`, each time it is given. */
  readonly output?: readonly string[];
  /** `--seed`. */
  readonly seed: string;
  /** `--json`. */
  readonly json?: true;
  /** `--trace`. */
  readonly trace?: string;
  /** `--timeline`. */
  readonly timeline?: true;
  /** `--list`. */
  readonly list?: true;
  /** `--ask`. */
  readonly ask?: true;
  /** `--input`, each time it is given. */
  readonly input?: readonly string[];
  /** `--resume`, with a run's id or without. */
  readonly resume?: string | true;
}

/**
 * Makes options of flags.
 *
 * @throws {UsageError} If a flag's value is not allowed.
 */
export function parseRunOptions(selectors: readonly string[], flags: RunFlags, io: CliIo): RunOptions {
  const lane = flags.lane === undefined ? "default" : oneOf("--lane", flags.lane, LANES);
  const asks = flags.ask ?? false;
  if (asks && lane !== "default" && lane !== "wire") {
    throw new UsageError(`--ask waits for a person, and the sim lane for nothing real; leave out --lane ${lane}`);
  }
  const subject = findSubject(flags.subject);
  const wanted = lane === "default" ? [] : lane === "both" ? (["sim", "wire"] as const) : [lane];
  for (const one of wanted) {
    if (!subject.lanes.includes(one)) {
      throw new UsageError(`${subject.name} does not run in ${one}; give --lane ${subject.lanes.join(" or ")}`);
    }
  }
  if (asks && !io.isTerminal) throw new UsageError("--ask needs a terminal, and stdout is none");
  const models = parseModelOptions(flags, io.cwd);
  if (models?.kind === "live" && lane !== "default" && lane !== "wire") {
    throw new UsageError(`live models take real time, and the sim lane has none; leave out --lane ${lane}`);
  }
  return {
    selectors,
    lane: asks || models?.kind === "live" ? "wire" : lane,
    ...(asks ? { ask: true } : {}),
    // One question at a time, and all about the same scenario.
    jobs: asks ? 1 : wholeNumber("--jobs", flags.jobs, 1, 1024),
    subject,
    repeat: wholeNumber("--repeat", flags.repeat, 1, 10_000),
    ...(flags.deadline === undefined ? {} : { deadlineMs: spanOf("--deadline", flags.deadline) }),
    ...(flags.output === undefined ? {} : { outputs: flags.output.map((one) => outputFile(one, io)) }),
    seed: wholeNumber("--seed", flags.seed, 0, Number.MAX_SAFE_INTEGER),
    json: flags.json ?? false,
    ...(flags.trace === undefined ? {} : { trace: path("--trace", flags.trace, io) }),
    timeline: flags.timeline ?? false,
    ...(flags.list === undefined ? {} : { list: flags.list }),
    ...(flags.input === undefined ? {} : { inputs: inputFiles(flags.input, io) }),
    ...(flags.resume === undefined ? {} : { resume: flags.resume }),
    ...(models === undefined ? {} : { models }),
  };
}

function inputFiles(given: readonly string[], io: CliIo): Map<string, string> {
  const files = new Map<string, string>();
  for (const one of given) {
    const { name, file = "" } = /^(?<name>[^=]*)=(?<file>.+)$/s.exec(one)?.groups ?? {};
    if (name === undefined || name === "") {
      throw new UsageError(`--input ${show(one)} is not NAME=FILE, as in code=shop/db.py`);
    }
    if (files.has(name)) throw new UsageError(`--input ${show(name)} is given twice; give one file`);
    files.set(name, path("--input", file, io));
  }
  return files;
}

export function oneOf<T extends string>(flag: string, given: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === given);
  if (found !== undefined) return found;
  const near = nearest(given, allowed);
  const hint = near === undefined ? "" : ` (did you mean ${near}?)`;
  throw new UsageError(`${flag} ${show(given)} is not known${hint}; allowed: ${allowed.join(", ")}`);
}

/**
 * A whole number that was given for a flag.
 *
 * @throws {UsageError} If it is none, or outside of what is allowed.
 */
export function wholeNumber(flag: string, given: string, least: number, most: number): number {
  const value = /^\d{1,16}$/.test(given) ? Number(given) : NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${flag} ${show(given)} is not allowed; give a whole number from ${least} to ${most}`);
}

/** The longest span, in milliseconds: timers take no more than 2^31 - 1. */
const MAX_SPAN_MS = 24 * 3_600_000;

function spanOf(flag: string, given: string): number {
  const { data: ms = NaN } = duration.safeParse(given);
  if (ms >= 1 && ms <= MAX_SPAN_MS) return Math.ceil(ms);
  throw new UsageError(`${flag} ${show(given)} is not allowed; give a time from 1ms to 1440m, as in 500ms, 30s or 2m`);
}

function outputFile(given: string, io: CliIo): string {
  const extension = extname(given);
  if (!OUTPUT_EXTENSIONS.some((allowed) => allowed === extension)) {
    throw new UsageError(
      `--output ${show(given)}: the extension tells the format, and ${show(extension)} is none; allowed: ` +
        OUTPUT_EXTENSIONS.join(", "),
    );
  }
  return path("--output", given, io);
}

function path(flag: string, given: string, io: CliIo): string {
  if (given === "") throw new UsageError(`${flag} needs a path`);
  return resolve(io.cwd, given);
}

function show(text: string): string {
  return `"${clip(oneLine(text), 60)}"`;
}
