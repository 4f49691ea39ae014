import assert from "node:assert/strict";
import { loadScenario } from "./load.ts";
import { formatProblem } from "./problem.ts";
import { problemsOf, resolved, SOUND, sound } from "./test_folder.ts";

const KEYS =
  "name, story, crew, request, topology, world, secrets, smoke, match, input, servers, canaries, script, faults, " +
  "operator, user, interrupts, model_via, crew_overrides, expect, variants";

Deno.test("loadScenario() names a misspelt key at the key, with the nearest and all that are allowed", async () => {
  assert.deepEqual(await problemsOf(`${SOUND}asert: 1\n`), [
    `x.yaml:16:1 unknown key "asert"; allowed: ${KEYS}`,
  ]);
  assert.deepEqual(await problemsOf(`${SOUND}varints: {}\n`), [
    `x.yaml:16:1 unknown key "varints" (did you mean "variants"?); allowed: ${KEYS}`,
  ]);
  assert.deepEqual(await problemsOf(sound("status: complete", "status: complete\n  aswer: {}")), [
    'x.yaml:16:3 unknown key "aswer" (did you mean "answer"?); allowed: status, failed, substituted, recovered, ' +
    "notes, effects, approvals, handoffs, plan, answer, makespan",
  ]);
});

Deno.test("loadScenario() reports a missing key at the map that lacks it", async () => {
  assert.deepEqual(await problemsOf(sound("at: orders.find_order, ", "")), [
    'x.yaml:13:5 missing key "at": add it, a text',
  ]);
  assert.deepEqual(await problemsOf(sound("expect:\n  status: complete\n", "")), [
    'x.yaml:1:1 missing key "expect": add it, a map',
  ]);
});

Deno.test("loadScenario() reports a wrong type at the value", async () => {
  assert.deepEqual(await problemsOf(sound("request: What happened?", "request: [What]")), [
    'x.yaml:4:10 "request": expected a text, found a list',
  ]);
  assert.deepEqual(await problemsOf(sound("request: What happened?", "request: 12345")), [
    'x.yaml:4:10 "request": expected a text, found 12345; put it in quotes to make it a text',
  ]);
  assert.deepEqual(await problemsOf(sound("- final: Found.", "- { final: Found., takes: soon }")), [
    'x.yaml:11:31 "takes": a duration is a number of milliseconds, at least 0, or text such as "500ms", "2s" or "1.5m"',
  ]);
});

Deno.test("loadScenario() reports a value that is not one of the allowed", async () => {
  assert.deepEqual(await problemsOf(sound("status: complete", "status: complet")), [
    'x.yaml:15:11 "status": unknown value "complet" (did you mean "complete"?); allowed: complete, degraded, failed',
  ]);
});

Deno.test("loadScenario() reports an unknown fault, and an unknown parameter of a known one", async () => {
  assert.deepEqual(await problemsOf(sound("fault: latency", "fault: latancy")), [
    `x.yaml:13:14 "fault": unknown fault "latancy" (did you mean "latency"?); see \`bench faults\` for those that there are`,
  ]);
  assert.deepEqual(await problemsOf(sound("fault: latency, ", "")), [
    `x.yaml:13:5 missing key "fault": add it, a fault; see \`bench faults\``,
  ]);
  assert.deepEqual(await problemsOf(sound("ms: 500", "mss: 500")), [
    'x.yaml:13:46 unknown key "mss" (did you mean "ms"?); allowed: fault, at, when, ms, jitter',
  ]);
});

Deno.test("loadScenario() wants exactly one deed in a turn", async () => {
  assert.deepEqual(await problemsOf(sound("- final: Found.", "- { final: Found., say: x }")), [
    "x.yaml:11:7 a turn has exactly one of call, calls, say, final, report_from; this one has say and final",
  ]);
});

Deno.test("loadScenario() reports an empty file", async () => {
  assert.deepEqual(await problemsOf(""), ["x.yaml:1:1 is empty; a file holds a map of keys"]);
});

Deno.test("loadScenario() wants secrets and canaries long enough to be found by chance nowhere", async () => {
  assert.deepEqual(await problemsOf(`${SOUND}secrets: { key: abc }\ncanaries: { abc: kb.search_kb }\n`), [
    'x.yaml:16:17 "key": needs at least 6 characters',
    'x.yaml:17:13 key "abc": needs at least 6 characters',
  ]);
});

Deno.test("loadScenario() reports every problem of a file, up to twenty", async () => {
  const text = sound("request: What happened?", "request: 1\nsmoke: maybe").replace("status: complete", "status: 3");
  assert.equal((await problemsOf(text)).length, 3);
  const many = SOUND + Array.from({ length: 30 }, (_, i) => `extra${i}: 1\n`).join("");
  assert.equal((await problemsOf(many)).length, 20);
});

Deno.test("loadScenario() makes text of the file harmless", async () => {
  const [line = ""] = await problemsOf(sound("status: complete", `status: "com\\e[31mplete\\n${"x".repeat(99)}"`));
  assert.match(line, /^x\.yaml:15:11 "status": unknown value "com\\u\{1b\}\[31mplete x+…"; allowed/);
});

Deno.test("loadScenario() reads the world beside it, and reports its problems under its name", async () => {
  const text = `${SOUND}world: _world.yaml\n`;
  const [scenario] = await resolved(text, {
    "_world.yaml": "servers: { orders: { orders: {}, refunds: {} } }\n",
  });
  assert.deepEqual(scenario?.servers.orders, { orders: {}, refunds: {} });
  assert.deepEqual(await problemsOf(text, { "_world.yaml": "servers: 3\nstory: no\n" }), [
    '_world.yaml:1:10 "servers": expected a map, found 3',
    '_world.yaml:2:1 unknown key "story"; allowed: servers, canaries',
  ]);
});

Deno.test("loadScenario() follows a world to no other folder", async () => {
  for (const name of ["../w.yaml", "/etc/passwd", "sub/w.yaml", "..", "w.txt", "sub\\\\w.yaml"]) {
    const [line = "", ...rest] = await problemsOf(`${SOUND}world: "${name}"\n`);
    assert.match(
      line,
      /^x\.yaml:16:8 world ".*" is not the name of a \.yaml file in this folder, such as _world\.yaml$/,
    );
    assert.deepEqual(rest, []);
  }
  assert.deepEqual(await problemsOf(`${SOUND}world: _none.yaml\n`), [
    'x.yaml:16:8 world "_none.yaml" does not exist in this folder',
  ]);
});

Deno.test("loadScenario() says that a file does not exist", async () => {
  const loaded = await loadScenario("/nowhere/x.yaml", "x.yaml");
  assert.deepEqual(loaded.ok ? [] : loaded.problems.map(formatProblem), ["x.yaml:1:1 does not exist"]);
});
