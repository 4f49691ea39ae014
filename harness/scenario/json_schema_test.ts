import assert from "node:assert/strict";
import { scenarioJsonSchema } from "./json_schema.ts";

Deno.test("scenarioJsonSchema() is what is checked in as scenarios/schema.json", async () => {
  const checkedIn = await Deno.readTextFile(new URL("../../scenarios/schema.json", import.meta.url));
  assert.equal(
    checkedIn,
    scenarioJsonSchema(),
    "out of date; run deno run --allow-read --allow-write=scenarios harness/scenario/json_schema.ts",
  );
});

Deno.test("scenarioJsonSchema() is strict, and knows each fault", () => {
  const schema = scenarioJsonSchema();
  assert.match(schema, /"additionalProperties": false/);
  for (const fault of ["black_hole", "tool_error"]) assert.ok(schema.includes(`"const": "${fault}"`));
});
