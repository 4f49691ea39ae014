import assert from "node:assert/strict";
import type { Json } from "../../core/mod.ts";
import type { ApprovalRule } from "../crews/crew.ts";
import { type CountedCall, ruleOn } from "./rules.ts";

const TOOLS = { tools: ["refunds.issue"] };
const ASK: ApprovalRule = { rule: "ask", ...TOOLS };
const DENY: ApprovalRule = { rule: "deny", tools: ["refunds."] };
const LIMIT: ApprovalRule = { rule: "limit", ...TOOLS, amount: "amount", max: 100 };
const TOTAL: ApprovalRule = { rule: "total", ...TOOLS, amount: "amount", max: 200 };
const EACH: ApprovalRule = { ...TOTAL, per: "customer" };
const DAILY: ApprovalRule = { ...TOTAL, periodMs: 1000 };

type Args = { [key: string]: Json };
const counted = (args: Args, at = 0, tool = "refunds.issue"): CountedCall => ({ tool, args, at });
const sum = (...amounts: Json[]): CountedCall[] => amounts.map((amount) => counted({ amount }));

const CASES: readonly [what: string, rules: ApprovalRule[], args: Args, before: CountedCall[], verdict: string][] = [
  ["no rule", [], { amount: 1 }, [], "uncovered"],
  ["a rule about something else", [{ rule: "ask", tools: ["refunds.list"] }], {}, [], "uncovered"],
  ["a rule about another server", [{ rule: "ask", tools: ["refunds2."] }], {}, [], "uncovered"],
  ["ask", [ASK], {}, [], "ask"],
  ["deny", [DENY], {}, [], "deny"],
  ["deny among others", [ASK, LIMIT, DENY], { amount: 1 }, [], "deny"],
  ["within the limit", [LIMIT], { amount: 99 }, [], "pass"],
  ["at the limit", [LIMIT], { amount: 100 }, [], "pass"],
  ["over the limit", [LIMIT], { amount: 100.5 }, [], "ask"],
  ["nothing", [LIMIT], { amount: 0 }, [], "pass"],
  ["minus zero", [LIMIT], { amount: -0 }, [], "pass"],
  ["less than nothing", [LIMIT], { amount: -1 }, [], "ask"],
  ["no amount", [LIMIT], {}, [], "ask"],
  ["an amount of another name", [LIMIT], { Amount: 1 }, [], "ask"],
  ["an inherited name", [{ ...LIMIT, amount: "constructor" }], {}, [], "ask"],
  ["a text", [LIMIT], { amount: "5" }, [], "ask"],
  ["null", [LIMIT], { amount: null }, [], "ask"],
  ["a list", [LIMIT], { amount: [5] }, [], "ask"],
  ["no number that JSON has", [LIMIT], { amount: NaN }, [], "ask"],
  ["one without end", [LIMIT], { amount: Infinity }, [], "ask"],
  ["the limit passes, ask does not", [LIMIT, ASK], { amount: 1 }, [], "ask"],
  ["within the total", [TOTAL], { amount: 90 }, sum(90), "pass"],
  ["at the total", [TOTAL], { amount: 20 }, sum(90, 90), "pass"],
  ["over the total", [TOTAL], { amount: 21 }, sum(90, 90), "ask"],
  ["nothing more, at the total", [TOTAL], { amount: 0 }, sum(200), "pass"],
  ["a total that is not known", [TOTAL], { amount: 0 }, sum("some"), "ask"],
  ["other tools do not count", [TOTAL], { amount: 100 }, [counted({ amount: 200 }, 0, "outbox.send")], "pass"],
  ["limit and total", [LIMIT, TOTAL], { amount: 90 }, sum(90, 90), "ask"],
  ["another customer", [EACH], { amount: 90, customer: "b" }, [counted({ amount: 150, customer: "a" })], "pass"],
  ["the same customer", [EACH], { amount: 90, customer: "a" }, [counted({ amount: 150, customer: "a" })], "ask"],
  ["the same, with a space", [EACH], { amount: 90, customer: "a " }, [counted({ amount: 150, customer: "a" })], "ask"],
  ["a number and a text", [EACH], { amount: 90, customer: 1 }, [counted({ amount: 150, customer: "1" })], "pass"],
  ["no customer", [EACH], { amount: 1 }, [], "ask"],
  ["a blank customer", [EACH], { amount: 1, customer: " " }, [], "ask"],
  ["a customer that is a list", [EACH], { amount: 1, customer: ["a"] }, [], "ask"],
  ["the period before", [DAILY], { amount: 90 }, [counted({ amount: 150 }, 4999)], "pass"],
  ["the same period", [DAILY], { amount: 90 }, [counted({ amount: 150 }, 5000)], "ask"],
];

Deno.test("ruleOn() lets a call pass only if every rule that covers it does", () => {
  for (const [what, rules, args, before, verdict] of CASES) {
    const ruling = ruleOn(rules, { tool: "refunds.issue", args }, before, 5999);
    assert.equal(ruling.verdict, verdict, what);
    if ("reasons" in ruling) assert.ok(ruling.reasons.length > 0 && ruling.reasons.every(Boolean), what);
  }
});

Deno.test("ruleOn() takes spellings that a reader cannot tell apart for one customer", () => {
  const spellings = [
    "R. Okafor",
    "r. okafor",
    "R. OKAFOR",
    " R. Okafor ",
    "R.  Okafor",
    "R.\u00a0Okafor",
    "R.\t\nOkafor",
    "R. Oka\u200bfor",
    "\ufeffR. Okafor\u2060",
    "R. \u00adOkafor",
    "R. Okafor\u0000",
    "R. \u200b Okafor",
    "\uff32. \uff2fkafor",
  ];
  for (const customer of spellings) {
    const call = { tool: "refunds.issue", args: { amount: 90, customer } };
    const ruling = ruleOn([EACH], call, [counted({ amount: 150, customer: "R. Okafor" })], 0);
    assert.equal(ruling.verdict, "ask", JSON.stringify(customer));
  }
});

Deno.test("ruleOn() lets no name pass that mixes Latin letters with look-alikes, and does let names of one script", () => {
  const verdict = (customer: string) =>
    ruleOn([EACH], { tool: "refunds.issue", args: { amount: 1, customer } }, [], 0).verdict;
  for (const customer of ["R. \u041ekafor", "R. Okaf\u03bfr"]) assert.equal(verdict(customer), "ask", customer);
  for (const customer of ["R. Okafor", "\u041e\u043b\u044c\u0433\u0430", "Jos\u00e9"]) {
    assert.equal(verdict(customer), "pass", customer);
  }
});

Deno.test("ruleOn() says once what several rules object to", () => {
  const ruling = ruleOn([LIMIT, TOTAL, DAILY], { tool: "refunds.issue", args: {} }, [], 0);
  assert.deepEqual("reasons" in ruling && ruling.reasons, ["amount is not an amount: it is missing"]);
});

Deno.test("ruleOn() says why, with what the model wrote made harmless", () => {
  const call = { tool: "refunds.issue", args: { amount: 150, customer: "R. \u001b[31mOkafor\n" } };
  const ruling = ruleOn([LIMIT, EACH], call, [counted({ amount: 90, customer: "R. \u001b[31mOkafor" })], 0);
  assert.deepEqual(ruling, {
    verdict: "ask",
    reasons: [
      "amount is 150, and up to 100 passes by itself",
      "amount adds up to 240 for customer R. \\u{1b}[31mOkafor , and up to 200 passes by itself",
    ],
  });
});
