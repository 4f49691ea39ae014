/** What came of scoring files of plans: rows, and what they come to. */
import { CREWS } from "../../agents/mod.ts";
import { type Problem, quote } from "../scenario/problem.ts";
import type { CaseFile } from "./case_file.ts";
import type { ComponentId } from "./components.ts";
import { type DagScore, scoreDag } from "./dag_file.ts";
import type { GoldPlan } from "./node.ts";
import type { PlanFile } from "./read.ts";
import { type PlannerReply, type PlanningTask, type ReplyScore, scorePlanReply } from "./reply.ts";

/** How far a score may be from the one that is expected. */
export const TOLERANCE = 0.005;

/** A reply with its score. */
export interface ReplyRow {
  /** The file that it is in. */
  readonly file: string;
  /** The crew, or the file where there is none. */
  readonly group: string;
  /** The request's name. */
  readonly name: string;
  /** What the reply shows. */
  readonly kind: string;
  /** Its score. */
  readonly result: ReplyScore;
  /** The score that it must get; not there where nothing is expected. */
  readonly expected?: number;
  /** Whether the two agree. */
  readonly isExpected: boolean;
}

/** A plan with its critical path. */
export interface DagLine extends DagScore {
  /** The file that it is in. */
  readonly file: string;
}

/** All rows, in the order of the files. */
export interface PlanReport {
  /** Replies. */
  readonly replies: readonly ReplyRow[];
  /** Plans with a published optimum. */
  readonly dags: readonly DagLine[];
}

/** Something said about a request by a planner: taken from a file, recorded, or asked of a live model. */
export interface NamedReply extends PlannerReply {
  /** What the reply shows. */
  readonly kind: string;
  /** The score that it must get, if that is known. */
  readonly score?: number;
}

/**
 * Where replies come from. Any planner fits in here: it gets a request with its roster and says something.
 */
export type ReplySource = (one: CaseFile) => readonly NamedReply[] | Promise<readonly NamedReply[]>;

/** The planner that has said what is in the file. */
export const fromFile: ReplySource = ({ replies }) => replies;

/** Scores all that files hold. */
export async function scoreFiles(files: readonly PlanFile[], source: ReplySource = fromFile): Promise<PlanReport> {
  const replies: ReplyRow[] = [];
  for (const { file, cases } of files) {
    for (const one of cases) {
      const task = taskOf(one);
      for (const reply of await source(one)) {
        const result = scorePlanReply(task, reply);
        replies.push({
          file,
          group: one.crew ?? file,
          name: one.name,
          kind: reply.kind,
          result,
          ...(reply.score === undefined ? {} : { expected: reply.score }),
          // The last digit of what is written is rounded, and so is the difference.
          isExpected: reply.score === undefined || Math.abs(result.score - reply.score) <= TOLERANCE + 1e-9,
        });
      }
    }
  }
  return { replies, dags: files.flatMap(({ file, dags }) => dags.map((row) => ({ file, ...scoreDag(row) }))) };
}

/** Names that two requests have: nobody could tell whose score it is. */
export function namesTwice(files: readonly PlanFile[]): Problem[] {
  const first = new Map<string, string>();
  return files.flatMap(({ file, cases }) =>
    cases.flatMap(({ name }): Problem[] => {
      const other = first.get(name);
      first.set(name, other ?? file);
      if (other === undefined) return [];
      return [{
        file,
        line: 1,
        column: 1,
        message: `name ${quote(name)} is taken by ${other}; give each request its own`,
      }];
    })
  );
}

/** What a planner is asked, and the plan that it should make. */
export function taskOf({ request, crew, roster, gold, parts }: CaseFile): PlanningTask {
  const plan: GoldPlan = {
    nodes: gold.map(({ takes, ...task }) => ({ ...task, durationMs: takes })),
    parts: parts.map(({ part, tasks, keywords }) => ({
      part,
      ...(tasks === undefined ? {} : { nodes: tasks }),
      ...(keywords === undefined ? {} : { keywords }),
    })),
  };
  return { request, roster: roster ?? CREWS.get(crew ?? "")?.specialists ?? [], gold: plan };
}

/** What some replies come to. Means are over the replies that have the number; `null` if none has. */
export interface PlanSummary {
  /** Requests. */
  readonly requests: number;
  /** Replies. */
  readonly replies: number;
  /** How the parser took them. */
  readonly parsed: Readonly<Record<ReplyScore["parsed"], number>>;
  /** Replies that gave a plan, over all. */
  readonly parseRate: number;
  /** Mean of a component over the plans. */
  readonly mean: Readonly<Record<ComponentId, number | null>>;
  /** Mean score over all replies, those without a plan included. */
  readonly score: number;
  /** Mean of makespan / optimum over the plans that leave nothing out, and how many those are. */
  readonly stretch: number | null;
  /** How many plans leave nothing out and have a makespan. */
  readonly whole: number;
  /** Replies whose score is not the expected one. */
  readonly off: number;
}

/** Sums rows up. */
export function summarize(rows: readonly ReplyRow[]): PlanSummary {
  const results = rows.map(({ result }) => result);
  const count = (parsed: ReplyScore["parsed"]) => results.filter((one) => one.parsed === parsed).length;
  const component = (id: ComponentId) =>
    mean(results.flatMap(({ components }) => components.find((one) => one.id === id)?.value ?? []));
  const stretches = results.flatMap(({ makespan }) => makespan?.stretch ?? []);
  const parsed = { ok: count("ok"), repair: count("repair"), reject: count("reject") };
  return {
    requests: new Set(rows.map(({ file, name }) => `${file} ${name}`)).size,
    replies: rows.length,
    parsed,
    parseRate: rows.length === 0 ? 0 : (parsed.ok + parsed.repair) / rows.length,
    mean: {
      nodes: component("nodes"),
      coverage: component("coverage"),
      testability: component("testability"),
      edges: component("edges"),
      inputs: component("inputs"),
      overlap: component("overlap"),
      parallelism: component("parallelism"),
      redundancy: component("redundancy"),
      privilege: component("privilege"),
    },
    score: mean(results.map(({ score }) => score)) ?? 0,
    stretch: mean(stretches),
    whole: stretches.length,
    off: rows.filter(({ isExpected }) => !isExpected).length,
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
