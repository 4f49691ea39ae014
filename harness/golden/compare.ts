/** What has changed since a golden was written, as a person would say it. */
import type { Trace } from "../trace/event.ts";
import { readKinds } from "./check_kinds.ts";
import { firstDifference, unwrapDigests } from "./events.ts";
import { listChanges, textChanges } from "./lists.ts";
import type { Golden, GoldenCell, GoldenScore } from "./schema.ts";

/** How bad a change is, worst first. `score`: lower; `entry`: no golden, or a stale one; `time`: longer, or dearer. */
export const SEVERITY = [
  "error",
  "fail",
  "untestable",
  "score",
  "check",
  "entry",
  "answer",
  "work",
  "time",
  "trace",
] as const;

/** See {@linkcode SEVERITY}. */
export type Severity = (typeof SEVERITY)[number];

/** Something that is not as the goldens have it. */
export interface Change {
  /** The cell as `scenario[/variant]`, or a file. */
  readonly where: string;
  /** Of the worst of its facts. */
  readonly severity: Severity;
  /** Sentences, worst first; at least one. */
  readonly facts: readonly string[];
  /** Where the traces part; none where they do not, or where there is nothing to compare. */
  readonly parts?: string;
}

type Fact = readonly [severity: Severity, text: string];

/** The worst first; those that are equally bad stay in their order. */
export function worstFirst<T extends Pick<Change, "severity">>(changes: readonly T[]): T[] {
  return changes.toSorted((a, b) => SEVERITY.indexOf(a.severity) - SEVERITY.indexOf(b.severity));
}

/** A cell as people call it. */
export const cellName = (scenario: string, variant: string | null): string =>
  variant === null ? scenario : `${scenario}/${variant}`;

/**
 * Compares the golden of a scenario with what its cells came to now.
 *
 * @param traces The cells' traces, in the order of `now.cells`.
 */
export function compareGoldens(before: Golden, now: Golden, traces: readonly Trace[]): Change[] {
  const changes: Change[] = [];
  if (before.crew !== now.crew) {
    changes.push({ where: now.scenario, severity: "entry", facts: [`its crew: ${before.crew} → ${now.crew}`] });
  }
  const old = new Map(before.cells.map((cell) => [cell.variant, cell]));
  for (const [i, cell] of now.cells.entries()) {
    const where = cellName(now.scenario, cell.variant);
    const trace = traces[i];
    const known = old.get(cell.variant);
    old.delete(cell.variant);
    if (known === undefined) changes.push({ where, severity: "entry", facts: ["a new variant, which has no golden"] });
    else if (trace !== undefined) changes.push(...compareCells(where, known, cell, trace));
  }
  for (const variant of old.keys()) {
    const facts = ["stale: it stands in the golden, and the scenario has no such variant any more"];
    changes.push({ where: cellName(now.scenario, variant), severity: "entry", facts });
  }
  return changes;
}

/** Compares one cell with its golden. */
export function compareCells(where: string, before: GoldenCell, now: GoldenCell, trace: Trace): Change[] {
  const facts: Fact[] = [
    ...redFacts(before, now),
    ...scoreFacts(before, now),
    ...checkFacts(before, now),
    ...answerFacts(before, now),
    ...workFacts(before, now),
    ...timeFacts(before, now),
  ];
  const parts = firstDifference(unwrapDigests(before.trace.events), trace);
  if (parts !== undefined && facts.length === 0) facts.push(["trace", "comes to the same on another way"]);
  if (facts.length === 0 && before.trace.sha256 !== now.trace.sha256) {
    facts.push(["trace", "the digest of the canonical trace has changed, and no event's has"]);
  }
  const sorted = worstFirst(facts.map(([severity, text]) => ({ severity, text })));
  const [worst] = sorted;
  if (worst === undefined) return [];
  const more = parts === undefined ? {} : { parts };
  return [{ where, severity: worst.severity, facts: sorted.map(({ text }) => text), ...more }];
}

/** Checks that are red now and were not. */
function freshReds(before: GoldenCell, now: GoldenCell): string[] {
  const idOf = (line: string) => /^(\S+ .*?): /.exec(line)?.[1] ?? line;
  const known = new Set(before.checks.red.map(idOf));
  return now.checks.red.filter((line) => !known.has(idOf(line)));
}

/** What a red line says, without outcome and id. */
const messageOf = (line: string): string => line.replace(/^\S+ .*?: /s, "");

function redFacts(before: GoldenCell, now: GoldenCell): Fact[] {
  const reds = freshReds(before, now).map((line): Fact => {
    const severity = line.startsWith("error ") ? "error" : line.startsWith("fail ") ? "fail" : "untestable";
    return [severity, line];
  });
  const ended: Fact[] = before.ended === now.ended ? [] : [["fail", `the run ended ${before.ended} → ${now.ended}`]];
  const healed = freshReds(now, before).map((line): Fact => ["check", `is green now: ${line}`]);
  return [...ended, ...reds, ...healed];
}

function scoreFacts(before: GoldenCell, now: GoldenCell): Fact[] {
  const [why] = freshReds(before, now).map(messageOf);
  const [old, young] = [new Map(Object.entries(before.scores)), new Map(Object.entries(now.scores))];
  const facts: Fact[] = [];
  for (const [id, score] of young) {
    const known = old.get(id);
    if (known === undefined) facts.push(["check", `score ${id} is new`]);
    else if (known.value !== score.value) {
      facts.push([
        weight(known, score),
        `${id} ${shown(known.value)} → ${shown(score.value)}: ${why ?? score.message}`,
      ]);
    } else {
      const parts = componentChanges(known.components, score.components);
      if (parts.length > 0) facts.push(["work", `${id} ${shown(score.value)} as before, but ${parts.join(", ")}`]);
      else if (known.message !== score.message) facts.push(["work", `${id}: ${known.message} → ${score.message}`]);
    }
  }
  for (const id of old.keys()) if (!young.has(id)) facts.push(["check", `score removed: ${id} is gone`]);
  return facts;
}

/** A ratio that falls, or a number that is lost, is bad; more time or money is not as bad as a worse answer. */
function weight(before: GoldenScore, now: GoldenScore): Severity {
  if (now.value === null) return "score";
  if (now.unit !== "ratio") return "time";
  return before.value !== null && now.value < before.value ? "score" : "work";
}

function componentChanges(before: Readonly<Record<string, number>>, now: Readonly<Record<string, number>>): string[] {
  const [old, young] = [new Map(Object.entries(before)), new Map(Object.entries(now))];
  return [...new Set([...old.keys(), ...young.keys()])].sort().flatMap((id) => {
    const [a, b] = [old.get(id), young.get(id)];
    return a === b ? [] : [`its ${id} ${shown(a ?? null)} → ${shown(b ?? null)}`];
  });
}

/** A score as people write it; two that differ are never written alike. */
function shown(value: number | null): string {
  if (value === null) return "none";
  const brief = value.toFixed(2);
  return Number.isInteger(value) && value > 1 || Number(brief) !== value ? String(value) : brief;
}

function checkFacts({ checks: before }: GoldenCell, { checks: now }: GoldenCell): Fact[] {
  const [old, young] = [readKinds(before.kinds), readKinds(now.kinds)];
  const gone = [...old].filter(([kind]) => !young.has(kind));
  const fresh = [...young].filter(([kind]) => !old.has(kind));
  const counts = [...young].flatMap(([kind, count]) => {
    const known = old.get(kind);
    return known === undefined || known === count ? [] : [`${kind} ${known} → ${count}`];
  });
  const facts: Fact[] = [];
  if (gone.length > 0) facts.push(["check", `checks removed: ${list(gone)} ${gone.length === 1 ? "is" : "are"} gone`]);
  if (fresh.length > 0) facts.push(["check", `checks new: ${list(fresh)}`]);
  if (counts.length > 0) facts.push(["check", `number of checks: ${counts.join(", ")}`]);
  if (facts.length === 0 && before.digest !== now.digest) {
    facts.push(["check", "as many checks of each kind, but with other ids"]);
  }
  return facts;
}

const list = (kinds: readonly (readonly [string, number])[]): string =>
  kinds.map(([kind, count]) => count === 1 ? kind : `${kind} (${count})`).join(", ");

function answerFacts(before: GoldenCell, now: GoldenCell): Fact[] {
  const [old, young] = [before.answer?.status ?? "none", now.answer?.status ?? "none"];
  return [
    ...(old === young ? [] : [`the answer is ${young}, not ${old}`]),
    ...(before.lost === now.lost ? [] : [`failed: ${before.lost || "nobody"} → ${now.lost || "nobody"}`]),
    ...(before.answer === null || now.answer === null
      ? []
      : textChanges("the answer", before.answer.text, now.answer.text)),
  ].map((text): Fact => ["answer", text]);
}

function workFacts(before: GoldenCell, now: GoldenCell): Fact[] {
  return [
    ...(before.story === now.story ? [] : ["its story was told anew"]),
    ...listChanges("fault", before.faults, now.faults),
    ...listChanges("packet", before.plan, now.plan),
    ...listChanges("route", before.routes, now.routes),
    ...listChanges("worker", untimed(before.workers), untimed(now.workers)),
    ...listChanges("call", untimed(before.calls), untimed(now.calls)),
  ].map((text): Fact => ["work", text]);
}

function timeFacts(before: GoldenCell, now: GoldenCell): Fact[] {
  const facts: string[] = [];
  if (before.makespan !== now.makespan) {
    facts.push(`takes ${now.makespan ?? "no known number of"} ms, not ${before.makespan ?? "?"}`);
  }
  const timed = (before: readonly string[], now: readonly string[]) =>
    before.length === now.length && untimed(before).every((line, i) => line === untimed(now)[i]);
  if (timed(before.workers, now.workers)) facts.push(...listChanges("time of", before.workers, now.workers));
  if (timed(before.calls, now.calls)) facts.push(...listChanges("time of", before.calls, now.calls));
  return facts.map((text): Fact => ["time", text]);
}

const untimed = (lines: readonly string[]): string[] => lines.map((line) => line.replace(/, [^,]* ms$/, ""));
