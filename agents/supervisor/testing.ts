/** What the supervisor's tests share: a crew of three, reports, a hub that always answers. */
import type { FailureCode } from "../../core/mod.ts";
import type { Crew } from "../crews/crew.ts";
import type { ServerStatus, ToolHub } from "../hub/mod.ts";
import type { Plan, PlanTask } from "../planner/plan.ts";
import type { Report } from "../types.ts";

/** A crew of three, each with a server of its own, and one fallback. */
export const CREW: Crew = {
  name: "test",
  title: "A crew for tests",
  servers: ["orders", "policy", "kb"],
  specialists: [["billing", "orders"], ["policy", "policy"], ["comms", "kb"]].map(([name = "", server]) => ({
    name,
    role: `Does ${name}.`,
    toolAllow: [`${server}.`],
    maxSteps: 3,
    deadlineMs: 1000,
    returnContract: "One sentence.",
  })),
  fallbacks: [{
    specialist: "policy",
    asOf: "2026-07",
    source: "policy snapshot",
    text: "Cached. SNAP",
    canary: "SNAP",
  }],
  fallbackPlan: [{ specialist: "comms", objective: "Find something to say." }],
  routes: {},
  deadlineMs: 10_000,
};

/** A task of a plan. */
export function task(id: string, specialist = id, more: Partial<PlanTask> = {}): PlanTask {
  return { id, specialist, objective: `Do ${id}.`, inputs: {}, dependsOn: [], ...more };
}

/** A plan as its model writes it. */
export const written = (...tasks: PlanTask[]): string => JSON.stringify({ tasks } satisfies Plan);

/** A report that met its objective, unless it is said otherwise. */
export function report(worker: string, more: Partial<Report> = {}): Report {
  const claim = `Found by ${worker}.`;
  return {
    worker,
    packetId: worker,
    objective: `Do ${worker}.`,
    status: "ok",
    findings: [{ claim, observations: [{ id: `run/${worker}`, tool: "s.find", args: {}, text: claim }] }],
    note: claim,
    provenance: { kind: "live" },
    usage: { steps: 1, inputTokens: 1, outputTokens: 1, costUsd: null },
    startedAt: 0,
    endedAt: 0,
    ...more,
  };
}

/** A report that came to nothing. */
export function failedReport(worker: string, code: FailureCode, more: Partial<Report> = {}): Report {
  const failure = { code, detail: `why ${worker} failed`, retryable: false };
  return report(worker, { status: "failed", failure, findings: [], note: "", ...more });
}

/** A hub with one tool a server, which always answers. */
export function answeringHub(down: readonly string[] = []): ToolHub {
  const failure = { code: "server_down" as const, detail: "connection refused" };
  const status = (name: string): ServerStatus =>
    down.includes(name)
      ? { name, state: "down", tools: [], problems: [], failure }
      : { name, state: "up", tools: [`${name}.find`], problems: [] };
  const allowed = (allow: readonly string[]) => CREW.servers.filter((name) => allow.includes(`${name}.`));
  return {
    servers: () => CREW.servers.map(status),
    specs: (allow) =>
      allowed(allow).filter((name) => !down.includes(name)).map((name) => ({
        name: `${name}.find`,
        description: "",
        inputSchema: { type: "object" },
        annotations: { readOnlyHint: true },
      })),
    down: (allow) => allowed(allow).filter((name) => down.includes(name)).map((name) => ({ name, failure })),
    call: (name) => Promise.resolve({ kind: "answered", text: `Found by ${OWNERS.get(name) ?? "nobody"}.` }),
  };
}

/** Whose tool each is: what it answers bears out the note of that specialist. */
const OWNERS: ReadonlyMap<string, string> = new Map([
  ["orders.find", "billing"],
  ["policy.find", "policy"],
  ["kb.find", "comms"],
]);
