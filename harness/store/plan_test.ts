import assert from "node:assert/strict";
import { differences, fingerprintOf } from "./plan.ts";
import { PLAN } from "./testing.ts";

Deno.test("differences() of a plan with itself are none, and its fingerprint does not depend on the order of keys", () => {
  const same = { ...PLAN, scenarios: { "a/late": "2", a: "1" } };
  assert.deepEqual(differences(PLAN, same), []);
  assert.equal(fingerprintOf(PLAN), fingerprintOf(same));
});

Deno.test("differences() says what has changed, what is gone, what is new, and which option differs", () => {
  const now = {
    code: "0ther",
    scenarios: { a: "9", b: "1", constructor: "2" },
    options: { repeat: "3", seed: "7", timeline: "" },
    cells: 9,
  };
  assert.deepEqual(differences(PLAN, now), [
    "--repeat was 2 and is 3",
    "--seed was not given and is 7",
    "--timeline was not given and is given",
    "scenario a has changed",
    "scenario a/late is no longer selected",
    "scenarios b, constructor were not selected then",
    "the bench's own code has changed",
  ]);
  assert.notEqual(fingerprintOf(PLAN), fingerprintOf(now));
});

Deno.test("differences() says of an edited program of a subject that it has changed", () => {
  const [then, now] = [{ ...PLAN, subject: "1" }, { ...PLAN, subject: "2" }];
  assert.deepEqual(differences(then, now), ["the subject's program has changed"]);
  assert.notEqual(fingerprintOf(then), fingerprintOf(now));
});

Deno.test("differences() names three scenarios and counts the rest", () => {
  const now = { ...PLAN, scenarios: Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`s${i}`, "1"])) };
  assert.deepEqual(differences(PLAN, now), [
    "scenarios a, a/late are no longer selected",
    "scenarios s0, s1, s2 and 3 more were not selected then",
  ]);
});
