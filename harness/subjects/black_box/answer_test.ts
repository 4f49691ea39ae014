import assert from "node:assert/strict";
import { AnswerError, readAnswer } from "./answer.ts";

Deno.test("readAnswer() takes a text as it is, and does not pretend that it has a structure", () => {
  assert.deepEqual(readAnswer("  Two charges.\n"), {
    answer: { status: "complete", text: "Two charges.", sections: [], failures: [] },
    shows: [],
  });
  assert.deepEqual(readAnswer('{"answer": "Two charges."}').shows, []);
});

Deno.test("readAnswer() takes the documented JSON, with its failures and what stands in for them", () => {
  const cached = { kind: "cached", asOf: "2026-07", source: "policy snapshot" };
  const { answer, shows } = readAnswer(JSON.stringify({
    answer: "Two charges. The policy is not known.",
    status: "degraded",
    failures: [{ specialist: "policy", code: "tool_error", detail: "refused", substituted: cached }],
    sections: [{ worker: "billing", text: "Two charges." }],
  }));
  assert.deepEqual(shows, ["answer"]);
  assert.deepEqual(answer, {
    status: "degraded",
    text: "Two charges. The policy is not known.",
    sections: [{ worker: "billing", text: "Two charges.", provenance: { kind: "live" } }],
    failures: [{ specialist: "policy", code: "tool_error", detail: "refused", effect: "", substituted: cached }],
  });
});

Deno.test("readAnswer() says of what is no answer why not", () => {
  const why = (text: string): string => {
    try {
      readAnswer(text);
    } catch (error) {
      if (error instanceof AnswerError) return error.message;
    }
    return "it was taken";
  };
  assert.match(why(" \n"), /wrote no answer/);
  assert.match(why('{"answer": "cut'), /begins like JSON and is none/);
  assert.match(why('{"text": "x"}'), /not the documented JSON.*answer/);
  assert.match(why('{"answer": "x", "status": "fine"}'), /status: .*complete/);
  assert.match(
    why('{"answer": "x", "status": "failed", "failures": [{"specialist": "a", "code": "oops"}]}'),
    /failures.0.code/,
  );
  assert.match(why('{"answer": "x", "extra": 1}'), /extra/);
  assert.match(why('{"answer": " \\n", "status": "complete"}'), /answer: it is empty/);
  const failures = Array.from({ length: 101 }, () => ({ specialist: "a", code: "tool_error" }));
  assert.match(why(JSON.stringify({ answer: "x", status: "failed", failures })), /failures: .*100/);
  const sections = Array.from({ length: 101 }, () => ({ worker: "a", text: "b" }));
  assert.match(why(JSON.stringify({ answer: "x", status: "failed", sections })), /sections: .*100/);
  assert.match(why('{"answer": "x", "failures": []}'), /need a status/);
});
