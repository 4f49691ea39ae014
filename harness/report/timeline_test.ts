import assert from "node:assert/strict";
import { width } from "./layout.ts";
import { brokenPolicy, call, packet, report, type Short, sketch, turn } from "./testing.ts";
import { renderTimeline } from "./timeline.ts";

const plain = { columns: 80, colour: false };
const failure = { code: "timeout", detail: "", retryable: true } as const;
/** The row of an agent. */
const row = (lines: readonly string[], label: string) => lines.find((line) => line.startsWith(`  ${label} `)) ?? "";

Deno.test("renderTimeline() shows who did what when, what failed and what was done about it", () => {
  assert.deepEqual(renderTimeline(brokenPolicy(), plain), [
    "Timeline  broken-policy-server@sim  pass",
    "  The policy server fails every call.",
    "           0                          500 ms   steps  calls   status  code",
    "  planner  •                                   1      0       ok",
    "  billing  ───────────────────•════════════◆   1      1       ok",
    "  policy   ✗                                   1      1, 1 ✗  failed  tool_error",
    "  • turn   ◆ call ok   ! fault   ✗ call failed   ─ model   ═ tool",
    "  faults    tool_error at policy.check_policy: fired 1 time",
    "  recovery  policy: tool_error → fallback: a cached policy snapshot as of",
    "            2026-07 stands in",
  ]);
});

Deno.test("renderTimeline() fits 40 columns", () => {
  assert.deepEqual(renderTimeline(brokenPolicy(), { columns: 40, colour: false }).slice(2, 7), [
    "           0 500 ms   status  code",
    "  planner  •          ok",
    "  billing  ────•══◆   ok",
    "  policy   ✗          failed  tool_error",
    "  • turn   ◆ call ok   ! fault",
  ]);
});

Deno.test("renderTimeline() goes by the order of events where all happened at one instant", () => {
  const events = [
    packet(0, "billing"),
    packet(0, "comms"),
    ...turn(0, 0, "run/s2/comms/step1", "comms"),
    report(0, "comms"),
    ...turn(0, 0, "run/s2/billing/step1", "billing"),
    ...call(0, 0, "run/s2/billing/step1/call1"),
    report(0, "billing"),
  ];
  const lines = renderTimeline(sketch({ events, took: 0 }), plain);
  assert.match(lines[2] ?? "", /^ {11}all at 0 ms, +in order /);
  assert.ok(row(lines, "comms").indexOf("•") < row(lines, "billing").indexOf("•"), lines.join("\n"));
  assert.ok(row(lines, "billing").indexOf("•") < row(lines, "billing").indexOf("◆"), lines.join("\n"));
});

Deno.test("renderTimeline() marks the deadline of a worker that it ended, and of no other", () => {
  const hang: Short[] = [
    packet(0, "policy"),
    packet(0, "billing"),
    ...turn(0, 0, "run/s2/policy/step1", "policy"),
    [0, "server.request", "run/s2/policy/step1/call1", { server: "policy", tool: "check_policy" }],
    ...turn(0, 1000, "run/s2/billing/step1", "billing"),
    report(1000, "billing"),
    [3000, "server.cancelled", "run/s2/policy/step1/call1"],
    report(3000, "policy", { status: "failed", failure }),
  ];
  const lines = renderTimeline(sketch({ events: hang, took: 3000 }), plain);
  assert.match(row(lines, "policy"), /^ {2}policy +•═{20,}✗┃ +1 +1, 1 ✗ +failed +timeout$/);
  assert.match(row(lines, "billing"), /^ {2}billing +─+• +1 +0 +ok$/);
});

Deno.test("renderTimeline() sees failures that only the caller knows: a denied call, an error inside a result", () => {
  const span = "run/s2/billing/step1";
  const events: Short[] = [
    packet(0, "billing"),
    ...turn(0, 0, span, "billing"),
    [0, "call.start", `${span}/call1`],
    [0, "call.end", `${span}/call1`, { code: "denied" }],
    [0, "call.start", `${span}/call2`],
    ...call(0, 9, `${span}/call2`),
    [9, "call.end", `${span}/call2`, { code: "tool_error" }],
    report(9, "billing"),
  ];
  assert.match(row(renderTimeline(sketch({ events, took: 9 }), plain), "billing"), /2, 2 ✗ +ok$/);
});

Deno.test("renderTimeline() takes the world's word that a call failed over the subject's", () => {
  const span = "run/s2/billing/step1";
  const events: Short[] = [
    packet(0, "billing"),
    ...turn(0, 0, span, "billing"),
    ...call(0, 5, `${span}/call1`, true),
    [5, "call.end", `${span}/call1`, { kind: "answered" }],
    report(5, "billing"),
  ];
  assert.match(row(renderTimeline(sketch({ events, took: 5 }), plain), "billing"), /1, 1 ✗ +ok$/);
});

Deno.test("renderTimeline() shows a worker that gave no report, with the code of its route", () => {
  const events: Short[] = [
    packet(0, "billing"),
    ...turn(0, 10, "run/s2/billing/step1", "billing"),
    [50, "route", "run/s5/route", { packetId: "billing", worker: "billing", code: "internal", strategy: "disclose" }],
  ];
  const lines = renderTimeline(sketch({ events, took: 50 }), plain);
  assert.match(row(lines, "billing"), /no report +internal$/);
  assert.ok(lines.includes("  recovery  billing: internal → disclose: nothing stands in"), lines.join("\n"));
});

Deno.test("renderTimeline() names a specialist that never ran", () => {
  const failures = [{ specialist: "poet", code: "unknown_specialist" as const, detail: "", effect: "" }];
  const result = sketch({ answer: { status: "degraded", text: "", sections: [], failures } });
  assert.match(row(renderTimeline(result, plain), "poet"), /^ {2}poet +0 +0 +never ran +unknown_specialist$/);
});

Deno.test("renderTimeline() says how a cell ended that has no answer, and that a fault was never reached", () => {
  assert.deepEqual(renderTimeline(sketch({ faults: [{ fault: "tool_error", at: "kb.search_kb" }] }), plain).slice(2), [
    "  No agent did anything.",
    "  faults    tool_error at kb.search_kb: never reached",
    "  ended     crashed: Error: gone",
  ]);
});

Deno.test("renderTimeline() shows 50 workers, or the failed ones first where it may not show all", () => {
  const names = Array.from({ length: 50 }, (_, i) => `worker-${i}-${"x".repeat(40)}`);
  const events = names.flatMap((name, i) => [
    packet(0, name),
    ...turn(0, i * 100, `run/s2/${name}/step1`, name),
    report(i * 100, name, i === 49 ? { status: "failed", failure } : {}),
  ]);
  const result = sketch({ events, took: 4900 });
  assert.equal(renderTimeline(result, plain).filter((line) => line.startsWith("  worker-")).length, 50);
  const some = renderTimeline(result, { ...plain, maxRows: 3 });
  assert.equal(some.filter((line) => line.startsWith("  worker-")).length, 3);
  assert.ok(some.some((line) => /^ {2}worker-49-.*failed +timeout$/.test(line)), some.join("\n"));
  assert.ok(some.includes("  … and 47 more agents, all ok"), some.join("\n"));
});

Deno.test("renderTimeline() is one harmless line a row whatever an agent is called", () => {
  for (
    const name of ["\u001b[2J", "a\nb\tc", "\u202egnillib", "日本語の専門家", "e\u0301".repeat(99), "x".repeat(1 << 20)]
  ) {
    const events = [packet(0, name, "p"), ...turn(0, 9, "run/s2/p/step1", name), report(9, name, { packetId: "p" })];
    for (const columns of [40, 80, 200]) {
      const lines = renderTimeline(sketch({ events, took: 9 }), { columns, colour: false });
      assert.ok(lines.every((line) => width(line) <= columns), lines.join("\n"));
      // deno-lint-ignore no-control-regex
      assert.doesNotMatch(lines.join(""), /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
  }
});

Deno.test("renderTimeline() survives details of any shape", () => {
  const odd = [null, 7, "x", [], {}, { id: 7, recipient: {} }];
  const events = odd.flatMap((value, i): Short[] => [
    [0, "packet", `run/s2/p${i}`, { packet: value }],
    [0, "route", "run/s5/route", { packetId: value, code: value, strategy: value }],
    [0, "server.fault", `run/s2/p${i}/x`, { fault: value }],
    [0, "model.error", `run/s2/p${i}/x`, { code: value }],
  ]);
  assert.ok(renderTimeline(sketch({ events }), plain).length > 6);
});

Deno.test("renderTimeline() has no number of calls where nobody can tell whose they are", () => {
  const hidden = sketch({
    events: [
      [0, "subject.shows", "run", { shows: ["answer"] }],
      ...turn(0, 300, "run/m1", "billing"),
      ...call(300, 500, "run/c1"),
    ],
  });
  const { trace: { events } } = hidden;
  const trace = {
    ...hidden.trace,
    events: events.map((one) => one.type === "subject.shows" ? { ...one, side: "bench" as const } : one),
  };
  assert.match(row(renderTimeline({ ...hidden, trace }, plain), "billing"), / 1 +- +ok$/);
  const seen = sketch({ events: turn(0, 300, "run/m1", "billing") });
  assert.match(row(renderTimeline(seen, plain), "billing"), / 1 +0 +ok$/);
});
