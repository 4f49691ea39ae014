import assert from "node:assert/strict";
import { canonicalDigest, canonicalTrace } from "./canonical.ts";
import type { TraceEvent } from "./event.ts";

function event(seq: number, type: string, span: string, detail: TraceEvent["detail"] = {}): TraceEvent {
  return { run: "a@sim", seq, t: seq * 10, side: "world", type, span, detail };
}

Deno.test("canonicalTrace() is the same whatever order concurrent work came to its end in", () => {
  const a = [event(0, "x", "run/a"), event(1, "x", "run/b"), event(2, "y", "run/a")];
  const b = [event(0, "x", "run/b"), event(1, "x", "run/a"), event(2, "y", "run/a")];
  assert.equal(canonicalTrace({ events: a }), canonicalTrace({ events: b }));
  assert.equal(canonicalDigest({ events: a }), canonicalDigest({ events: b }));
});

Deno.test("canonicalTrace() keeps the order within a span", () => {
  const a = [event(0, "x", "run/a"), event(1, "y", "run/a")];
  const b = [event(0, "y", "run/a"), event(1, "x", "run/a")];
  assert.notEqual(canonicalTrace({ events: a }), canonicalTrace({ events: b }));
});

Deno.test("canonicalTrace() leaves out the number of a call and the times of a report", () => {
  const of = (call: number, at: number) =>
    canonicalTrace({
      events: [
        event(0, "server.request", "run/a", { call, tool: "t" }),
        event(1, "report", "run/a", { report: { startedAt: at, endedAt: at + 1, note: "n" } }),
      ],
    });
  assert.equal(of(1, 0), of(2, 99));
  assert.match(of(1, 0), /"note":"n"/);
});

Deno.test("canonicalTrace() leaves out no data that is merely called like a time or a number of order", () => {
  for (const key of ["call", "ms", "attempt", "startedAt", "endedAt", "t", "seq", "run"]) {
    const of = (value: number) =>
      canonicalTrace({
        events: [
          event(0, "server.request", "run/a", { args: { [key]: value } }),
          event(1, "model.turn", "run/a", { [key]: value, calls: [{ args: { [key]: value } }] }),
          event(2, "report", "run/a", { report: { findings: [{ [key]: value }] } }),
        ],
      });
    assert.notEqual(of(1), of(2), key);
  }
});

Deno.test("canonicalTrace() is one JSON text a line, and survives a detail of another shape", () => {
  const events = [
    event(0, "report", "run", { report: [1] }),
    event(1, "report", "run", { report: "x" }),
    event(2, "report", "run"),
  ];
  const lines = canonicalTrace({ events }).split("\n");
  assert.equal(lines.pop(), "");
  assert.deepEqual(lines.map((line) => JSON.parse(line).detail), [{ report: [1] }, { report: "x" }, {}]);
});

Deno.test("canonicalTrace() leaves out the numbers of the calls in a server's ledger, and nothing else of it", () => {
  const of = (call: number, tool = "t") =>
    canonicalTrace({ events: [event(0, "server.ledger", "run/servers/a", { calls: [{ call, tool }, 7], total: 2 })] });
  assert.equal(of(1), of(2));
  assert.notEqual(of(1), of(1, "other"));
});
