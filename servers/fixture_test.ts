import { RealClock } from "../core/mod.ts";
import { z } from "zod";
import { defineFixture, own } from "./fixture.ts";
import assert from "node:assert/strict";

const counter = defineFixture({
  id: "counter",
  version: "1.0.0",
  title: "Counter",
  data: z.strictObject({ counts: z.record(z.string(), z.int()).default({ a: 1 }) }),
  tools: (tool) => [
    tool({
      name: "add",
      description: "Adds one.",
      input: z.strictObject({ key: z.string(), by: z.int().default(1) }),
      run({ key, by }, { data }) {
        const count = (own(data.counts, key) ?? 0) + by;
        data.counts[key] = count;
        return { key, count };
      },
    }),
  ],
});
const caller = { clock: new RealClock(), signal: new AbortController().signal };

Deno.test("defineFixture lists its tools with JSON Schemas of what callers may send", () => {
  assert.deepEqual([...counter.tools.values()], [{
    name: "add",
    description: "Adds one.",
    inputSchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        key: { type: "string" },
        by: { default: 1, type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
      },
      required: ["key"],
      additionalProperties: false,
    },
  }]);
});

Deno.test("a fixture's instances share nothing, neither defaults nor the data they were given", () => {
  const given = { counts: { a: 10 } };
  assert.deepEqual(counter.instantiate(given).call("add", { key: "a" }, caller), { key: "a", count: 11 });
  assert.deepEqual(counter.instantiate(given).call("add", { key: "a" }, caller), { key: "a", count: 11 });
  assert.deepEqual(counter.instantiate().call("add", { key: "a", by: 5 }, caller), { key: "a", count: 6 });
  assert.deepEqual(counter.instantiate().call("add", { key: "a", by: 5 }, caller), { key: "a", count: 6 });
});

Deno.test("a fixture refuses data that it does not know", () => {
  assert.throws(() => counter.instantiate({ count: {} }), { name: "ZodError" });
});

Deno.test("a fixture says which argument is wrong and why", () => {
  const instance = counter.instantiate();
  assert.throws(() => instance.call("add", { key: 1, kye: "a" }, caller), {
    name: "ToolFailure",
    message: "MCP error -32602: Input validation error: Invalid arguments for tool add: " +
      'Invalid input: expected string, received number at key\nUnrecognized key: "kye"',
  });
});

Deno.test("a fixture knows no tool by a name that every object has", () => {
  const instance = counter.instantiate();
  for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty", ""]) {
    assert.throws(() => instance.call(name, {}, caller), { message: `MCP error -32602: Tool ${name} not found` });
  }
});

Deno.test("defineFixture refuses two tools of one name", () => {
  const data = z.strictObject({});
  assert.throws(() =>
    defineFixture({
      id: "twice",
      version: "1.0.0",
      title: "Twice",
      data,
      tools: (tool) => ["same", "same"].map((name) => tool({ name, description: "", input: data, run: () => ({}) })),
    }), RangeError);
});

Deno.test("own() finds no inherited members", () => {
  assert.equal(own({ a: 1 }, "a"), 1);
  assert.equal(own({ a: 1 }, "constructor"), undefined);
  assert.equal(own({ a: 1 }, "__proto__"), undefined);
});
