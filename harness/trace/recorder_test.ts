import assert from "node:assert/strict";
import { Redactor } from "../../core/mod.ts";
import type { Cell } from "./event.ts";
import { TraceRecorder } from "./recorder.ts";

const cell: Cell = {
  scenario: "a",
  variant: null,
  lane: "sim",
  subject: "reference",
  model: "scripted",
  seed: "0",
  repeat: 1,
};

function recorder(secrets: Record<string, string> = {}, now = () => 1.23456789): TraceRecorder {
  return new TraceRecorder(cell, now, new Redactor(new Map(Object.entries(secrets))));
}

Deno.test("TraceRecorder numbers events, and stamps them to the microsecond", () => {
  const trace = recorder();
  trace.record("bench", "run.start", "run", { subject: "x" });
  trace.record("subject", "superstep.start", "run/s2", { tasks: ["a"] });
  assert.deepEqual(trace.events, [
    { run: "a@sim", seq: 0, t: 1.235, side: "bench", type: "run.start", span: "run", detail: { subject: "x" } },
    {
      run: "a@sim",
      seq: 1,
      t: 1.235,
      side: "subject",
      type: "superstep.start",
      span: "run/s2",
      parent: "run",
      superstep: 2,
      detail: { tasks: ["a"] },
    },
  ]);
});

Deno.test("TraceRecorder gives what lies below a packet's span to its worker, and nothing beside it", () => {
  const trace = recorder();
  trace.record("subject", "packet", "run/s2/b", { packet: { recipient: "billing" }, hash: "ff" });
  for (const span of ["run/s2/b", "run/s2/b/step1/call1", "run/s2/b2/step1", "run/s2"]) {
    trace.record("world", "model.request", span, {});
  }
  const owners = trace.events.slice(1).map(({ worker, packet }) => [worker, packet]);
  assert.deepEqual(owners, [["billing", "ff"], ["billing", "ff"], [undefined, undefined], [undefined, undefined]]);
});

Deno.test("TraceRecorder says how something ended, for the types that end something", () => {
  const trace = recorder();
  const outcomes = ([
    ["report", { report: { status: "partial", failure: { code: "timeout" } } }],
    ["report", { report: { status: "ok" } }],
    ["route", { code: "timeout", strategy: "fallback" }],
    ["answer", { answer: { status: "degraded" } }],
    ["server.reply", { isError: true, text: "code" }],
    ["server.request", { code: "x", status: "y" }],
    ["report", { report: null }],
    ["constructor", { code: "x" }],
  ] as const).map(([type, detail]) => {
    trace.record("subject", type, "run", detail);
    return trace.events.at(-1)?.outcome;
  });
  assert.deepEqual(outcomes, ["timeout", "ok", "fallback", "degraded", "error", undefined, undefined, undefined]);
});

Deno.test("TraceRecorder keeps a copy: what the subject does with its objects afterwards is not in the trace", () => {
  const trace = recorder();
  const detail = { list: [1, { deep: "a" }], gone: undefined };
  trace.record("subject", "x", "run", detail);
  detail.list[0] = 2;
  (detail.list[1] as { deep: string }).deep = "b";
  assert.deepEqual(trace.events[0]?.detail, { list: [1, { deep: "a" }] });
});

Deno.test("TraceRecorder takes a secret out of every field: type, span, outcome, worker, values, keys and numbers", () => {
  const trace = recorder({ db: "hunter2-hunter2", pin: "12345678" });
  const secret = "hunter2-hunter2";
  trace.record("subject", "packet", `run/${secret}`, { packet: { recipient: `w ${secret}` }, hash: secret });
  trace.record("subject", `type ${secret}`, `run/${secret}/x`, {
    [`key ${secret}`]: [secret, { deep: `Basic ${btoa(secret)}`, url: encodeURIComponent(`${secret}/`) }],
    pin: 12345678,
    quoted: JSON.stringify({ password: secret }),
  });
  trace.record("subject", "run.end", "run", { outcome: secret });
  const text = JSON.stringify(trace.events);
  for (const form of [secret, btoa(secret).slice(0, 16), "12345678"]) assert.ok(!text.includes(form), form);
  assert.equal(trace.events[1]?.worker, "w [secret:db]");
  assert.equal(trace.events[2]?.outcome, "[secret:db]");
  assert.deepEqual(trace.events[1]?.detail["pin"], "[secret:pin]");
  assert.deepEqual(trace.events.map(({ seq, t }) => [seq, t]), [[0, 1.235], [1, 1.235], [2, 1.235]]);
});

Deno.test("TraceRecorder tells what cannot be written, and does not throw", () => {
  const trace = recorder();
  const cycle: { [key: string]: unknown } = {};
  cycle.self = cycle;
  let deep: unknown = 1;
  for (let i = 0; i < 5000; i++) deep = [deep];
  const hostile: unknown[] = [
    cycle,
    { deep },
    { big: 1n },
    {
      get trap() {
        throw new TypeError("no");
      },
    },
    [1],
    "text",
    null,
    undefined,
  ];
  for (const detail of hostile) trace.record("subject", "report", "run", detail as { [key: string]: string });
  for (const { detail } of trace.events) assert.match(String(detail["unreadable"]), /^the detail is/);
  assert.equal(trace.events.length, hostile.length);
  trace.record("subject", "x", "run", {
    nan: NaN,
    f: (() => 1) as unknown as string,
    __proto__: null,
    d: new Date(0) as unknown as string,
  });
  assert.deepEqual(trace.events.at(-1)?.detail, { nan: null, d: "1970-01-01T00:00:00.000Z" });
  trace.record("subject", "x", "run", JSON.parse('{"__proto__": {"polluted": 1}}'));
  assert.ok(Object.hasOwn(trace.events.at(-1)?.detail ?? {}, "__proto__"));
  assert.equal(({} as { polluted?: number }).polluted, undefined);
});

Deno.test("TraceRecorder records nothing once it is sealed", () => {
  const trace = recorder();
  trace.seal();
  trace.record("bench", "run.end", "run", {});
  assert.deepEqual(trace.events, []);
});
