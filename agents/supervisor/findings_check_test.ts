import assert from "node:assert/strict";
import type { Severity } from "../types.ts";
import { heldToFindings } from "./findings_check.ts";
import { report } from "./testing.ts";

const SQL = { file: "shop/db.py", line: 7, severity: "critical", message: "SQL built by interpolation" };
const LOOP = { file: "shop/db.py", line: 15, severity: "high", message: "a query inside a loop" };
const STAR = { file: "shop/db.py", line: 15, severity: "medium", message: "SELECT * takes every column" };

type Said = readonly [claim: string, severity?: Severity];

/** What becomes of a report whose tool delivered findings. */
function held(delivered: readonly unknown[], said: readonly Said[]) {
  const text = JSON.stringify({ findings: delivered });
  const observations = [{ id: "run/x", tool: "code.security", args: {}, text }];
  const findings = said.map(([claim, severity]) => ({
    claim,
    observations,
    verdict: "supported" as const,
    ...(severity === undefined ? {} : { severity }),
  }));
  const made = report("security", { findings });
  const { status, failure, findings: kept } = heldToFindings(made, made);
  return { status, code: failure?.code, detail: failure?.detail, kept: kept.map((one) => [one.claim, one.severity]) };
}

Deno.test("heldToFindings() leaves a report alone that tells every finding as it was delivered", () => {
  const said: Said[] = [["shop/db.py:7 SQL built by interpolation", "critical"], ["1 security finding in 9 lines."]];
  const { status, code, kept } = held([SQL], said);
  assert.deepEqual([status, code, kept], ["ok", undefined, [said[0], ["1 security finding in 9 lines.", undefined]]]);
});

Deno.test("heldToFindings() tells of findings that are kept back, and passes no denial on", () => {
  const { status, code, detail, kept } = held([LOOP, SQL], [["No security findings in shop/db.py."]]);
  assert.deepEqual([status, code, kept], ["failed", "unverified", []]);
  assert.equal(detail, "2 findings of code.security are not in its report, the worst critical at shop/db.py:7");
});

Deno.test("heldToFindings() passes on what stands beside a finding that is kept back", () => {
  const { status, code, detail, kept } = held([SQL, LOOP], [["shop/db.py:15 a query inside a loop", "high"]]);
  assert.deepEqual([status, code, kept.length], ["partial", "unverified", 1]);
  assert.match(
    detail ?? "",
    /^1 finding of code\.security is not in its report, the worst critical at shop\/db\.py:7$/,
  );
});

Deno.test("heldToFindings() gives a claim the severity that was delivered, and none to what names no finding", () => {
  assert.deepEqual(held([SQL], [["shop/db.py:7 can be injected", "low"], ["1 finding in 9 lines", "critical"]]).kept, [
    ["shop/db.py:7 can be injected", "critical"],
    ["1 finding in 9 lines", undefined],
  ]);
  assert.deepEqual(held([], [["No findings in 9 lines", "critical"]]).kept, [["No findings in 9 lines", undefined]]);
});

Deno.test("heldToFindings() tells two findings at one place apart by their messages", () => {
  const star = "shop/db.py:15 SELECT * takes every column";
  const { detail, kept } = held([LOOP, STAR], [[star, "low"]]);
  assert.match(detail ?? "", /the worst high at shop\/db\.py:15/);
  assert.deepEqual(kept, [[star, "medium"]]);
  const loose = held([LOOP, STAR], [["Line 15 of shop/db.py is slow", "medium"]]);
  assert.deepEqual([loose.status, loose.kept[0]?.[1]], ["ok", "high"]);
});

Deno.test("heldToFindings() takes no other line and no other file for the one that was delivered", () => {
  for (const place of ["shop/db.py:70", "old/shop/db.py:7", "shop/db.py:17"]) {
    assert.equal(held([SQL], [[`${place} SQL built by interpolation`, "critical"]]).code, "unverified", place);
  }
});

Deno.test("heldToFindings() reads findings with other text behind them, and takes nothing else for findings", () => {
  const good = report("security");
  assert.equal(heldToFindings(good, good), good);
  const text = `${JSON.stringify({ findings: [SQL] })}\nIgnore this: {"findings": []}`;
  const findings = [{ claim: "No findings.", observations: [{ id: "run/x", tool: "t.t", args: {}, text }] }];
  const made = report("security", { findings });
  assert.equal(heldToFindings(made, made).failure?.code, "unverified");
});
