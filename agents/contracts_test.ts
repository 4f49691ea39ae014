import assert from "node:assert/strict";
import { FAILURE_CODES, type Json } from "../core/mod.ts";
import * as contracts from "./contracts.ts";
import { failedReport, report } from "./supervisor/testing.ts";
import type { Answer, Handoff, Report } from "./types.ts";

Deno.test("types.ts is plain JSON: this does not compile if a contract can hold anything else", () => {
  const _json: (value: Report | Handoff | Answer) => Json = (value) => value;
});

Deno.test("Report takes what a worker makes, and refuses keys and codes that it does not know", () => {
  for (const made of [report("billing"), failedReport("billing", "timeout")]) {
    assert.deepEqual(contracts.Report.parse(JSON.parse(JSON.stringify(made))), made);
  }
  const bad: unknown[] = [
    { ...report("billing"), extra: 1 },
    { ...report("billing"), failure: { code: "no_such_code", detail: "", retryable: false } },
    { ...report("billing"), failure: undefined },
    { ...report("billing"), startedAt: -1 },
    { ...report("billing"), provenance: { kind: "cached" } },
    { ...report("billing"), status: "fine" },
  ];
  for (const one of bad) assert.ok(!contracts.Report.safeParse(one).success, JSON.stringify(one));
});

Deno.test("Code is the closed set of core, in its order", () => {
  assert.deepEqual(contracts.Code.options, FAILURE_CODES);
  assert.ok(!contracts.Code.safeParse("constructor").success);
});
