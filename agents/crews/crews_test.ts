import assert from "node:assert/strict";
import { CREW } from "../supervisor/testing.ts";
import { Crew as CrewSchema, crewProblems, CREWS } from "./mod.ts";

Deno.test("CREWS holds only crews that hold together", () => {
  for (const [name, crew] of CREWS) {
    assert.equal(crew.name, name);
    assert.deepEqual(CrewSchema.parse(crew), crew);
    assert.deepEqual(crewProblems(crew), []);
  }
});

Deno.test("crewProblems() finds names that nobody has, and names that two have", () => {
  assert.deepEqual(crewProblems(CREW), []);
  const [billing, ...others] = CREW.specialists;
  const [fallback] = CREW.fallbacks;
  assert.ok(billing && fallback);
  const broken = {
    ...CREW,
    servers: ["orders", "orders", "policy"],
    specialists: [
      { ...billing, toolAllow: ["orders.", "orders2.find"] },
      billing,
      { ...billing, name: "planner" },
      ...others,
    ],
    fallbacks: [{ ...fallback, canary: "NOT THERE" }, fallback, { ...fallback, specialist: "poet" }],
    fallbackPlan: [{ specialist: "constructor", objective: "x" }],
  };
  assert.deepEqual(crewProblems(broken), [
    "two servers are called orders",
    "two specialists are called billing",
    "policy has two fallbacks",
    "a specialist is called planner, which is the planner's own name",
    "the allowlist of billing names orders2, which the crew does not have",
    "the allowlist of comms names kb, which the crew does not have",
    "a fallback names poet, which the crew does not have",
    "the fallback plan names constructor, which the crew does not have",
    "the fallback for policy does not hold its own canary",
  ]);
});

Deno.test("Crew refuses what it does not know", () => {
  assert.ok(!CrewSchema.safeParse({ ...CREW, extra: 1 }).success);
  assert.ok(!CrewSchema.safeParse({ ...CREW, routes: { no_such_code: ["disclose"] } }).success);
  assert.ok(!CrewSchema.safeParse({ ...CREW, routes: { timeout: ["pray"] } }).success);
});

Deno.test("crewProblems() finds names of specialists that look alike, and names both", () => {
  const [one] = CREW.specialists;
  assert.ok(one);
  const called = (...names: string[]) => ({
    ...CREW,
    fallbacks: [],
    fallbackPlan: [],
    specialists: names.map((name) => ({ ...one, name })),
  });
  for (const [a, b] of [["Data Agent", "data_agent"], ["data-agent", "DataAgent"], ["ｄata", "data"]] as const) {
    assert.deepEqual(crewProblems(called(a, b)), [
      `two specialists have names that look alike: ${JSON.stringify(a)} and ${JSON.stringify(b)}; rename one`,
    ]);
  }
  assert.deepEqual(crewProblems(called("data", "data2", "Data Agents", "agent")), []);
  assert.match(crewProblems(called("triage")).join(), /triage, which is the name of the first agent among peers/);
});
