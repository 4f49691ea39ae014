import { FAILURE_CODES } from "../../core/mod.ts";
import { z } from "zod";
import { defineFault } from "./fault.ts";
import { faultEntrySchema, FAULTS } from "./registry.ts";
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
  for (const id of FAULTS.keys()) {
    const entry = faultEntrySchema.parse({ fault: id, at: "orders" });
    assert.deepEqual(faultEntrySchema.parse(entry), entry);
  }
  assert.deepEqual(
    faultEntrySchema.parse({ fault: "latency", at: "kb.search_kb", ms: "2s", when: { from: "1s" } }),
    { fault: "latency", at: "kb.search_kb", ms: 2000, jitter: 0, when: { from: 1000 } },
  );
});

Deno.test("faultEntrySchema names the fault that was meant, or all that there are", () => {
  assert.deepEqual(issues({ fault: "tool_eror", at: "x" }), [
    'fault: unknown fault "tool_eror" (did you mean "tool_error"?)',
  ]);
  assert.match(
    issues({ fault: "constructor", at: "x" })?.[0] ?? "",
    /^fault: unknown fault "constructor": there are server/,
  );
  assert.match(issues({ at: "x" })?.[0] ?? "", /^fault: unknown fault undefined: there are server_down, black_hole/);
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
