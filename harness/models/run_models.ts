/** Puts live models, or a recording of them, into the cells of a run. */
import { ReplayModel } from "../../agents/models/cassette/replay.ts";
import { recording } from "../../agents/models/cassette/record.ts";
import { takeOf, type Tape } from "../../agents/models/cassette/tape.ts";
import { specLabel, specsOf } from "../../agents/models/live/choice.ts";
import type { Purse } from "../../agents/models/live/purse.ts";
import type { LiveModels } from "./live_models.ts";
import { UsageError } from "../cli/exit.ts";
import { type CellJudge, isJudgeLabel, judgeLabel, liveJudge, replayedJudge, unjudged } from "../judge/cell_judge.ts";
import { type CellSpec, DEADLINE_MS } from "../runner/cell.ts";
import type { ModelProblem, ModelSource } from "../runner/model_source.ts";
import type { Trace } from "../trace/event.ts";
import { loadTape, openTape, type TapeFile } from "./cassette_file.ts";
import type { ModelOptions } from "./options.ts";
import { recordedCell, redactorOf } from "./recorded.ts";
import { MODEL_PATIENCE_MS, patientWithModels } from "./patience.ts";
import { playedBy } from "./played.ts";
import { loadPrices } from "./price_file.ts";
import { spentLine } from "./spent.ts";

/** Not a literal: clients are loaded only where one is chosen. */
const LIVE_MODELS: string = "./live_models.ts";

interface LiveModule {
  openLiveModels: typeof import("./live_models.ts").openLiveModels;
}

/** The models of a run, ready. Dispose them when it is over. */
export interface RunModels extends Disposable {
  /** The cells with these models. */
  readonly specs: readonly CellSpec[];
  /** The judge of their answers; none where none was chosen. */
  readonly judge?: CellJudge;
  /** The money and the tokens of those who are asked; none of a recording. */
  readonly purse?: Purse;
  /** What is to be told at the end: what was used, and which limit was met. Nothing of a recording. */
  lines(): string[];
  /**
   * Of the first provider that could be asked nothing: what happened, and what to do. No more cells need to begin then.
   * `undefined` if there is none.
   */
  outage(): string | undefined;
}

/** What gets models ready. */
export interface RunModelsOptions {
  /** Reads a variable of the environment. */
  readonly env: (name: string) => string | undefined;
  /**
   * How much longer than its crew says everything may take, in milliseconds.
   *
   * @default MODEL_PATIENCE_MS
   */
  readonly patienceMs?: number;
}

/**
 * Gets models ready for cells; asks none.
 *
 * @throws {UsageError} Before anything is asked: no key, no network, no price for a limit, no recording, a cell that the
 * recording does not have.
 */
export async function openRunModels(
  specs: readonly CellSpec[],
  options: ModelOptions,
  { env, patienceMs = MODEL_PATIENCE_MS }: RunModelsOptions,
): Promise<RunModels> {
  if (options.kind === "replay") {
    const tape = await loadTape(options.file);
    const label = labelIn(tape, options);
    const made = label === undefined
      ? specs
      : specs.map((spec) => withModel(spec, label, replaySource(tape, label), patienceMs));
    if (label !== undefined) checkRecorded(tape, label, made, options.file);
    if (options.judge === undefined) return { specs: made, lines: () => [], outage: noOutage, [Symbol.dispose]() {} };
    const name = specLabel(options.judge);
    checkJudged(unjudged(name, tape, made), name, made, options.file);
    const judge = replayedJudge(name, tape);
    return { specs: made, judge, lines: () => judge.lines(), outage: noOutage, [Symbol.dispose]() {} };
  }
  const { openLiveModels }: LiveModule = await import(LIVE_MODELS);
  const live = await openLiveModels(options.choice, {
    ...options.live,
    env,
    prices: await loadPrices(options.live.pricesFile),
    ...(options.judge === undefined ? {} : { judge: options.judge }),
  });
  const file = options.record === undefined ? undefined : await openTape(options.record, live.keys);
  const source = file === undefined ? live.source : recordingSource(live, file);
  const name = options.judge === undefined ? undefined : specLabel(options.judge);
  const kept = { keys: live.keys, ...(file === undefined ? {} : { writer: file.writer }) };
  const judge = name === undefined || live.judge === undefined ? undefined : liveJudge(name, live.judge, kept);
  const label = name === undefined ? live.label : judgeLabel(live.label, name);
  return {
    // Where only a judge is asked, the cells are what they are without one.
    specs: specsOf(options.choice).length === 0
      ? specs
      : specs.map((spec) => withModel(spec, live.label, source, patienceMs)),
    ...(judge === undefined ? {} : { judge }),
    purse: live.purse,
    lines: () => [
      spentLine(label, live.purse, judge !== undefined),
      ...outLine(live.judgeOutage()),
      ...(judge?.lines() ?? []),
    ],
    outage: live.outage,
    [Symbol.dispose]: () => file?.[Symbol.dispose](),
  };
}

/**
 * Whether a call of a cell was refused because of a limit of the whole run, or because its provider can be asked nothing: it
 * says nothing of its subject, and is run again by whoever goes on.
 */
export function wasRefused({ events }: Trace): boolean {
  return events.some(({ side, type, detail: { kind } }) =>
    side === "bench" && type === "script.problem" && (kind === "limit" || kind === "outage")
  );
}

/** What is to be told of a judge whose provider is out: what follows from it stands in the report. */
function outLine(outage: string | undefined): string[] {
  return outage === undefined
    ? []
    : [`the judge ${outage}; it was asked nothing more, and what has ended is not judged later`];
}

/** A recording is always there. */
const noOutage = (): undefined => undefined;

/** The cell with a model of this name, and with time for it. */
function withModel(spec: CellSpec, label: string, model: ModelSource, patienceMs: number): CellSpec {
  return {
    ...spec,
    cell: { ...spec.cell, model: label },
    model,
    crew: patientWithModels(spec.crew, patienceMs),
    deadlineMs: (spec.deadlineMs ?? DEADLINE_MS) + patienceMs,
  };
}

function recordingSource(live: LiveModels, { writer }: TapeFile): ModelSource {
  return (options) => {
    const made = live.source(options);
    const unwritten: ModelProblem[] = [];
    const model = recording(made.model, {
      writer,
      cell: recordedCell(options.cell),
      label: options.cell.model,
      redactor: redactorOf(options.scenario, live.keys),
      now: () => options.clock.now(),
      onUnwritten: (agent, why) =>
        unwritten.push({ kind: "unwritten", agent, what: `its turn is not recorded: ${why}` }),
    });
    const problems = () => {
      model.end();
      return [...made.problems(), ...unwritten];
    };
    return { ...made, model, problems };
  };
}

function replaySource(tape: Tape, label: string): ModelSource {
  return (options) => {
    const { cell, scenario, clock } = options;
    const { secrets } = scenario;
    const redactor = redactorOf(scenario, []);
    const model = new ReplayModel({ tape, cell: recordedCell(cell), label, redactor, secrets, clock });
    return {
      model,
      isForeseen: false,
      ...playedBy(options),
      resume() {},
      problems: () => model.problems(),
    };
  };
}

/** The model that is replayed; `undefined` where the recording is of a judge alone, and the script plays everybody. */
function labelIn(
  { models: all }: Tape,
  { file, label, judge }: Extract<ModelOptions, { kind: "replay" }>,
): string | undefined {
  const models = all.filter((one) => !isJudgeLabel(one));
  const [first, second] = models;
  const there = models.length === 0 ? "it is empty" : `there is ${models.join(", ")}`;
  if (label !== undefined) {
    if (models.includes(label)) return label;
    throw new UsageError(`${file} has no recording of ${label}; ${there}`);
  }
  if (first === undefined) {
    if (all.length === 0) throw new UsageError(`${file} is empty`);
    if (judge !== undefined) return undefined;
    throw new UsageError(`${file} is of a judge alone; give --judge with its name; there is ${all.join(", ")}`);
  }
  if (second === undefined) return first;
  throw new UsageError(`${file} has recordings of several models; choose one with --model; ${there}`);
}

function checkRecorded({ takes }: Tape, label: string, specs: readonly CellSpec[], file: string): void {
  const missing = specs.map(({ cell }) => recordedCell(cell)).filter((cell) => !takes.has(takeOf(cell, label)));
  const [first] = missing;
  if (first === undefined) return;
  throw new UsageError(
    `${file} has nothing of ${missing.length} of the ${specs.length} cells, such as ${first}; record them, or select less`,
  );
}

function checkJudged(missing: readonly string[], judge: string, specs: readonly CellSpec[], file: string): void {
  const [first] = missing;
  if (first === undefined) return;
  throw new UsageError(
    `${file} has nothing of the judge ${judge} for ${missing.length} of the ${specs.length} cells, such as ${first}; ` +
      "record it, select less, or leave out --judge",
  );
}
