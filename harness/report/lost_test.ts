import assert from "node:assert/strict";
import { describeLost, lostParts } from "./lost.ts";
import { makeReport } from "./report.ts";
import { brokenPolicy, packet, report, sketch } from "./testing.ts";

const lost = (result: ReturnType<typeof sketch>) => makeReport([result]).cells.flatMap(lostParts);
const failure = { code: "timeout", detail: "", retryable: true } as const;

Deno.test("lostParts() names who failed, with which code, and what stands in", () => {
  assert.deepEqual(lost(brokenPolicy()), [{ who: "policy", code: "tool_error", standIn: "cached 2026-07" }]);
});

Deno.test("lostParts() reads a failure that the answer hides", () => {
  const events = [packet(0, "policy"), report(5, "policy", { status: "failed", failure })];
  const answer = { status: "complete", text: "All is well.", sections: [], failures: [] } as const;
  const hidden = sketch({ events, answer: { ...answer, sections: [], failures: [] } });
  assert.deepEqual(lost(hidden), [{ who: "policy", code: "timeout" }]);
});

Deno.test("lostParts() calls a packet recovered whose later report is live and good", () => {
  const events = [packet(0, "policy"), report(5, "policy", { status: "failed", failure }), report(9, "policy")];
  assert.deepEqual(lost(sketch({ events })), [{ who: "policy", code: "timeout", standIn: "recovered" }]);
});

Deno.test("lostParts() names what never became a packet", () => {
  const failures = [{ specialist: "poet", code: "unknown_specialist", detail: "", effect: "" } as const];
  const answer = { status: "degraded", text: "", sections: [], failures } as const;
  const result = sketch({ answer: { ...answer, sections: [], failures: [...failures] } });
  assert.deepEqual(lost(result), [{ who: "poet", code: "unknown_specialist" }]);
});

Deno.test("describeLost() puts the same fate together", () => {
  const parts = [
    { who: "billing", code: "tool_error" },
    { who: "comms", code: "tool_error" },
    { who: "policy", code: "timeout", standIn: "cached 2026-07" },
  ];
  assert.equal(describeLost(parts), "billing, comms tool_error; policy timeout → cached 2026-07");
  assert.equal(describeLost(parts, true), "billing, comms tool_error; policy timeout → cached");
});
