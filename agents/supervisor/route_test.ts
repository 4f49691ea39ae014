import assert from "node:assert/strict";
import { FAILURE_CODES, type FailureCode, FAILURES, type Strategy } from "../../core/mod.ts";
import type { Crew } from "../crews/crew.ts";
import type { Report } from "../types.ts";
import { packetFor } from "./packets.ts";
import { cachedReport, COUNTED, decide, extended, humanReport, RECOVERY, type RouteContext } from "./route.ts";
import type { Decision } from "./state.ts";
import { CREW, failedReport, report, task } from "./testing.ts";

const ENDLESS = { steps: Infinity, tokens: Infinity, costUsd: Infinity };

/** A report that failed, as one of the code would: worth another attempt if the code is. */
function failing(worker: string, code: FailureCode, more: Partial<Report> = {}): Report {
  const failure = { code, detail: "why", retryable: FAILURES[code].retryable };
  return failedReport(worker, code, { failure, ...more });
}

function context(owner: string, more: Partial<RouteContext> = {}): RouteContext {
  return {
    crew: CREW,
    owner,
    packet: packetFor(task(owner), CREW, []),
    attempt: 1,
    decisions: [],
    left: ENDLESS,
    leftMs: 10_000,
    facts: new Map(),
    hasOperator: false,
    hasUser: false,
    ...more,
  };
}

const strategy = (code: FailureCode, more: Partial<RouteContext> = {}, owner = "billing"): Strategy | undefined =>
  decide(failing(owner, code), context(owner, more))?.strategy;

const taken = (strategy: Strategy, more: Partial<Decision> = {}): Decision => ({
  packetId: "billing",
  worker: "billing",
  code: "rate_limited",
  strategy,
  attempt: 1,
  passed: [],
  ...more,
});

const routed = (code: FailureCode, ...route: Strategy[]): Crew => ({ ...CREW, routes: { [code]: route } });

Deno.test("decide() has nothing to do with a report that did not fail", () => {
  assert.equal(decide(report("policy"), context("policy")), undefined);
});

Deno.test("decide() ends every route in disclose, and falls back only where the crew has something", () => {
  for (const code of FAILURE_CODES) {
    const route: readonly Strategy[] = FAILURES[code].route;
    assert.equal(route.at(-1), "disclose");
    const spent = { crew: { ...CREW, recovery: { ...RECOVERY, maxPerRun: 0 } } };
    assert.equal(strategy(code, spent, "policy"), route.includes("fallback") ? "fallback" : "disclose", code);
    assert.equal(strategy(code, spent), "disclose", code);
  }
});

Deno.test("decide() lets a crew have its own route for a code", () => {
  assert.equal(strategy("timeout", { crew: routed("timeout", "disclose") }, "policy"), "disclose");
  assert.equal(strategy("denied", { crew: routed("denied", "fallback") }, "policy"), "fallback");
  assert.equal(strategy("internal", { crew: { ...CREW, routes: { internal: [] } } }, "policy"), "disclose");
  assert.equal(strategy("tool_error", { crew: routed("timeout", "disclose") }, "policy"), "fallback");
});

Deno.test("decide() retries what may succeed, with twice the wait each time, and as late as it was asked", () => {
  const first = decide(failing("billing", "rate_limited"), context("billing"));
  assert.deepEqual([first?.strategy, first?.delayMs], ["retry", 500]);
  const more = { decisions: [taken("retry")], attempt: 2 };
  assert.equal(decide(failing("billing", "rate_limited"), context("billing", more))?.delayMs, 1000);
  const failure = { code: "rate_limited" as const, detail: "", retryable: true, retryAfterMs: 4000 };
  assert.equal(decide(failedReport("billing", "rate_limited", { failure }), context("billing"))?.delayMs, 4000);
  const late = decide(failedReport("billing", "rate_limited", { failure }), context("billing", { leftMs: 4000 }));
  assert.equal(late?.strategy, "disclose", "not where the run is over before");
  assert.deepEqual(late?.passed.map((one) => one.strategy), ["retry", "reassign", "fallback"]);
});

Deno.test("decide() never retries what would fail again, and never a call that may have acted", () => {
  const permanent = { code: "model_error" as const, detail: "404", retryable: false };
  const report = failedReport("billing", "model_error", { failure: permanent });
  assert.equal(decide(report, context("billing"))?.strategy, "disclose");
  const unknown = { code: "outcome_unknown" as const, detail: "", retryable: true };
  const crew = routed("outcome_unknown", "retry", "reassign", "disclose");
  const blind = failedReport("billing", "outcome_unknown", { failure: unknown });
  assert.equal(decide(blind, context("billing", { crew: standIns(crew) }))?.strategy, "disclose");
});

/** The crew, with comms standing in for billing. */
function standIns(crew: Crew): Crew {
  const specialists = crew.specialists.map((one) => one.name === "comms" ? { ...one, standsInFor: ["billing"] } : one);
  return { ...crew, specialists };
}

Deno.test("decide() stays within what a packet and a run may cost", () => {
  const [once, twice] = [taken("retry"), taken("retry", { attempt: 2 })];
  assert.equal(strategy("rate_limited", { decisions: [once], attempt: 2 }), "retry");
  assert.equal(strategy("rate_limited", { decisions: [once, twice], attempt: 3 }), "disclose");
  const others = Array.from({ length: 6 }, (_, i) => taken("retry", { packetId: `t${i}` }));
  assert.equal(strategy("rate_limited", { decisions: others }), "disclose");
  assert.equal(strategy("rate_limited", { decisions: others.slice(1) }), "retry");
  const free = Array.from({ length: 9 }, (_, i) => taken("fallback", { packetId: `t${i}` }));
  assert.equal(strategy("rate_limited", { decisions: free }), "retry", "what stands in costs nothing");
  assert.deepEqual([...COUNTED].sort(), ["clarify", "escalate", "extend", "reassign", "retry"]);
});

Deno.test("decide() extends once, if there is more to give", () => {
  assert.equal(strategy("budget_steps"), "extend");
  assert.equal(strategy("budget_steps", { decisions: [taken("extend")], attempt: 2 }), "disclose");
  assert.equal(strategy("budget_steps", { left: { ...ENDLESS, steps: 3 } }), "disclose", "three were not enough");
  assert.equal(strategy("budget_steps", { left: { ...ENDLESS, steps: 4 } }), "extend");
  assert.equal(strategy("budget_tokens"), "disclose", "it had no limit of its own: the run's is reached");
});

Deno.test("extended() gives twice as much of what ran out, and never more than is left", () => {
  const packet = { ...packetFor(task("billing"), CREW, []), maxTokens: 100, maxCostUsd: 1 };
  const of = (code: FailureCode, left = ENDLESS) => extended(packet, failing("billing", code), left);
  assert.equal(of("budget_steps")?.maxSteps, 6);
  assert.equal(of("budget_steps", { ...ENDLESS, steps: 4 })?.maxSteps, 4);
  assert.equal(of("budget_tokens")?.maxTokens, 200);
  assert.equal(of("budget_cost")?.maxCostUsd, 2);
  assert.equal(of("timeout")?.deadlineMs, 2000);
  assert.equal(of("budget_tokens", { ...ENDLESS, tokens: 100 }), undefined);
  assert.equal(of("tool_error"), undefined);
});

Deno.test("decide() reassigns to whoever stands in, each of them once, whoever failed last", () => {
  const crew = standIns(routed("tool_error", "reassign", "disclose"));
  const first = decide(failing("billing", "tool_error"), context("billing", { crew }));
  assert.deepEqual([first?.strategy, first?.to], ["reassign", "comms"]);
  const failed = failing("comms", "tool_error", { packetId: "billing" });
  const decisions = [taken("reassign", { to: "comms" })];
  assert.equal(decide(failed, context("billing", { crew, decisions, attempt: 2 }))?.strategy, "disclose");
  assert.equal(strategy("tool_error", { crew: routed("tool_error", "reassign", "disclose") }), "disclose");
});

Deno.test("decide() asks a person only where there is one, and only once", () => {
  assert.equal(strategy("outcome_unknown"), "disclose");
  assert.equal(strategy("outcome_unknown", { hasOperator: true }), "escalate");
  const decisions = [taken("escalate", { code: "outcome_unknown" })];
  assert.equal(strategy("outcome_unknown", { hasOperator: true, decisions }), "disclose");
  const asks = failing("billing", "ambiguous", { status: "needs_clarification", question: "Which order id?" });
  const with_ = (more: Partial<RouteContext>) => decide(asks, context("billing", more))?.strategy;
  assert.equal(with_({}), "disclose");
  assert.equal(with_({ hasUser: true }), "clarify");
  assert.equal(with_({ facts: new Map([["order_id", "1"]]) }), "clarify");
  assert.equal(with_({ facts: new Map([["currency", "USD"]]) }), "disclose");
  assert.equal(with_({ hasUser: true, decisions: [taken("clarify")], attempt: 2 }), "disclose");
});

Deno.test("decide() tries the next strategy of the route where one has come to nothing on the same attempt", () => {
  const crew = routed("timeout", "escalate", "fallback", "disclose");
  assert.equal(strategy("timeout", { crew, hasOperator: true }, "policy"), "escalate");
  const decisions = [taken("escalate", { packetId: "policy", code: "timeout" })];
  assert.equal(strategy("timeout", { crew, hasOperator: true, decisions }, "policy"), "fallback");
});

Deno.test("decide() sends nothing again that was never sent", () => {
  for (const code of ["rate_limited", "budget_steps", "tool_error"] as const) {
    assert.equal(strategy(code, { packet: undefined, crew: standIns(CREW) }), "disclose", code);
  }
});

Deno.test("decide() finds no fallback for a name that every object has", () => {
  for (const name of ["constructor", "__proto__", "toString"]) {
    assert.equal(decide(failedReport(name, "timeout"), context("billing", { owner: name }))?.strategy, "disclose");
  }
});

Deno.test("cachedReport() says that it is cached, from where and as of when, and used nothing", () => {
  const [fallback] = CREW.fallbacks;
  assert.ok(fallback);
  const cached = cachedReport(failedReport("policy", "timeout", { packetId: "a/b" }), fallback, 70);
  assert.deepEqual(cached.provenance, { kind: "cached", asOf: "2026-07", source: "policy snapshot" });
  assert.deepEqual([cached.worker, cached.packetId, cached.note, cached.startedAt], [
    "policy",
    "a/b",
    "Cached. SNAP",
    70,
  ]);
  assert.equal(cached.findings[0]?.observations[0]?.id, "run/fallbacks/a%2Fb");
  assert.equal(cached.usage.steps, 0);
});

Deno.test("humanReport() says that a person said so", () => {
  const human = humanReport(failedReport("policy", "timeout"), "It is done.", 70);
  assert.deepEqual([human.provenance, human.note, human.status], [{ kind: "human" }, "It is done.", "ok"]);
});
