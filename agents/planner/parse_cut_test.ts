import assert from "node:assert/strict";
import { PLAN_EXAMPLE } from "./plan.ts";
import { parsePlan } from "./parse.ts";

const roster = ["search", "math", "write", "orders", "policy"];
const PLAN = `{"tasks": [{"id": "t1", "worker": "search", "ask": "find “the” price – {€} [1], it's \\"x\\""},` +
  ` {"id": "t2", "worker": "math", "ask": "sum it", "needs": ["t1"], "inputs": {"a": [1, {"b": null}]}}]}`;
const SMALL = `{"tasks": [{"id": "t1", "worker": "search", "ask": "x"}, {"id": "t2", "worker": "math", "ask": "y"}]}`;

/** Replies in three parts: before the value, the value, after it. */
const REPLIES: readonly (readonly [string, string, string])[] = [
  ["", PLAN, ""],
  ["", PLAN_EXAMPLE, ""],
  ["```json\n", PLAN, "\n```"],
  ["~~~\n", SMALL, "\n~~~\nDone."],
  [`Here is {my} plan [1]:\n`, PLAN, "\nLet me know [1] if {this} works."],
  [`<think>maybe ${SMALL.replace("x", "z")}</think>\n`, PLAN, ""],
  [`maybe ${SMALL.replace("x", "z")}</think>\n`, PLAN, "\n"],
  ["", `{"result": {"plan": ${SMALL}, "why": "so"}}`, ""],
  ["", `[${SMALL}]`, ""],
  ["", SMALL.slice(SMALL.indexOf("["), -1), ""],
  ["", JSON.stringify(PLAN), ""],
  ["", JSON.stringify(JSON.stringify(SMALL)), ""],
  ["", `{"output": ${JSON.stringify("```json\n" + SMALL + "\n```")}}`, ""],
  ["", SMALL.replaceAll('"', "'"), ""],
  ["", SMALL.replace(/"([^"]*)"/g, "“$1”"), ""],
  ["", SMALL.replace(/"(\w+)":/g, "$1:").replaceAll("}", ",}"), ""],
  ["", SMALL.replace("[{", `[ // {"tasks": []}\n /* } */ {`), " // end"],
  ["", `{"plan": "in two {steps}", ${SMALL.slice(1)}`, ""],
];

Deno.test("parsePlan() takes no reply that is cut before its JSON is complete, at any byte", () => {
  for (const [before, value, after] of REPLIES) {
    const whole = parsePlan(before + value + after, { roster });
    assert.notEqual(whole.status, "reject", JSON.stringify([value, whole]));
    const bytes = new TextEncoder().encode(before + value + after);
    const complete = new TextEncoder().encode(before + value).length;
    for (let cut = 0; cut < bytes.length; cut++) {
      const text = new TextDecoder().decode(bytes.subarray(0, cut));
      const outcome = parsePlan(text, { roster });
      // A prefix that ends in the draft, before the tag that makes it one, is a whole plan as far as anybody can see.
      if (cut < complete && outcome.status !== "reject") {
        assert.ok(before.includes("</think>") && !before.startsWith("<think>") && cut < before.length, text);
      } else if (outcome.status !== "reject") {
        assert.deepEqual(outcome.plan, whole.plan, text);
      }
      if (cut === complete) assert.notEqual(outcome.status, "reject", text);
    }
  }
});

Deno.test("parsePlan() reads the whole plan or none when the beginning is lost, at any character", () => {
  for (let cut = 1; cut < PLAN.length; cut++) {
    const outcome = parsePlan(PLAN.slice(cut), { roster });
    if (outcome.status !== "reject") assert.equal(outcome.plan.tasks.length, 2, PLAN.slice(cut));
  }
});

Deno.test("parsePlan() reads the whole plan or none when one character is lost", () => {
  const whole = parsePlan(SMALL, { roster }).plan?.tasks.length;
  for (let at = 0; at < SMALL.length; at++) {
    const outcome = parsePlan(SMALL.slice(0, at) + SMALL.slice(at + 1), { roster });
    if (outcome.status === "reject") continue;
    assert.equal(outcome.plan.tasks.length + outcome.dropped.length, whole, `without character ${at + 1}`);
  }
});

Deno.test("parsePlan() reads the whole plan or none when one character is put in", () => {
  for (const char of `{}[]",:'\\/#<“”a `) {
    for (let at = 0; at <= SMALL.length; at++) {
      const outcome = parsePlan(SMALL.slice(0, at) + char + SMALL.slice(at), { roster });
      if (outcome.status === "reject") continue;
      assert.equal(outcome.plan.tasks.length + outcome.dropped.length, 2, `${char} at ${at + 1}`);
    }
  }
});
