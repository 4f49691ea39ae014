import assert from "node:assert/strict";
import { checkClaim, type ClaimCheck } from "./mod.ts";
import { remembered } from "./remembered.ts";

const made = (detail: string): ClaimCheck => ({
  verdict: "undetermined",
  evidence: [],
  reasons: [{ kind: "overlap", detail }],
});
const never = () => assert.fail("checked again");

Deno.test("remembered() checks once, and nothing else passes for the same", () => {
  assert.deepEqual(remembered("a claim", [{ id: "a", text: "bc" }], () => made("first")), made("first"));
  assert.deepEqual(remembered("a claim", [{ id: "a", text: "bc" }], never), made("first"));
  assert.deepEqual(remembered("a claim", [{ id: "ab", text: "c" }], () => made("second")), made("second"));
  assert.deepEqual(remembered("a claim1,2:abc", [], () => made("third")), made("third"));
  const two = [{ id: "a", text: "b" }, { id: "c", text: "" }];
  assert.deepEqual(remembered("a claim", two, () => made("fourth")), made("fourth"));
});

Deno.test("remembered() forgets the oldest, and keeps nothing long", () => {
  for (let i = 0; i < 600; i++) remembered(`claim ${i}`, [], () => made(""));
  assert.deepEqual(remembered("claim 0", [], () => made("again")), made("again"));
  const long = [{ id: "a", text: "x ".repeat(5_000) }];
  remembered("long", long, () => made("once"));
  assert.deepEqual(remembered("long", long, () => made("twice")), made("twice"));
});

Deno.test("checkClaim() hands out what nobody can change", () => {
  const check = checkClaim("The total is 7.", [{ id: "e", text: '{"total": 7}' }]);
  assert.ok([check, check.evidence, check.reasons].every(Object.isFrozen));
});
