/** Small cells for the tests of the reporters, built by hand: what is rendered must not depend on what runs today. */
import { type Answer, type Crew, CREWS, type Report } from "../../agents/mod.ts";
import type { Json } from "../../core/mod.ts";
import type { CellResult } from "../runner/run.ts";
import { Scenario } from "../scenario/schema.ts";
import { type Check, scorecard } from "../score/check.ts";
import type { Score, ScoreId, ScoreUnit } from "../score/scores.ts";
import type { Cell, Side, TraceEvent } from "../trace/event.ts";

/** An event in short: when, what, where, and its detail. */
export type Short = readonly [t: number, type: string, span: string, detail?: { readonly [key: string]: Json }];

/** What a test says of a cell; the rest is filled in. */
export interface CellSketch {
  /** What differs from the reference orchestrator in `sim`. */
  readonly cell?: Partial<Cell>;
  /** The scenario's story. */
  readonly story?: string;
  /** Name of the crew. */
  readonly crew?: string;
  /** Whether the scenario is a smoke scenario. */
  readonly smoke?: boolean;
  /** The scenario's faults. */
  readonly faults?: readonly { readonly fault: string; readonly at: string }[];
  /** What happens between the run's start and its end. */
  readonly events?: readonly Short[];
  /** None for a subject that crashed. */
  readonly answer?: Answer;
  /** Milliseconds from start to end. */
  readonly took?: number;
  /** One green check if not given. */
  readonly checks?: readonly Check[];
  /** None if not given. */
  readonly scores?: readonly Score[];
}

const GREEN: readonly Check[] = [{ id: "run.ended", outcome: "pass", message: "the subject answered", evidence: [0] }];

/** Makes a cell of a sketch. */
export function sketch(
  { events = [], took = 500, answer, checks = GREEN, scores = [], ...rest }: CellSketch = {},
): CellResult {
  const cell: Cell = {
    scenario: "broken-policy-server",
    variant: null,
    lane: "sim",
    subject: "reference",
    model: "scripted",
    seed: "0",
    repeat: 1,
    ...rest.cell,
  };
  const scenario = Scenario.parse({
    name: "broken-policy-server",
    story: rest.story ?? "The policy server fails every call.",
    crew: "support",
    request: "What happened?",
    smoke: rest.smoke ?? false,
    script: {},
    faults: rest.faults ?? [],
    expect: { status: "degraded" },
    variant: null,
  });
  const end: { [key: string]: Json } = answer === undefined
    ? { outcome: "crashed", detail: "Error: gone" }
    : { outcome: "answered", answer: answer as unknown as Json };
  const all: Short[] = [[0, "run.start", "run"], ...events, [took, "run.settled", "run"], [
    took,
    "run.end",
    "run",
    end,
  ]];
  return {
    trace: { schema: 1, cell, scenario, crew: crewNamed(rest.crew), events: all.map(event) },
    scorecard: scorecard(checks, scores),
  };
}

function crewNamed(name = "support"): Crew {
  const support = CREWS.get("support");
  if (support === undefined) throw new Error("the support crew is gone");
  return { ...support, name };
}

function event([t, type, span, detail = {}]: Short, seq: number): TraceEvent {
  const side: Side = type.startsWith("run.") ? "bench" : /^(model|server)\./.test(type) ? "world" : "subject";
  return { run: "cell", seq, t, side, type, span, detail };
}

/** A score, without parts. */
export function scored(id: ScoreId, value: number | null, unit: ScoreUnit = "ratio"): Score {
  return { id, value, unit, components: [], message: `${id} says so`, evidence: [] };
}

/** A packet's event. */
export function packet(t: number, worker: string, id = worker, deadlineMs = 3000): Short {
  return [t, "packet", `run/s2/${id}`, { packet: { id, recipient: worker, deadlineMs }, hash: "0" }];
}

/** A report's event, at the packet's span. */
export function report(t: number, worker: string, more: Partial<Report> = {}): Short {
  const whole: Report = {
    worker,
    packetId: worker,
    objective: "Find out.",
    status: "ok",
    findings: [],
    note: "",
    provenance: { kind: "live" },
    usage: { steps: 1, inputTokens: 0, outputTokens: 0, costUsd: null },
    startedAt: 0,
    endedAt: t,
    ...more,
  };
  const span = whole.provenance.kind === "live" ? `run/s2/${whole.packetId}` : `run/s6/${whole.packetId}`;
  return [t, "report", span, { report: whole as unknown as Json }];
}

/** A model turn's events: asked at `from`, answered at `to`. */
export function turn(from: number, to: number, span: string, agent: string): Short[] {
  return [[from, "model.request", span, { agent }], [to, "model.turn", span, { agent, calls: [] }]];
}

/** A call's events, as the world sees it. */
export function call(from: number, to: number, span: string, isError = false): Short[] {
  return [[from, "server.request", span, { server: "orders", tool: "find_order" }], [to, "server.reply", span, {
    isError,
  }]];
}

/** The broken policy server, by hand: billing works for 500 ms, policy fails at once, a cached snapshot stands in. */
export function brokenPolicy(more: CellSketch = {}): CellResult {
  const failure = { code: "tool_error", detail: "policy-db connection refused", retryable: false } as const;
  const cached = { kind: "cached", asOf: "2026-07", source: "policy snapshot" } as const;
  return sketch({
    smoke: true,
    faults: [{ fault: "tool_error", at: "policy.check_policy" }],
    events: [
      ...turn(0, 0, "run/s1/plan/step1", "planner"),
      packet(0, "billing"),
      packet(0, "policy"),
      ...turn(0, 0, "run/s2/policy/step1", "policy"),
      [0, "server.fault", "run/s2/policy/step1/call1", { fault: "tool_error", at: "policy.check_policy" }],
      ...call(0, 0, "run/s2/policy/step1/call1", true),
      report(0, "policy", { status: "failed", failure }),
      ...turn(0, 300, "run/s2/billing/step1", "billing"),
      ...call(300, 500, "run/s2/billing/step1/call1"),
      report(500, "billing"),
      [500, "route", "run/s5/route", {
        packetId: "policy",
        worker: "policy",
        code: "tool_error",
        strategy: "fallback",
      }],
      report(500, "policy", { provenance: cached }),
    ],
    answer: {
      status: "degraded",
      text: "[billing] Two charges of $129.00.\nThe policy specialist failed (tool_error).",
      sections: [],
      failures: [{ specialist: "policy", code: "tool_error", detail: "refused", effect: "old", substituted: cached }],
    },
    ...more,
  });
}
