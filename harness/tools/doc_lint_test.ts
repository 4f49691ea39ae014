import assert from "node:assert/strict";
import { declaredTypes, matters, parseFindings } from "./doc_lint.ts";

const OUTPUT = `error[missing-jsdoc]: exported symbol is missing JSDoc documentation
 --> /x/core/clock.ts:60:21

error[private-type-ref]: public type 'Tool' references private type 'ZodObject'
 --> /x/servers/fixture.ts:28:1

error[private-type-ref]: public type 'Hub' references private type 'Secret'
 --> /x/agents/hub.ts:1:1

error[missing-explicit-type]: exported symbol is missing an explicit type annotation
 14 | export const Usage = z.strictObject({

error[missing-explicit-type]: exported symbol is missing an explicit type annotation
 14 | export const limit = compute();

error: Found 5 documentation lint errors.
`;

Deno.test("matters() lets through a dependency's types and schemas, and nothing else", () => {
  const findings = parseFindings(OUTPUT);
  const kept = findings.filter((finding) => matters(finding, (name) => name === "Secret"));
  assert.equal(findings.length, 5);
  assert.deepEqual(kept.map(({ rule }) => rule), ["missing-jsdoc", "private-type-ref", "missing-explicit-type"]);
  assert.match(kept[2]?.text ?? "", /limit = compute/);
});

Deno.test("declaredTypes() finds the types of a file", () => {
  assert.deepEqual(declaredTypes("export interface A {}\ntype B = A;\nexport const c = 1;\nclass D {}"), [
    "A",
    "B",
    "D",
  ]);
});
