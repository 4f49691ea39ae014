/** The judge of a run's cells: live, recorded, or out of a recording. */
import type { Model } from "../../agents/mod.ts";
import { recording, type TapeWriter } from "../../agents/models/cassette/record.ts";
import { ReplayModel } from "../../agents/models/cassette/replay.ts";
import { takeOf, type Tape } from "../../agents/models/cassette/tape.ts";
import { RealClock, toFailure } from "../../core/mod.ts";
import { recordedCell, redactorOf } from "../models/recorded.ts";
import type { CellSpec } from "../runner/cell.ts";
import { cellId, type Trace } from "../trace/event.ts";
import { judgeCell } from "./judge.ts";
import type { Judged } from "./judged.ts";
import { NotAsked } from "./not_asked.ts";

/** Judges the answer of a cell that has ended. */
export interface CellJudge {
  /**
   * Judges a cell.
   *
   * @throws The signal's reason, if it aborts.
   */
  judge(spec: CellSpec, trace: Trace, signal: AbortSignal): Promise<Judged>;
  /** What is to be told at the end: where judge and recording do not fit each other. */
  lines(): string[];
}

/** The name under which a judge is recorded: beside the model whose cells it has judged. */
export function judgeLabel(model: string, judge: string): string {
  return `${model}+judge=${judge}`;
}

/** Whether a recording's name is that of a judge. No name of a model has an equals sign in it, and no agent is called judge. */
export function isJudgeLabel(label: string): boolean {
  return label.includes("+judge=");
}

/** Options of {@linkcode liveJudge}. */
export interface LiveJudgeOptions {
  /** Keys that are sent: nothing that is kept may hold one. */
  readonly keys: readonly string[];
  /** Where its turns are recorded; nowhere if left out. */
  readonly writer?: TapeWriter;
}

/**
 * A judge that is asked.
 *
 * @param name The model, as somebody chose it.
 * @param open Makes the model, anew for each cell.
 */
export function liveJudge(name: string, open: () => Model, { keys, writer }: LiveJudgeOptions): CellJudge {
  const unwritten: string[] = [];
  const clock = new RealClock();
  return {
    async judge({ cell, scenario }, trace, signal) {
      const model = open();
      const redactor = redactorOf(scenario, keys);
      const recorded = writer === undefined ? undefined : recording(model, {
        writer,
        cell: recordedCell(cell),
        label: judgeLabel(cell.model, name),
        redactor,
        now: () => clock.now(),
        onUnwritten: (_agent, why) => unwritten.push(`judge of ${cellId(cell)}: not recorded: ${why}`),
      });
      const judged = await judgeCell(trace, name, recorded ?? model, signal);
      recorded?.end();
      // A provider may call its model what it likes.
      return { ...judged, models: judged.models.map((one) => redactor.text(one)) };
    },
    lines: () => told(unwritten),
  };
}

/** A judge that is played: what was not recorded is answered by nobody, and told. */
export function replayedJudge(name: string, tape: Tape): CellJudge {
  const whole = answered(tape);
  const problems: string[] = [];
  return {
    async judge({ cell, scenario }, trace, signal) {
      const model = new ReplayModel({
        tape: whole,
        cell: recordedCell(cell),
        label: judgeLabel(cell.model, name),
        redactor: redactorOf(scenario, []),
        secrets: scenario.secrets,
        // Nobody waits: the cell is over.
        clock: new RealClock(),
      });
      const judged = await judgeCell(trace, name, asRecorded(model), signal);
      problems.push(...model.problems().map(({ what }) => `judge of ${cellId(cell)}: ${what}`));
      return judged;
    },
    lines: () => told(problems),
  };
}

/** What was not recorded was not asked, as far as anybody can tell. */
function asRecorded(model: ReplayModel): Model {
  const misses = () => model.problems().filter(({ kind }) => kind === "miss").length;
  return {
    async next(request, signal) {
      const before = misses();
      try {
        return await model.next(request, signal);
      } catch (error) {
        if (misses() === before) throw error;
        const { code, detail } = toFailure(error);
        throw new NotAsked(code, detail);
      }
    },
  };
}

/** Cells of which a recording has no word of this judge. */
export function unjudged(name: string, { takes }: Tape, specs: readonly CellSpec[]): string[] {
  return specs.filter(({ cell }) => !takes.has(takeOf(recordedCell(cell), judgeLabel(cell.model, name))))
    .map(({ cell }) => recordedCell(cell));
}

/** Without what nobody waited for, as when a run was interrupted: a judge has no deadline that would end the wait for it. */
function answered(tape: Tape): Tape {
  const takes = [...tape.takes].map(([take, calls]) => [take, calls.filter(({ gone }) => !gone)] as const);
  return { ...tape, takes: new Map(takes) };
}

const MAX_LINES = 3;

function told(lines: readonly string[]): string[] {
  const left = lines.length - MAX_LINES;
  return left > 0 ? [...lines.slice(0, MAX_LINES), `… and ${left} more of the judge`] : [...lines];
}
