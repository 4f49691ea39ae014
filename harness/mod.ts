/**
 * What judges: scenarios, lanes, runner, trace, scorers and reports.
 *
 * @example Run a scenario and look at what it came to
 * ```ts
 * import { cellId, findScenarios, makeReport, resolveFound, runCells, simLane } from "./mod.ts";
 * import { CREWS, reference } from "../agents/mod.ts";
 * import assert from "node:assert/strict";
 *
 * const base = new URL("../", import.meta.url).pathname;
 * const found = await findScenarios(`${base}scenarios`, ["healthy-desk"], { cwd: base, base });
 * const resolved = resolveFound(found);
 * assert.ok(resolved.ok);
 * const specs = resolved.value.map((scenario) => ({
 *   cell: {
 *     scenario: scenario.name,
 *     variant: scenario.variant,
 *     lane: "sim" as const,
 *     subject: reference.name,
 *     model: "scripted",
 *     seed: "0",
 *     repeat: 1,
 *   },
 *   scenario,
 *   crew: CREWS.get(scenario.crew) ?? assert.fail(),
 *   subject: reference,
 * }));
 * const report = makeReport(await runCells(specs, { jobs: 1, openLane: () => simLane() }));
 * assert.equal(report.outcome, "pass");
 * assert.equal(report.cells[0]?.id, cellId(specs[0]?.cell ?? assert.fail()));
 * ```
 *
 * @module
 */
export {
  type Expansion,
  expansionOf,
  Expect,
  type FindOptions,
  findScenarios,
  formatProblem,
  type Found,
  type Headed,
  type Inapplicable,
  type Loaded,
  loadScenario,
  NothingSelected,
  type Parsed,
  type Part,
  type Path,
  type Position,
  type Problem,
  resolve,
  resolveAll,
  resolveFound,
  type Result,
  Scenario,
  ScenarioFile,
  scenarioJsonSchema,
  type Source,
  Turn,
  Variant,
  type VariantsIn,
  variantsIn,
  WorldFile,
} from "./scenario/mod.ts";
export type { Lane, World, WorldSpec } from "./lanes/lane.ts";
export type { LedgerCall, LedgerEffect, ServerLedger } from "./lanes/ledger.ts";
export { simLane, type SimLaneOptions } from "./lanes/sim.ts";
export { wireLane } from "./lanes/wire.ts";
export type { People, PeopleOptions, PeopleProblem } from "./runner/people.ts";
export type { Recording } from "./trace/recorder.ts";
export { type CellSpec, DEFAULT_SEED, runCell, type RunEnd } from "./runner/cell.ts";
export type { CellModel, ModelProblem, ModelSource, ModelSourceOptions } from "./runner/model_source.ts";
export { type CellResult, runCells, type RunCellsOptions } from "./runner/run.ts";
export { canonicalDigest, canonicalTrace } from "./trace/canonical.ts";
export {
  type Cell,
  cellId,
  type LaneName,
  type Side,
  type Trace,
  TRACE_SCHEMA,
  type TraceEvent,
} from "./trace/event.ts";
export { EVENT_TYPES, type EventType } from "./trace/event_types.ts";
export { writeTrace } from "./trace/jsonl.ts";
export { readTrace, TraceError } from "./trace/read.ts";
export { type Check, check, type Outcome, type Scorecard, scorecard, tally } from "./score/check.ts";
export { type ScoredTrace, scoreLanesAgree } from "./score/lanes_agree.ts";
export { makespan } from "./score/latency.ts";
export {
  type Score,
  type ScoreComponent,
  type ScoreId,
  type ScoreMaker,
  SCORES,
  type ScoreUnit,
} from "./score/scores.ts";
export { type Scorer, SCORERS, scoreTrace } from "./score/score.ts";
export {
  type SeenCall,
  type SeenMessage,
  type SeenPacket,
  type SeenRequest,
  type SeenToolCall,
  type TraceView,
  viewTrace,
} from "./score/view.ts";
export type { CoverageRow } from "./report/coverage.ts";
export type { PartialRun } from "./report/early_end.ts";
export { renderJson } from "./report/json.ts";
export { renderMarkdown } from "./report/markdown.ts";
export {
  type CellReport,
  type Cells,
  makeReport,
  REPORT_SCHEMA,
  type RunReport,
  type WorkerRow,
} from "./report/report.ts";
export type { PassK, Rate, Recovery, Reliability, Spread } from "./reliability/reliability.ts";
export type { Hearing, JudgeAnswer, Judged, JudgedClaim, JudgedLabel, JudgedSum } from "./judge/judged.ts";
export type { Fate, Persistence, Visibility } from "./reliability/parts.ts";
export type { Interval } from "./reliability/wilson.ts";
export type { Screen } from "./report/layout.ts";
export { renderTerminal, type TerminalOptions } from "./report/terminal.ts";
