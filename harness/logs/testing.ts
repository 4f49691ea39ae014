/** For tests: runs of a log, in short. */
import type { LogRun } from "./read.ts";
import { type LogScore, scoreLogRun } from "./score.ts";

/** A call in short: tool, arguments, what came back, and whether the log flags it. */
export type ShortCall = readonly [name: string, args: unknown, result: unknown, flagged?: boolean];

/** Makes a run. */
export function run(
  task: string,
  calls: readonly ShortCall[],
  final: string | null,
  more: Partial<LogRun> = {},
): LogRun {
  return {
    id: "a",
    line: 1,
    task,
    calls: calls.map(([name, args, result, error]) => ({
      name,
      args,
      result,
      ...(error === undefined ? {} : { error }),
    })),
    final,
    ...more,
  };
}

/** Judges it. */
export function judge(task: string, calls: readonly ShortCall[], final: string | null): LogScore {
  return scoreLogRun(run(task, calls, final));
}

/** A check's outcome. */
export function outcomeOf({ checks }: LogScore, id: string): string | undefined {
  return checks.find((one) => one.id === id)?.outcome;
}
