/** The report as JUnit XML: a suite a crew, a test case a cell. Loaded only by a run that writes one. */
import { printable } from "../../core/mod.ts";
import { type Check, type Outcome, tally } from "../score/check.ts";
import type { CellReport, RunReport } from "./report.ts";
import { type Node, xmlDocument } from "./xml.ts";

/** Which element stands for an outcome. `skipped` is what is untestable: it could not be seen, and is no pass. */
const ELEMENTS: Readonly<Record<Exclude<Outcome, "pass">, string>> = {
  fail: "failure",
  error: "error",
  untestable: "skipped",
};
/** Most checks that are told of one case; the counts of outcomes are never cut. */
const MAX_CHECKS = 50;
/** Suite of the checks over all cells. No crew has a name with a space. */
const RUN_SUITE = "the run";

/**
 * Renders a report as JUnit XML, in the form that the common readers share (Jenkins, GitLab, GitHub's report actions).
 *
 * A case has one element at most, for its worst outcome, so that passed, failed, broken and skipped cases add up to all of
 * them; its text tells every check that is not green, with its outcome and the numbers of its events. `time` is in virtual
 * seconds, and only there where time is exact.
 */
export function renderJUnit({ cells, run }: RunReport): string {
  const crews = new Map<string, { readonly cases: Node[]; readonly outcomes: { readonly outcome: Outcome }[] }>();
  const outcomes = tally(run.map(({ outcome }) => outcome));
  // Cases are a few words each: of a cell nothing else is kept.
  for (const cell of cells) {
    const { crew, outcome } = cell;
    const own = crews.get(crew) ?? { cases: [], outcomes: [] };
    own.cases.push(caseOf(cell));
    own.outcomes.push({ outcome });
    outcomes[outcome]++;
    crews.set(crew, own);
  }
  const suites = [...crews].map(([crew, { cases, outcomes }]) => suite(crew, cases, outcomes));
  const ofRun = run.map((check) => caseNode(RUN_SUITE, check.id, check.outcome, [check]));
  const all = [...suites, ...(ofRun.length === 0 ? [] : [suite(RUN_SUITE, ofRun, run)])];
  return xmlDocument({
    testsuites: {
      "@name": "Brownout",
      ...countsOf(cells.length + run.length, outcomes),
      testsuite: all,
    },
  });
}

function suite(name: string, cases: readonly Node[], own: readonly { readonly outcome: Outcome }[]): Node {
  return {
    "@name": safe(name),
    ...countsOf(cases.length, tally(own.map(({ outcome }) => outcome))),
    testcase: cases,
  };
}

function countsOf(tests: number, { fail, error, untestable }: Readonly<Record<Outcome, number>>): Node {
  return {
    "@tests": String(tests),
    "@failures": String(fail),
    "@errors": String(error),
    "@skipped": String(untestable),
  };
}

function caseOf({ crew, id, outcome, checks, makespan, scores }: CellReport): Node {
  const known = scores.filter(({ value }) => value !== null);
  return caseNode(crew, id, outcome, checks, {
    ...(makespan === undefined ? {} : { "@time": String(makespan / 1000) }),
    ...(known.length === 0 ? {} : {
      properties: {
        property: known.map(({ id, value }) => ({ "@name": `score.${id}`, "@value": String(value) })),
      },
    }),
  });
}

function caseNode(suite: string, name: string, outcome: Outcome, checks: readonly Check[], more: Node = {}): Node {
  const head: Node = { "@classname": safe(suite), "@name": safe(name), ...more };
  if (outcome === "pass") return head;
  const red = checks.filter((check) => check.outcome !== "pass" && !check.declared);
  const worst = red.filter((check) => check.outcome === outcome);
  const [first] = worst;
  const left = red.length - MAX_CHECKS;
  const text = [
    ...red.slice(0, MAX_CHECKS).map(({ id, outcome, message, evidence }) =>
      `${outcome} ${id}: ${message}${evidence.length === 0 ? "" : ` (events ${evidence.slice(0, 12).join(", ")})`}`
    ),
    ...(left > 0 ? [`… and ${left} more`] : []),
  ].map(safe).join("\n");
  const message = first === undefined
    ? outcome
    : worst.length === 1
    ? first.message
    : `${worst.length} checks: ${first.message}`;
  return {
    ...head,
    [ELEMENTS[outcome]]: { "@message": safe(message), "@type": safe(first?.id ?? outcome), "#": text },
  };
}

/** A text on one line with nothing in it that XML 1.0 cannot hold (its controls, surrogates, U+FFFE and U+FFFF). */
function safe(text: string): string {
  return printable(text.slice(0, 4000).replace(/[\r\n\t]+/g, " ")).replace(/[\ufffe\uffff]/g, "\ufffd");
}
