import assert from "node:assert/strict";
import { explainAnswer } from "./explain_answer.ts";

const plain = { columns: 30, colour: false };
const answer = (text: string) => ({ status: "degraded" as const, text, sections: [], failures: [] });

Deno.test("explainAnswer() quotes every line", () => {
  assert.deepEqual(explainAnswer(answer("One line.\nA second line that has to be broken."), plain), [
    "  answer    degraded",
    "  │ One line.",
    "  │ A second line that has to",
    "  │ be broken.",
  ]);
});

Deno.test("explainAnswer() says how much it left out", () => {
  assert.deepEqual(explainAnswer(answer("a\nb\nc\nd"), { ...plain, maxLines: 3 }).slice(1), [
    "  │ a",
    "  │ b",
    "  │ … 2 more lines",
  ]);
});

Deno.test("explainAnswer() lets no answer pass for the report's own lines", () => {
  const lines = explainAnswer(answer("x\r\u001b[1APASS\n\nPASS    cells"), plain).slice(1);
  assert.ok(lines.every((line) => line.startsWith("  │ ") && !line.includes("\u001b")), lines.join("\n"));
});

Deno.test("explainAnswer() says that there is none", () => {
  assert.deepEqual(explainAnswer(undefined, plain), ["  There is no answer."]);
});

Deno.test("explainAnswer() gives no status to an answer of which only the text is known", () => {
  assert.equal(explainAnswer(answer("a"), { ...plain, isText: true })[0], "  answer    text");
});
