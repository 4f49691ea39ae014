import assert from "node:assert/strict";
import type { Check, Outcome } from "../score/check.ts";
import { renderJUnit } from "./junit.ts";
import { makeReport } from "./report.ts";
import { brokenPolicy, scored, sketch } from "./testing.ts";

const red = (outcome: Outcome, message = "policy is not named"): Check => ({
  id: `x.${outcome}`,
  outcome,
  message,
  evidence: [4, 9],
});

Deno.test("renderJUnit() has a suite a crew and a case a cell, and keeps failure, error and skipped apart", () => {
  const report = makeReport([
    sketch({ cell: { scenario: "good" }, scores: [scored("plan", 0.5), scored("honesty", null)] }),
    sketch({ cell: { scenario: "bad" }, checks: [red("fail"), { ...red("fail"), id: "y" }, red("untestable")] }),
    sketch({ cell: { scenario: "broken" }, checks: [red("error"), red("fail")] }),
    sketch({ cell: { scenario: "unseen" }, crew: "research", checks: [red("untestable")] }),
  ]);
  assert.equal(
    renderJUnit(report),
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Brownout" tests="4" failures="1" errors="1" skipped="1">
  <testsuite name="support" tests="3" failures="1" errors="1" skipped="0">
    <testcase classname="support" name="good@sim" time="0.5">
      <properties>
        <property name="score.plan" value="0.5"/>
      </properties>
    </testcase>
    <testcase classname="support" name="bad@sim" time="0.5">
      <failure message="2 checks: policy is not named" type="x.fail">fail x.fail: policy is not named (events 4, 9)
fail y: policy is not named (events 4, 9)
untestable x.untestable: policy is not named (events 4, 9)</failure>
    </testcase>
    <testcase classname="support" name="broken@sim" time="0.5">
      <error message="policy is not named" type="x.error">error x.error: policy is not named (events 4, 9)
fail x.fail: policy is not named (events 4, 9)</error>
    </testcase>
  </testsuite>
  <testsuite name="research" tests="1" failures="0" errors="0" skipped="1">
    <testcase classname="research" name="unseen@sim" time="0.5">
      <skipped message="policy is not named" type="x.untestable">untestable x.untestable: policy is not named (events 4, 9)</skipped>
    </testcase>
  </testsuite>
</testsuites>
`,
  );
});

Deno.test("renderJUnit() has the checks of the run in a suite of their own", () => {
  const both = [brokenPolicy(), brokenPolicy({ cell: { lane: "wire" } })];
  assert.match(
    renderJUnit(makeReport(both)),
    /<testsuite name="the run" tests="1" failures="0"[^]*classname="the run" name="lanes\.agree:/,
  );
  assert.match(renderJUnit(makeReport([])), /tests="1" failures="0" errors="1"[^]*<error message="nothing was run/);
});

Deno.test("renderJUnit() lets no text become markup, and holds nothing that XML cannot", () => {
  const evil = ']]></failure><x a="1">&\'\n\u0000\u0007\ud800\ufffe\u202e';
  const text = renderJUnit(makeReport([sketch({
    cell: { scenario: evil },
    crew: evil,
    checks: [{ ...red("fail", evil), id: evil }],
  })]));
  assert.doesNotMatch(text, /<x|\]\]>/);
  // deno-lint-ignore no-control-regex -- looking for control characters is what it is for
  assert.doesNotMatch(text, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\u202e]/);
  assert.ok(text.isWellFormed());
  const names = [...text.matchAll(/<\/?([a-z]+)/gi)].map(([, name]) => name);
  assert.deepEqual(new Set(names), new Set(["testsuites", "testsuite", "testcase", "failure"]));
});
