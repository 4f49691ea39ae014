import assert from "node:assert/strict";
import { OUTPUT_EXTENSIONS } from "../cli/options.ts";
import type { Check, Outcome } from "../score/check.ts";
import { renderAnnotations, withoutCommands } from "./annotations.ts";
import { renderHtml } from "./html.ts";
import { renderJson } from "./json.ts";
import { renderJsonLines } from "./jsonl.ts";
import { rendererOf, RENDERERS } from "./render.ts";
import { makeReport } from "./report.ts";
import { brokenPolicy, scored, sketch } from "./testing.ts";

const red = (outcome: Outcome, message = "policy is not named"): Check => ({
  id: `x.${outcome}`,
  outcome,
  message,
  evidence: [4, 9],
});
const EVIL = "</li></script><script>alert(1)</script>\"'`&<img src=x onerror=1>\n::error::x %0A ##[error]y\u202e\u0000";

Deno.test("RENDERERS has a form for each extension that is allowed, and each gives the same bytes twice", async () => {
  assert.deepEqual(Object.keys(RENDERERS), [...OUTPUT_EXTENSIONS]);
  const report = makeReport([brokenPolicy({ checks: [red("fail")], scores: [scored("plan", 0.5)] })]);
  for (const extension of OUTPUT_EXTENSIONS.filter((one) => one !== ".xml")) {
    const [render, again] = [await rendererOf(`/a/b${extension}`), await RENDERERS[extension]()];
    assert.equal([...render(report)].join(""), [...again(report)].join(""), extension);
  }
});

Deno.test("renderJsonLines() has a cell a line, and at the end a line about the run", () => {
  const report = makeReport([brokenPolicy(), sketch({ cell: { scenario: "healthy-desk" } })]);
  const text = renderJsonLines(report);
  assert.ok(text.endsWith("\n"));
  const lines = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ type, id }) => [type, id]), [
    ["cell", "broken-policy-server@sim"],
    ["cell", "healthy-desk@sim"],
    ["run", undefined],
  ]);
  const whole = JSON.parse(renderJson(report));
  assert.deepEqual(lines.slice(0, 2).map(({ type: _, ...cell }) => cell), whole.cells);
  assert.deepEqual(lines[2].summary, whole.summary);
});

Deno.test("renderJsonLines() keeps a line a line whatever the texts hold", () => {
  const text = renderJsonLines(makeReport([brokenPolicy({ checks: [red("fail", `a\u2028b\u0085c\n${EVIL}`)] })]));
  assert.equal(text.split("\n").length, 3);
  assert.doesNotMatch(text, /[\u2028\u0085\u202e]/);
});

Deno.test("renderHtml() tells outcomes, scores and checks, with what is red unfolded", () => {
  const html = renderHtml(makeReport([
    brokenPolicy({ checks: [red("fail")], scores: [scored("honesty", 0.5)] }),
    sketch({ cell: { scenario: "healthy-desk" }, scores: [scored("honesty", 1)] }),
  ]));
  assert.match(html, /^<!doctype html>/);
  assert.match(html, /<title>Brownout: fail<\/title>/);
  assert.match(html, /<th scope="row">broken-policy-server<\/th>/);
  assert.match(html, /<details open><summary>1 fail<\/summary>/);
  assert.match(html, /<details><summary>1 pass<\/summary>/);
  assert.match(html, /<code>x\.fail<\/code> policy is not named \(events 4, 9\)/);
  assert.match(html, /<b>honesty 0\.50<\/b>/);
});

Deno.test("renderHtml() closes all that it opens", () => {
  const html = renderHtml(makeReport([brokenPolicy({ checks: [red("error"), red("untestable")] }), sketch()]));
  const open: string[] = [];
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
    if (slash !== "/") open.push(name);
    else assert.equal(open.pop(), name);
    if (name === "meta") open.pop();
  }
  assert.deepEqual(open, []);
});

Deno.test("renderHtml() lets no text become markup, and asks nobody for anything", () => {
  const html = renderHtml(makeReport([brokenPolicy({
    cell: { scenario: EVIL, subject: EVIL },
    crew: EVIL,
    story: EVIL,
    checks: [{ ...red("fail", EVIL), id: EVIL }],
    scores: [{ ...scored("honesty", 0.5), message: EVIL }],
    answer: { status: "degraded", text: EVIL, sections: [], failures: [] },
  })]));
  // deno-lint-ignore no-control-regex -- looking for control characters is what it is for
  assert.doesNotMatch(html, /<script|<img|onerror=1>|[\u202e\u0000]/);
  assert.doesNotMatch(html, /(src|href)=(?!x onerror)/, "nothing is loaded");
  assert.match(html, /Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-/);
  assert.ok((html.match(/&lt;script&gt;/g) ?? []).length > 5);
});

Deno.test("renderHtml() of nothing is an error and says so", () => {
  assert.match(renderHtml(makeReport([])), /<title>Brownout: error<\/title>[^]*None was run\.[^]*never a pass/);
});

Deno.test("renderAnnotations() has ten findings at most, and a notice with the four outcomes", () => {
  const checks = Array.from({ length: 30 }, (_, i) => ({ ...red("fail"), id: `x${i}` }));
  const lines = renderAnnotations(makeReport([brokenPolicy({ checks })])).trimEnd().split("\n");
  assert.equal(lines.length, 11);
  assert.equal(
    lines[0],
    "::error title=fail%3A x0::broken-policy-server@sim: policy is not named (events 4, 9)",
  );
  assert.equal(
    lines[10],
    "::notice title=Brownout::cells: 0 pass, 1 fail, 0 error, 0 untestable; 20 more findings are in the report",
  );
});

Deno.test("renderAnnotations() says of a part of a run that it is one, however much else there is to say", () => {
  const checks = Array.from({ length: 30 }, (_, i) => ({ ...red("error"), id: `x${i}` }));
  const partial = { why: "w", planned: 9, ended: 1, notRun: [], brokenOff: [] };
  const text = renderAnnotations({ ...makeReport([brokenPolicy({ checks })]), partial });
  assert.match(text, /^::notice title=Brownout::partial: 1 of 9 cells have been run; cells: 0 pass/m);
});

Deno.test("renderAnnotations() makes a warning of what is untestable, and of a green run the notice alone", () => {
  assert.match(renderAnnotations(makeReport([brokenPolicy({ checks: [red("untestable")] })])), /^::warning title=unt/);
  assert.equal(
    renderAnnotations(makeReport([brokenPolicy()])),
    "::notice title=Brownout::cells: 1 pass, 0 fail, 0 error, 0 untestable\n",
  );
});

Deno.test("renderAnnotations() lets no text begin a command, end a title or spell an escape", () => {
  const text = renderAnnotations(makeReport([brokenPolicy({ checks: [{ ...red("fail", EVIL), id: "a,b::c\n::d" }] })]));
  assert.equal(text.trimEnd().split("\n").length, 2);
  assert.match(text, /^::error title=fail%3A a%2Cb%3A%3Ac %3A%3Ad::/);
  assert.match(text, /%250A/);
});

Deno.test("withoutCommands() puts a text between lines that switch commands off and on again", () => {
  assert.equal(withoutCommands("::error::x\n", "t1"), "::stop-commands::t1\n::error::x\n::t1::\n");
});
