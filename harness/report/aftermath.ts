/** What stands under a timeline: the faults that fired, what was done about each failure, and an end without an answer. */
import type { Json } from "../../core/mod.ts";
import type { Trace } from "../trace/event.ts";
import { count, fit, type Line, wrap } from "./layout.ts";

/** Most lines of a kind; a run of many workers must not fill the screen. */
const MAX_ITEMS = 6;

/** Faults, recoveries and a bad end of a cell, one line each where it fits. */
export function aftermath(trace: Trace, columns: number): Line[] {
  return [
    ...section("faults", faults(trace), columns),
    ...section("recovery", recoveries(trace), columns),
    ...section("ended", badEnd(trace), columns),
  ];
}

function section(title: string, items: readonly string[], columns: number): Line[] {
  const shown = items.slice(0, MAX_ITEMS);
  if (items.length > shown.length) shown.push(`… and ${items.length - shown.length} more`);
  return shown.flatMap((item, i) =>
    wrap(item, columns - 12).map((line, j): Line => [[`  ${(i + j === 0 ? title : "").padEnd(8)}  `, "dim"], line])
  );
}

function faults({ events, scenario }: Trace): string[] {
  return scenario.faults.map(({ fault, at }) => {
    const fired = events.filter(({ type, detail }) =>
      (type === "server.fault" || type === "model.fault") && detail["fault"] === fault && detail["at"] === at
    ).length;
    return `${brief(fault)} at ${brief(at)}: ${fired === 0 ? "never reached" : `fired ${count(fired, "time")}`}`;
  });
}

function recoveries({ events }: Trace): string[] {
  const stands = new Map<string, string>();
  for (const { type, detail } of events) {
    const report = type === "report" ? record(detail["report"]) : {};
    const { kind, source, asOf } = record(report["provenance"]);
    if (typeof kind !== "string" || kind === "live") continue;
    const from = kind === "cached" ? `a cached ${brief(source)} as of ${brief(asOf)}` : `the word of a ${brief(kind)}`;
    stands.set(brief(report["packetId"]), `${from} stands in`);
  }
  return events.filter(({ type }) => type === "route").map(({ detail: { worker, code, strategy, packetId } }) => {
    const result = stands.get(brief(packetId)) ?? "nothing stands in";
    return `${brief(worker)}: ${brief(code)} → ${brief(strategy)}: ${result}`;
  });
}

function badEnd({ events }: Trace): string[] {
  const { outcome, detail } = events.findLast(({ type }) => type === "run.end")?.detail ?? {};
  if (outcome === "answered") return [];
  return [
    typeof outcome === "string"
      ? `${fit(outcome, 60)}: ${typeof detail === "string" ? fit(detail, 300) : "?"}`
      : "the trace has no end",
  ];
}

const brief = (value: Json | undefined): string => typeof value === "string" ? fit(value, 60) : "?";
const record = (value: Json | undefined): { readonly [key: string]: Json | undefined } =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
