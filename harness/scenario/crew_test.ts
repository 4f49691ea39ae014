import assert from "node:assert/strict";
import { CREWS } from "../../agents/mod.ts";
import { crewOf } from "./crew.ts";
import { problemsOf, resolved, SOUND } from "./test_folder.ts";

const support = CREWS.get("support") ?? assert.fail();
const overrides = (text: string) => `${SOUND}crew_overrides: ${text}\n`;

Deno.test("crewOf() gives the crew itself where nothing is different, and else one merged team", async () => {
  const [plain] = await resolved(SOUND);
  assert.ok(plain);
  assert.equal(crewOf(plain), support);
  const [other] = await resolved(
    overrides("{ budget: { steps: 4 }, routes: { timeout: [disclose] }, specialists: { billing: { maxSteps: 2 } } }"),
  );
  assert.ok(other);
  const crew = crewOf(other);
  assert.equal(crewOf(other), crew);
  assert.deepEqual([crew.budget?.steps, crew.routes.timeout], [4, ["disclose"]]);
  assert.deepEqual(crew.specialists.map(({ maxSteps }) => maxSteps), [
    2,
    ...support.specialists.slice(1).map(({ maxSteps }) => maxSteps),
  ]);
  assert.equal(support.specialists[0]?.maxSteps, 3, "the crew itself is what it was");
});

Deno.test("crewOf() takes a member away with null, replaces lists, and lets a variant say it anew", async () => {
  const text = `${
    overrides("{ fallbacks: [], deadlineMs: 9000 }")
  }variants: { v: { crew_overrides: { approval: null } } }\n`;
  const [base, variant] = (await resolved(text)).map(crewOf);
  assert.deepEqual([base?.fallbacks, base?.deadlineMs], [[], 9000]);
  assert.deepEqual([variant?.fallbacks, variant?.deadlineMs], [support.fallbacks, support.deadlineMs]);
  assert.ok(variant !== undefined && !Object.hasOwn(variant, "approval"));
});

Deno.test("resolve() says where an override makes no crew", async () => {
  const names = support.specialists.map(({ name }) => name).join(", ");
  assert.deepEqual(await problemsOf(overrides("{ specialists: { biling: { maxSteps: 1 } } }")), [
    `x.yaml:16:34 unknown specialist "biling" (did you mean "billing"?); allowed: ${names}`,
  ]);
  assert.deepEqual(await problemsOf(overrides("{ specialists: { billing: { maxSteps: none } } }")), [
    'x.yaml:16:55 "maxSteps": expected a number, found the text "none"',
  ]);
  assert.deepEqual(await problemsOf(overrides("{ budget: { stepps: 4 } }")), [
    'x.yaml:16:29 unknown key "stepps" (did you mean "steps"?); allowed: steps, tokens, costUsd',
  ]);
  assert.deepEqual(await problemsOf(overrides("{ name: other }")), [
    "x.yaml:16:19 a crew keeps its name; take this out",
  ]);
  assert.deepEqual(await problemsOf(overrides("{ fallbackPlan: [{ specialist: poet, objective: x }] }")), [
    "x.yaml:16:1 the fallback plan names poet, which the crew does not have",
  ]);
});
