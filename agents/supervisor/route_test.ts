import assert from "node:assert/strict";
import { FAILURE_CODES, FAILURES } from "../../core/mod.ts";
import { cachedReport, routeReport } from "./route.ts";
import { CREW, failedReport, report } from "./testing.ts";

Deno.test("routeReport() has nothing to do with a report that did not fail", () => {
  assert.equal(routeReport(report("policy"), CREW), undefined);
});

Deno.test("routeReport() falls back only where the code's route says so and the crew has something", () => {
  for (const code of FAILURE_CODES) {
    const wanted: readonly string[] = FAILURES[code].route;
    assert.equal(wanted.at(-1), "disclose");
    const covered = routeReport(failedReport("policy", code), CREW);
    assert.equal(covered?.strategy, wanted.includes("fallback") ? "fallback" : "disclose", code);
    assert.equal(covered?.fallback?.source, wanted.includes("fallback") ? "policy snapshot" : undefined);
    const bare = routeReport(failedReport("billing", code), CREW);
    assert.deepEqual(bare, { packetId: "billing", worker: "billing", code, strategy: "disclose" });
  }
});

Deno.test("routeReport() lets a crew have its own route for a code", () => {
  const strict = { ...CREW, routes: { timeout: ["disclose" as const], denied: ["fallback" as const], internal: [] } };
  assert.equal(routeReport(failedReport("policy", "timeout"), strict)?.strategy, "disclose");
  assert.equal(routeReport(failedReport("policy", "denied"), strict)?.strategy, "fallback");
  assert.equal(routeReport(failedReport("policy", "internal"), strict)?.strategy, "disclose");
  assert.equal(routeReport(failedReport("policy", "tool_error"), strict)?.strategy, "fallback");
});

Deno.test("routeReport() finds no fallback for a name that every object has", () => {
  for (const name of ["constructor", "__proto__", "toString"]) {
    assert.equal(routeReport(failedReport(name, "timeout"), CREW)?.strategy, "disclose");
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
