import { FAULTS } from "../faults/registry.ts";
import { loadPlan } from "./plan.ts";
import { tempFolder } from "./testing.ts";
import assert from "node:assert/strict";

async function plan(content: string, name = "orders", file = "faults.yaml", specs: readonly string[] = []) {
  await using folder = await tempFolder();
  await Deno.writeTextFile(`${folder.path}/${file}`, content);
  return await loadPlan({ specs, file: `${folder.path}/${file}`, name }, FAULTS);
}

Deno.test("loadPlan() takes a scenario's list of faults, those that are at the server, and then the command line's", async () => {
  const faults = await plan(
    "faults:\n- { fault: latency, at: '*', ms: 2s }\n- { fault: stale, at: kb }\n- { fault: black_hole, at: orders.x, when: { first: 1 } }",
    "orders",
    "faults.yaml",
    ["tool_error:y"],
  );
  assert.deepEqual(faults.map(({ fault, at }) => [fault, at]), [
    ["latency", "*"],
    ["black_hole", "orders.x"],
    ["tool_error", "orders.y"],
  ]);
  assert.deepEqual(faults[1]?.when, { first: 1 });
});

Deno.test("loadPlan() takes JSON, and a bare list", async () => {
  assert.deepEqual((await plan('[{"fault":"latency","at":"orders","ms":5}]', "orders", "faults.json"))[0]?.ms, 5);
});

for (
  const [name, content, why] of [
    ["a map of something else", "fault: latency", /a file of faults is a list, or a map with the one key `faults`/],
    ["no YAML", "a: [", /faults\.yaml: Flow sequence/],
    [
      "an unknown fault",
      "- { fault: latencyy, at: orders }",
      /faults\[0\]: unknown fault "latencyy" \(did you mean "latency"\?\)/,
    ],
    [
      "an unknown parameter",
      "- { fault: latency, at: orders, mss: 1 }",
      /faults\[0\] \(latency\): Unrecognized key: "mss"/,
    ],
    [
      "faults of another server alone",
      "- { fault: latency, at: kb }",
      /no fault is at "orders", but at kb: name the server with --name/,
    ],
    ["nothing", "[]", /there is no fault in it/],
  ] as const
) {
  Deno.test(`loadPlan() refuses ${name}, and says why in one line`, () =>
    assert.rejects(plan(content), (error: Error) => {
      assert.equal(error.name, "ProxyUsageError");
      assert.match(error.message, why);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    }));
}

Deno.test("loadPlan() says that there is no such file", () =>
  assert.rejects(loadPlan({ file: "/nowhere/x.yaml", name: "x" }, FAULTS), {
    message: "/nowhere/x.yaml does not exist",
  }));
