import { serveEverything } from "./everything.ts";
import { parseReport, runConformance } from "./suite.ts";
import assert from "node:assert/strict";

// The suite knows 32 server scenarios; 25 is what this project promises, whatever a next version of it may find.
const AT_LEAST = 25;

Deno.test("the conformance suite finds in the fixture what it asks for, but for the failures that are listed", async () => {
  await using front = serveEverything();
  const { code, passed, expected, rest, output } = await runConformance(front.url);
  assert.equal(code, 0, output);
  assert.deepEqual(rest, [], output);
  assert.deepEqual(expected, ["server-sse-polling"]);
  assert.ok(passed.length >= AT_LEAST, `${passed.length} passed\n${output}`);
});

Deno.test("the conformance suite does not accept a failure that nobody listed, nor a listed one that passes", async () => {
  await using front = serveEverything();
  const expectedFailures = await Deno.makeTempFile({ suffix: ".yml" });
  try {
    await Deno.writeTextFile(expectedFailures, "server:\n  - json-schema-2020-12\n");
    const { code, output } = await runConformance(front.url, { suite: "pending", expectedFailures });
    assert.equal(code, 1);
    assert.match(output, /✗ server-sse-polling/);
    assert.match(output, /Stale baseline entries[^]*json-schema-2020-12/);
  } finally {
    await Deno.remove(expectedFailures);
  }
});

Deno.test("parseReport() counts no scenario as passed in which nothing was checked", () => {
  const text = [
    "=== SUMMARY ===",
    "✓ ping: 1 passed, 0 failed",
    "✓ hollow: 0 passed, 0 failed",
    "✗ broken: 3 passed, 1 failed",
    "✗ known: 0 passed, 1 failed",
    "",
    "Total: 4 passed, 2 failed",
    "\u001b[33mExpected failures (in baseline):\u001b[0m",
    "  ~ known",
  ].join("\n");
  assert.deepEqual(parseReport(text), { passed: ["ping"], expected: ["known"], rest: ["hollow", "broken"] });
});
