import assert from "node:assert/strict";
import { renderJson } from "./json.ts";
import { makeReport } from "./report.ts";
import { brokenPolicy, sketch } from "./testing.ts";

Deno.test("renderJson() writes sorted keys, two spaces and a newline at the end", () => {
  assert.equal(
    renderJson({ ...makeReport([]), run: [] }),
    `{
  "cells": [],
  "coverage": [],
  "outcome": "error",
  "run": [],
  "schema": 1,
  "summary": {
    "cells": {
      "error": 0,
      "fail": 0,
      "pass": 0,
      "untestable": 0
    },
    "checks": {
      "error": 1,
      "fail": 0,
      "pass": 0,
      "untestable": 0
    }
  }
}
`,
  );
});

Deno.test("renderJson() gives the same bytes for the same report, whatever the order of its keys", () => {
  const report = makeReport([brokenPolicy()]);
  const turned = Object.fromEntries(Object.entries(report).reverse()) as unknown as typeof report;
  assert.equal(renderJson(turned), renderJson(report));
});

Deno.test("renderJson() holds nothing that a terminal obeys, and loses nothing", () => {
  const message = "\u001b[31m\u009b31m\u202e\u2028\ufeff{\n\t\\u0041 \u{e0041} é 日";
  const report = makeReport([sketch({ checks: [{ id: "x", outcome: "fail", message, evidence: [] }] })]);
  const text = renderJson(report);
  assert.doesNotMatch(text, /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  assert.equal(JSON.parse(text).cells[0].checks[0].message, message);
});
