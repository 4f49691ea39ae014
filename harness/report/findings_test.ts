import assert from "node:assert/strict";
import type { Check, Outcome } from "../score/check.ts";
import { readFindings } from "./findings.ts";
import { makeReport } from "./report.ts";
import { sketch } from "./testing.ts";

const check = (id: string, outcome: Outcome, message = "so it is", evidence = [1]): Check => ({
  id,
  outcome,
  message,
  evidence,
});
const cell = (scenario: string, lane: "sim" | "wire", ...checks: Check[]) =>
  sketch({ cell: { scenario, lane }, checks });

Deno.test("readFindings() finds nothing in a green report", () => {
  assert.deepEqual(readFindings(makeReport([cell("a", "sim", check("x", "pass"))])), []);
});

Deno.test("readFindings() puts errors before failures before what is untestable", () => {
  const report = makeReport([
    cell("a", "sim", check("u", "untestable"), check("f", "fail")),
    cell("b", "sim", check("e", "error")),
  ]);
  assert.deepEqual(readFindings(report).map(({ outcome }) => outcome), ["error", "fail", "untestable"]);
});

Deno.test("readFindings() gives each scenario its first finding before anybody's second", () => {
  const report = makeReport([
    cell("a", "sim", check("x", "fail"), check("y", "fail")),
    cell("b", "sim", check("z", "fail")),
  ]);
  assert.deepEqual(readFindings(report).map((one) => one.check), ["x", "z", "y"]);
});

Deno.test("readFindings() says once what several cells say", () => {
  const report = makeReport([
    cell("a", "sim", check("x", "fail", "bad")),
    cell("a", "wire", check("x", "fail", "bad", [7])),
  ]);
  const [first, ...others] = readFindings(report).filter((one) => one.check === "x");
  assert.deepEqual(first, { outcome: "fail", check: "x", message: "bad", cells: ["a@sim", "a@wire"], evidence: [1] });
  assert.deepEqual(others, []);
});

Deno.test("readFindings() makes one finding of all that a failed bench left untestable", () => {
  const report = makeReport([
    cell("a", "sim", check("e", "error"), check("x", "untestable"), check("y", "untestable")),
  ]);
  const { check: id, message } = readFindings(report)[1] ?? {};
  assert.equal(id, "2 checks");
  assert.equal(message, "the bench failed in this cell, so these say nothing: x, y");
});

Deno.test("readFindings() includes checks over the whole run", () => {
  const report = makeReport([cell("a", "sim", check("x", "pass")), cell("a", "wire", check("x", "fail"))]);
  const ofRun = readFindings(report).filter(({ cells }) => cells.length === 0);
  assert.deepEqual(ofRun.map((one) => one.check), ["lanes.agree:a"]);
});

Deno.test("readFindings() leaves out what a subject has declared that it does not show", () => {
  const declared = { ...check("u", "untestable"), declared: true } as const;
  const report = makeReport([cell("a", "sim", declared, check("f", "fail"))]);
  assert.deepEqual(readFindings(report).map((finding) => finding.check), ["f"]);
});

Deno.test("readFindings() puts what comes of an error behind what was found in cells without one", () => {
  const report = makeReport([
    cell(
      "a",
      "sim",
      check("e", "error"),
      check("f", "fail", "of the error"),
      check("g", "fail"),
      check("u", "untestable"),
    ),
    cell("b", "sim", check("h", "fail"), check("g", "fail"), check("v", "untestable")),
    cell("c", "sim", check("e", "error"), check("f", "fail", "of the error")),
  ]);
  assert.deepEqual(readFindings(report).map(({ check: id }) => id), ["e", "g", "h", "v", "f", "u"]);
});

Deno.test("readFindings() has of a cell on which the run broke off its error alone", () => {
  const checks = (["error", "fail", "untestable"] as const).map((outcome) => check(outcome[0] ?? "", outcome));
  const whole = makeReport([cell("a", "sim", ...checks), cell("b", "sim", check("f", "fail", "of its own"))]);
  const partial = { why: "w", planned: 3, ended: 1, notRun: ["c@sim"], brokenOff: ["a@sim"] };
  const told = (report: typeof whole) => readFindings(report).map(({ check: id, cells }) => `${id} ${cells}`);
  assert.deepEqual(told(whole), ["e a@sim", "f b@sim", "f a@sim", "u a@sim"]);
  assert.deepEqual(told({ ...whole, partial }), ["e a@sim", "f b@sim"]);
});
