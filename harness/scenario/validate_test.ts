import assert from "node:assert/strict";
import { CREWS } from "../../agents/mod.ts";
import { FIXTURES } from "../../servers/mod.ts";
import { problemsOf, SOUND, sound } from "./test_folder.ts";

const support = CREWS.get("support") ?? assert.fail();
const SERVERS = support.servers.join(", ");
const SPECIALISTS = support.specialists.map(({ name }) => name);
const TOOLS = support.servers.flatMap((server) =>
  [...FIXTURES.get(server)?.tools.keys() ?? []].map((tool) => `${server}.${tool}`)
).join(", ");
const FINAL = "    - final: Found.\n";

Deno.test("validateScenario() has nothing to say about a sound scenario", async () => {
  assert.deepEqual(await problemsOf(SOUND), []);
});

Deno.test("validateScenario() reports an unknown tool, in a call and in calls", async () => {
  assert.deepEqual(await problemsOf(sound("call: orders.find_order", "call: orders.find_ordr")), [
    `x.yaml:9:13 unknown tool "orders.find_ordr" (did you mean "orders.find_order"?); allowed: ${TOOLS}`,
  ]);
  assert.deepEqual(await problemsOf(sound(FINAL, `    - calls: [{ call: kb.nothing }]\n${FINAL}`)), [
    `x.yaml:11:23 unknown tool "kb.nothing"; allowed: ${TOOLS}`,
  ]);
});

Deno.test("validateScenario() lets a script call a tool outside its agent's allowlist", async () => {
  assert.deepEqual(await problemsOf(sound(FINAL, `    - call: kb.search_kb\n${FINAL}`)), []);
});

Deno.test("validateScenario() reports a fault at an unknown place", async () => {
  assert.deepEqual(await problemsOf(sound("at: orders.find_order", "at: order")), [
    `x.yaml:13:27 unknown place "order" (did you mean "orders"?); allowed: ${SERVERS}, ${TOOLS}, *`,
  ]);
  assert.deepEqual(await problemsOf(sound("at: orders.find_order", 'at: "*"')), []);
});

const FAULT = "fault: latency, at: orders.find_order, ms: 500";

Deno.test("validateScenario() wants a fault of a model at an agent of the crew, and no other fault", async () => {
  const allowed = `allowed: ${["planner", ...SPECIALISTS, "*"].map((name) => `agent:${name}`).join(", ")}`;
  const at = (place: string) => problemsOf(sound(FAULT, `fault: model_overloaded, at: "${place}"`));
  for (const place of ["agent:billing", "agent:planner", "agent:*"]) assert.deepEqual(await at(place), []);
  assert.deepEqual(await at("agent:biling"), [
    `x.yaml:13:36 unknown place "agent:biling" (did you mean "agent:billing"?); ${allowed}`,
  ]);
  assert.match((await at("orders")).join(), /a fault of the model is at "agent:<name>", or at "agent:\*"$/);
  assert.match(
    (await problemsOf(sound("at: orders.find_order", 'at: "agent:billing"'))).join(),
    /^x\.yaml:13:27 "at": /,
  );
});

Deno.test("validateScenario() refuses a fault of bytes over HTTP, with the catalogue's reason", async () => {
  assert.deepEqual(await problemsOf(sound(FAULT, 'fault: split_multibyte, at: "agent:billing"')), [
    'x.yaml:13:14 "split_multibyte" cannot be had in a scenario: it is in the bytes of a reply over HTTP, and in sim the ' +
    "model is called in the same process; write `model_via: http`, and it is in the wire lane",
  ]);
  const reached = sound(FAULT, 'fault: split_multibyte, at: "agent:billing"').replace(
    "crew:",
    "model_via: http\ncrew:",
  );
  assert.deepEqual((await problemsOf(reached)).filter((problem) => problem.includes("split_multibyte")), []);
});

Deno.test("validateScenario() takes the names that a planner's fault makes up for specialists", async () => {
  const failed = SOUND.replace("status: complete", "status: degraded\n  failed: { poet: unknown_specialist }");
  assert.equal((await problemsOf(failed)).length, 1);
  assert.deepEqual(
    await problemsOf(failed.replace(FAULT, 'fault: unknown_specialist, at: "agent:planner", name: poet')),
    [],
  );
});

Deno.test("validateScenario() reports a script for an agent that does not exist", async () => {
  assert.deepEqual(await problemsOf(sound("  billing:", "  biling:")), [
    'x.yaml:8:3 unknown agent "biling" (did you mean "billing"?); allowed: ' +
    ["planner", ...SPECIALISTS].join(", "),
  ]);
});

Deno.test("validateScenario() reports a script that is too short", async () => {
  assert.deepEqual(await problemsOf(sound(FINAL, "")), [
    'x.yaml:9:7 the script of "billing" is too short: 1 of 3 steps and no `final`; add turns, or end with `final`',
  ]);
});

Deno.test("validateScenario() takes a script that ends early because nothing follows", async () => {
  const never = "  billing: []\n";
  assert.deepEqual(await problemsOf(SOUND.replace(/ {2}billing:\n(.*\n){3}/, never)), [], "never called");
  const spent = "    - call: orders.find_order\n    - call: orders.find_order\n";
  assert.deepEqual(await problemsOf(sound(FINAL, spent)), [], "steps spent");
  const hung = sound(FINAL, "").replace(
    "fault: latency, at: orders.find_order, ms: 500",
    "fault: black_hole, at: orders",
  );
  assert.deepEqual(await problemsOf(hung), [], "hangs until its deadline");
  assert.deepEqual(await problemsOf(sound(FINAL, "").replace("ms: 500", "ms: 10s")), [], "misses its deadline");
});

Deno.test("validateScenario() reports turns after a final", async () => {
  assert.deepEqual(await problemsOf(sound(FINAL, FINAL + FINAL)), [
    "x.yaml:11:7 nothing is played after a `final`; take out what follows",
  ]);
});

Deno.test("validateScenario() wants a planner that speaks, and workers that do not", async () => {
  const none = sound(SOUND.slice(SOUND.indexOf("  planner:"), SOUND.indexOf("  billing:")), "  planner: []\n");
  assert.deepEqual(await problemsOf(none), [
    "x.yaml:6:12 the planner has no turns; give it at least one `say` with its plan",
  ]);
  assert.deepEqual(await problemsOf(sound("- final: Found.", "- say: Found.")), [
    "x.yaml:11:7 `say` is for the planner; a worker ends with `final`",
  ]);
  assert.deepEqual(await problemsOf(sound("  billing:", "    - final: Planned.\n  billing:")), [
    "x.yaml:8:7 a planner only speaks; write the turn as `say`",
  ]);
});

Deno.test("validateScenario() reports expectations about specialists that nobody knows", async () => {
  const failed = (name: string) => sound("status: complete", `status: degraded\n  failed: { ${name}: tool_error }`);
  assert.deepEqual(await problemsOf(failed("biling")), [
    'x.yaml:16:13 unknown specialist "biling" (did you mean "billing"?); allowed: ' +
    ["planner", ...SPECIALISTS].join(", "),
  ]);
  assert.deepEqual(await problemsOf(failed("planner")), []);
  assert.deepEqual(await problemsOf(failed("poet").replace('"specialist": "billing"', '"specialist": "poet"')), []);
});

Deno.test("validateScenario() wants substitutes to stand in for failures", async () => {
  const text = sound("status: complete", "status: degraded\n  substituted: { policy: { by: cached, as_of: 2026-07 } }");
  assert.deepEqual(await problemsOf(text), [
    'x.yaml:16:18 "policy" is substituted and not in failed; what stands in stands in for a failure',
  ]);
});

Deno.test("validateScenario() wants a plan whose edges and facts are about its nodes", async () => {
  const plan = "plan: { nodes: [a, b, a], edges: [[a, c]], facts: { d: {} } }";
  assert.deepEqual(await problemsOf(sound("status: complete", `status: complete\n  ${plan}`)), [
    'x.yaml:16:25 node "a" is there twice',
    'x.yaml:16:41 unknown node "c"; allowed: a, b',
    'x.yaml:16:55 unknown node "d"; allowed: a, b',
  ]);
});

Deno.test("validateScenario() wants values that the answer says to come from a known tool", async () => {
  const says = "answer: { says: [{ from: orders.find, value: x }] }";
  assert.deepEqual(await problemsOf(sound("status: complete", `status: complete\n  ${says}`)), [
    `x.yaml:16:28 unknown tool "orders.find"; allowed: ${TOOLS}`,
  ]);
});

const KB = (body: string) =>
  `servers:
  kb: { articles: [{ id: K, title: T, body: "${body}", reference: R }] }
`;

Deno.test("validateScenario() wants a canary once in its source and nowhere else", async () => {
  const canary = (name: string, tool = "kb.search_kb") => `canaries: { ${name}: ${tool} }\n`;
  assert.deepEqual(await problemsOf(SOUND + KB("CANARY-1") + canary("CANARY-1")), []);
  assert.deepEqual(await problemsOf(SOUND + KB("none") + canary("CANARY-1")), [
    'x.yaml:18:13 canary "CANARY-1" is nowhere in the data of kb; it must be there once',
  ]);
  assert.deepEqual(await problemsOf(SOUND + KB("CANARY-1 CANARY-1") + canary("CANARY-1")), [
    'x.yaml:18:13 canary "CANARY-1" is 2 times in the data of kb; it must be there once',
  ]);
  assert.deepEqual(await problemsOf(SOUND + KB("CANARY-1") + canary("CANARY-1", "kb.search")), [
    `x.yaml:18:23 unknown tool "kb.search" (did you mean "kb.search_kb"?); allowed: ${TOOLS}`,
  ]);
  const asked = sound("What happened?", "Is it CANARY-1?").replace("Look.", "Look for CANARY-1.");
  const reason = "it proves nothing unless it is in one place only";
  assert.deepEqual(await problemsOf(asked + KB("CANARY-1") + canary("CANARY-1")), [
    `x.yaml:18:13 canary "CANARY-1" is also in the request; ${reason}`,
    `x.yaml:18:13 canary "CANARY-1" is also in the planner's script; ${reason}`,
  ]);
  const other = "  policy: { policies: [{ topic: t, text: CANARY-1, effective: 2026-01, reference: R }] }\n";
  assert.deepEqual(await problemsOf(SOUND + KB("CANARY-1") + other + canary("CANARY-1")), [
    `x.yaml:19:13 canary "CANARY-1" is also in the data of policy; ${reason}`,
  ]);
  assert.deepEqual(await problemsOf(SOUND + KB("business days") + canary("business days")), [
    `x.yaml:18:13 canary "business days" is also in the crew's fallback for policy; ${reason}`,
    `x.yaml:18:13 canary "business days" is also in the data of policy; ${reason}`,
  ]);
});

Deno.test("validateScenario() keeps the canary of a crew's fallback out of the world", async () => {
  assert.deepEqual(await problemsOf(SOUND + KB("SNAP-2607-Q4")), [
    'x.yaml:17:7 the data of kb holds "SNAP-2607-Q4", the canary of the crew\'s fallback for policy; use another value',
  ]);
});

Deno.test("validateScenario() keeps replies and deadlines a second apart, and names both", async () => {
  const advice = "keep takes and latency at most 2000 ms or at least 4000 ms in all";
  assert.deepEqual(await problemsOf(sound("ms: 500", "ms: 2500")), [
    `x.yaml:9:7 turn 1 of "billing" comes at 2500 ms, too near its deadline of 3000 ms; ${advice}`,
  ]);
  assert.deepEqual(await problemsOf(sound("- final: Found.", "- { final: Found., takes: 2.5s }")), [
    `x.yaml:11:7 turn 2 of "billing" comes at 3000 ms, too near its deadline of 3000 ms; ${advice}`,
  ]);
  assert.deepEqual(await problemsOf(sound("ms: 500", "ms: 1500, jitter: 800")), [
    `x.yaml:9:7 turn 1 of "billing" comes at between 700 and 2300 ms, too near its deadline of 3000 ms; ${advice}`,
  ]);
  for (const ms of [2000, 4000]) assert.deepEqual(await problemsOf(sound("ms: 500", `ms: ${ms}`)), []);
});

Deno.test("validateScenario() kills after events that there are, while the subject lives", async () => {
  const killed = (after: string) => sound("expect:", `interrupts: [{ after: ${after} }]\nexpect:`);
  assert.deepEqual(await problemsOf(killed("task.end")), []);
  const [first = ""] = await problemsOf(killed("task.ends"));
  assert.match(first, /unknown event "task\.ends" \(did you mean "task\.end"\?\)/);
  const [late = ""] = await problemsOf(killed("run.settled"));
  assert.match(late, /unknown event "run\.settled"/);
});

Deno.test("validateScenario() wants a match for agents that have a script", async () => {
  const matched = (agent: string) => sound("faults:", `match: { ${agent}: [you look after orders] }\nfaults:`);
  assert.deepEqual(await problemsOf(matched("billing")), []);
  assert.match(
    (await problemsOf(matched("poet"))).join(),
    /unknown agent with a script "poet"; allowed: planner, billing/,
  );
});
