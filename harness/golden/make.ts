/** Makes goldens of cells: pure functions of trace and scorecard. Nothing of the machine is in them. */
import { sha256 } from "../../core/mod.ts";
import { describeLost, lostParts } from "../report/lost.ts";
import { workerRows } from "../report/report.ts";
import type { CellResult } from "../runner/run.ts";
import type { Check } from "../score/check.ts";
import { makespan } from "../score/latency.ts";
import type { Score } from "../score/scores.ts";
import { type SeenPacket, type TraceView, viewTrace } from "../score/view.ts";
import { canonicalDigest } from "../trace/canonical.ts";
import type { Trace } from "../trace/event.ts";
import { kindLines } from "./check_kinds.ts";
import { eventDigests, wrapDigests } from "./events.ts";
import { sealed } from "./file.ts";
import { type Golden, GOLDEN_SCHEMA, type GoldenCell, type GoldenScore } from "./schema.ts";

/**
 * The goldens of cells, one a scenario, in the order of the cells.
 *
 * @throws {RangeError} If a cell is not of the `sim` lane: only there are times, and so bytes, the same each time.
 */
export function makeGoldens(results: readonly CellResult[]): Golden[] {
  const byScenario = Map.groupBy(results, ({ trace }) => trace.cell.scenario);
  return [...byScenario].map(([scenario, own]) =>
    sealed({
      schema: GOLDEN_SCHEMA,
      scenario,
      crew: own[0]?.trace.crew.name ?? "",
      cells: own.map(goldenCell),
    })
  );
}

/** What a golden says of one cell. */
export function goldenCell({ trace, scorecard: { outcome, checks, scores } }: CellResult): GoldenCell {
  if (trace.cell.lane !== "sim") throw new RangeError(`a golden is made of a sim cell; got ${trace.cell.lane}`);
  const view = viewTrace(trace);
  const { answer, end } = view;
  const workers = workerRows(trace);
  return {
    variant: trace.cell.variant,
    story: trace.scenario.story,
    outcome,
    ended: end?.outcome ?? "error",
    makespan: makespan(view) ?? null,
    faults: trace.scenario.faults.map(({ fault, at }) => `${fault} at ${at}`),
    plan: view.packets.map(packetLine),
    workers: workers.map(({ worker, packet, status, code, provenance, steps, startedAt, endedAt }) => {
      const what = [status, ...code === undefined ? [] : [code], ...provenance === "live" ? [] : [provenance]];
      const spent = steps === 1 ? "1 step" : `${steps} steps`;
      return `${named(packet, worker)}: ${what.join(" ")}, ${spent}, ${startedAt ?? "?"} to ${endedAt ?? "?"} ms`;
    }),
    calls: callLines(view),
    routes: routeLines(trace),
    lost: describeLost(lostParts({ workers, ...answer === undefined ? {} : { answer } })),
    answer: answer === undefined ? null : { status: answer.status, text: answer.text.split("\n") },
    scores: Object.fromEntries(scores.map((score) => [score.id, goldenScore(score)])),
    checks: goldenChecks(checks),
    trace: { sha256: canonicalDigest(trace), events: wrapDigests(eventDigests(trace)) },
  };
}

/** A packet and who works on it; one word where they are called the same. */
const named = (packet: string, worker: string): string => packet === worker ? worker : `${packet} (${worker})`;

function packetLine({ superstep, packet: { id, recipient, dependsOn, attempt } }: SeenPacket): string {
  const parts = [
    ...superstep === undefined ? [] : [`superstep ${superstep}`],
    ...dependsOn.length === 0 ? [] : [`after ${dependsOn.join(", ")}`],
    ...attempt === undefined ? [] : [`attempt ${attempt}`],
  ];
  return `${named(id, recipient)}: ${parts.join(", ") || "dispatched"}`;
}

function callLines({ calls, trace: { events } }: TraceView): string[] {
  return calls.map(({ seq, span, tool, reply }) => {
    const came = reply === undefined ? "no reply" : reply.isError ? "error" : "ok";
    const times = reply === undefined ? `${events[seq]?.t} ms` : `${events[seq]?.t} to ${events[reply.seq]?.t} ms`;
    return `${span.replace(/^run\//, "")}: ${tool} ${came}, ${times}`;
  });
}

function routeLines({ events }: Trace): string[] {
  return events.filter(({ type, side }) => type === "route" && side === "subject").map(({ detail }) => {
    const { packetId, worker, code, strategy, attempt, delayMs } = detail;
    const more = [
      ...typeof attempt === "number" && attempt > 1 ? [`after attempt ${attempt}`] : [],
      ...typeof delayMs === "number" ? [`in ${delayMs} ms`] : [],
    ];
    return `${named(word(packetId), word(worker))}: ${[`${word(code)} → ${word(strategy)}`, ...more].join(", ")}`;
  });
}

const word = (value: unknown): string => typeof value === "string" ? value : "?";

function goldenScore({ value, unit, message, components }: Score): GoldenScore {
  const counted = components.flatMap(({ id, value }) => value === null ? [] : [[id, round(value)] as const]);
  return { value: value === null ? null : round(value), unit, message, components: Object.fromEntries(counted) };
}

const round = (value: number): number => Math.round(value * 1e4) / 1e4;

function goldenChecks(checks: readonly Check[]): GoldenCell["checks"] {
  const ids = checks.map(({ id }) => id);
  return {
    count: checks.length,
    kinds: kindLines(ids),
    digest: sha256(ids.toSorted().join("\n")).slice(0, 12),
    // What cannot be had in this lane, and is declared so, is not red.
    red: checks.flatMap(({ id, outcome, message, declared }) =>
      outcome === "pass" || declared ? [] : [`${outcome} ${id}: ${message}`]
    ),
  };
}
