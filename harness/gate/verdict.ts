/** What a gate's run comes to, told and as an exit code. */
import { EXIT } from "../cli/exit.ts";
import type { CliIo } from "../cli/io.ts";
import type { Change } from "../golden/compare.ts";
import { jsonText } from "../golden/file.ts";
import type { CellResult } from "../runner/run.ts";
import { formatProblem, type Problem } from "../scenario/mod.ts";
import { withoutCommands } from "../report/annotations.ts";
import { count } from "../report/layout.ts";
import { gateAnnotations } from "./annotations.ts";
import { tellChanges } from "./tell.ts";

/** Most problems that are shown. */
const MAX_PROBLEMS = 30;

/** What was found. */
export interface Verdict {
  /** What is not as it should be. */
  readonly changes: readonly Change[];
  /** What is wrong with files. */
  readonly problems: readonly Problem[];
  /** What was run. */
  readonly results: readonly CellResult[];
  /** What people call the folder of goldens. */
  readonly goldens: string;
}

/** A verdict as JSON: what is not as it should be, and nothing else. */
export const verdictJson = ({ changes, problems }: Verdict): string => jsonText({ changes, problems });

/**
 * Tells a verdict: problems and changes on stdout, the rest on stderr. To GitHub Actions it is told as annotations, too;
 * what stands before them is kept from being read as commands.
 *
 * @param json Whether they are told as JSON.
 * @returns The exit code.
 */
export function tellVerdict(verdict: Verdict, json: boolean, io: CliIo): number {
  const { changes, problems, results } = verdict;
  const told = json ? verdictJson(verdict) : tellProblems(problems) + tellChanges(changes);
  if (io.env("GITHUB_ACTIONS") !== "true") io.out(told);
  else if (json) {
    // Stdout is data; the runner reads stderr too.
    io.out(told);
    io.err(gateAnnotations(verdict));
  } else io.out(withoutCommands(told, crypto.randomUUID()) + gateAnnotations(verdict));
  const code = codeOf(verdict);
  if (code === EXIT.good) {
    io.err(`${count(results.length, "cell")}: all as the goldens, thresholds and expected failures say\n`);
  } else if (changes.length > 0) {
    io.err(
      "brownout: deno task golden takes the changes that are meant; look at what it writes before you commit it\n",
    );
  }
  return code;
}

function tellProblems(problems: readonly Problem[]): string {
  const lines = problems.slice(0, MAX_PROBLEMS).map(formatProblem);
  if (problems.length > MAX_PROBLEMS) lines.push(`… and ${problems.length - MAX_PROBLEMS} more; --json has them all`);
  return lines.map((line) => `${line}\n`).join("");
}

function codeOf({ changes, problems, results }: Verdict): number {
  if (problems.length > 0) return EXIT.usage;
  // A script that does not fit its scenario is the author's input, and no failure of the bench.
  const isBroken = results.some(({ scorecard: { checks } }) =>
    checks.some(({ id, outcome }) => outcome === "error" && id !== "run.script")
  );
  if (isBroken) return EXIT.internal;
  return changes.length > 0 ? EXIT.failed : EXIT.good;
}
