import { FAILURE_CODES } from "../../core/mod.ts";
import { z } from "zod";
import { parse } from "yaml";
import { armFaults } from "./armed.ts";
import { defineFault } from "./fault.ts";
import { faultEntrySchema, FAULTS } from "./registry.ts";
import type { Schedule } from "./schedule.ts";
import assert from "node:assert/strict";

const issues = (entry: unknown) =>
  faultEntrySchema.safeParse(entry).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);

Deno.test("FAULTS: every fault says what a person needs to know, and can be had in a lane", () => {
  for (const [id, fault] of FAULTS) {
    assert.equal(fault.id, id);
    assert.ok(fault.summary.endsWith(".") && fault.correct.endsWith("."), id);
    assert.ok(fault.outcome === "ok" || FAILURE_CODES.includes(fault.outcome), id);
    assert.ok(fault.lanes.sim === true || fault.lanes.wire === true, id);
    for (const [name, param] of Object.entries(fault.params.shape)) {
      assert.ok(param instanceof z.ZodType && param.description, `${id}.${name} has no description`);
    }
  }
});

Deno.test("faultEntrySchema takes every fault with its defaults, and the result parses to itself", () => {
  for (const [id, { applies }] of FAULTS) {
    const entry = faultEntrySchema.parse({ fault: id, at: applies.includes("agent") ? "agent:billing" : "orders" });
    assert.deepEqual(faultEntrySchema.parse(entry), entry);
  }
  assert.deepEqual(
    faultEntrySchema.parse({ fault: "latency", at: "kb.search_kb", ms: "2s", when: { from: "1s" } }),
    { fault: "latency", at: "kb.search_kb", ms: 2000, jitter: 0, when: { from: 1000 } },
  );
});

Deno.test("FAULTS: every example is a line of a scenario with that fault, and every place that applies is taken", () => {
  const places = { server: "orders", tool: "orders.find_order", agent: "agent:billing" };
  for (const [id, { example, applies }] of FAULTS) {
    const lines: unknown = parse(example);
    const [line] = Array.isArray(lines) ? lines : [];
    assert.equal(faultEntrySchema.parse(line).fault, id);
    assert.ok(applies.length > 0, id);
    for (const place of applies) {
      assert.doesNotThrow(() => faultEntrySchema.parse({ fault: id, at: places[place] }), id);
    }
  }
});

Deno.test("FAULTS: a place on the model's side and one on the servers' side are not mistaken for each other", () => {
  for (const [id, { applies }] of FAULTS) {
    const isModel = applies.includes("agent");
    assert.equal(faultEntrySchema.safeParse({ fault: id, at: "agent:*" }).success, isModel, id);
    assert.equal(faultEntrySchema.safeParse({ fault: id, at: "*" }).success, !isModel, id);
  }
});

Deno.test("FAULTS: there are at least 60 different ones, and two seldom read alike", () => {
  assert.ok(FAULTS.size >= 60);
  for (const text of ["summary", "correct"] as const) {
    const texts = [...FAULTS.values()].map((fault) => fault[text]);
    assert.ok(new Set(texts).size >= texts.length - 3, text);
  }
});

Deno.test("Fault.persistence() is the fault's own where no schedule decides", () => {
  const of = (id: string, when?: Schedule) => FAULTS.get(id)?.persistence(when);
  assert.equal(of("crash"), "permanent");
  assert.equal(of("flaky"), "transient");
  assert.equal(of("tool_error"), "permanent");
  assert.equal(of("crash", { first: 1 }), "transient");
  assert.equal(of("tool_error", { burst: { every: 5, length: 2 } }), "transient");
});

Deno.test("armFaults takes those that are at a server, or at an agent, and gives each place its own numbers", () => {
  const entries = [
    { fault: "latency", at: "*", jitter: 100 },
    { fault: "tool_error", at: "kb.search_kb" },
    { fault: "tool_error", at: "orders" },
    { fault: "never_stops", at: "agent:*" },
    { fault: "model_hang", at: "agent:billing" },
  ];
  const ids = (place: string) => armFaults(entries, FAULTS, place, "1").map(({ id, at }) => `${id} ${at}`);
  assert.deepEqual(ids("kb"), ["latency *", "tool_error kb.search_kb"]);
  assert.deepEqual(ids("orders"), ["latency *", "tool_error orders"]);
  assert.deepEqual(ids("agent:billing"), ["never_stops agent:*", "model_hang agent:billing"]);
  assert.deepEqual(ids("agent:policy"), ["never_stops agent:*"]);
  const draw = (place: string) => armFaults(entries, FAULTS, place, "1")[0]?.random("t", 1).next();
  assert.notEqual(draw("kb"), draw("orders"));
});

Deno.test("faultEntrySchema names the fault that was meant, or all that there are", () => {
  assert.deepEqual(issues({ fault: "tool_eror", at: "x" }), [
    'fault: unknown fault "tool_eror" (did you mean "tool_error"?)',
  ]);
  assert.match(
    issues({ fault: "constructor", at: "x" })?.[0] ?? "",
    /^fault: unknown fault "constructor": there are server/,
  );
  assert.match(issues({ at: "x" })?.[0] ?? "", /^fault: unknown fault undefined: there are server_down, slow_start/);
});

Deno.test("faultEntrySchema gives the place of an unknown key, a wrong value and a wrong place", () => {
  assert.deepEqual(issues({ fault: "tool_error", at: "x", mesage: "no" }), [': Unrecognized key: "mesage"']);
  assert.match(issues({ fault: "latency", at: "x", ms: "soon" })?.[0] ?? "", /^ms: a duration is/);
  assert.match(issues({ fault: "latency", at: "x", when: { every: 0 } })?.[0] ?? "", /^when\.every: /);
  assert.match(issues({ fault: "latency", at: "x." })?.[0] ?? "", /^at: a place is/);
  assert.match(issues({ fault: "server_down", at: "kb.search_kb" })?.[0] ?? "", /^at: a fault of the connection/);
});

Deno.test("faultEntrySchema can be written as a JSON Schema of what an author types", () => {
  const schema = z.toJSONSchema(faultEntrySchema, { io: "input" });
  assert.equal((schema.oneOf ?? schema.anyOf)?.length, FAULTS.size);
});

Deno.test("defineFault refuses an id that is no plain name, a parameter that would hide a key, and one without default", () => {
  const rest = {
    layer: "result",
    visibility: "explicit",
    summary: "",
    correct: "",
    outcome: "ok",
    lanes: { sim: true, wire: true },
    hooks: {},
  } as const;
  assert.throws(() => defineFault({ ...rest, id: "Bad-Id", params: z.strictObject({}) }), RangeError);
  for (const params of [{ when: z.string().default("") }, { at: z.string().default("") }]) {
    assert.throws(() => defineFault({ ...rest, id: "x", params: z.strictObject(params) }), RangeError);
  }
  assert.throws(() => defineFault({ ...rest, id: "x", params: z.strictObject({ n: z.number() }) }), {
    name: "ZodError",
  });
});
