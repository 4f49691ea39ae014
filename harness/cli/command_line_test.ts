import assert from "node:assert/strict";
import { commandOf, mattering, sameAgain } from "./command_line.ts";

const typed = {
  repeat: "20",
  jobs: "4",
  subject: "reference",
  seed: "0",
  output: ["a b.json", "it's.md"],
  timeline: true,
  lane: "sim",
  resume: true,
};

Deno.test("commandOf() is what a shell takes for the same, without defaults and without --resume", () => {
  assert.equal(
    commandOf({ selectors: ["support", "planner-*"], typed }),
    `run support 'planner-*' --lane sim --repeat 20 --output 'a b.json' --output 'it'\\''s.md' --timeline`,
  );
  assert.equal(commandOf({ selectors: [] }), "run");
});

Deno.test("mattering() is what a cell, or what is kept of one, can depend on", () => {
  assert.deepEqual(mattering({ typed }), { lane: "sim", repeat: "20", timeline: "" });
  assert.deepEqual(mattering({}), {});
});

Deno.test("sameAgain() is who was run and how, and neither how often nor what was written", () => {
  assert.deepEqual(sameAgain({ typed }), ["--lane sim"]);
  const models = ["planner=openai:a", "openai:b"];
  const more = { ...typed, subject: "cmd: python3 it's.py", model: models, replay: "a.jsonl", judge: "openai:c" };
  assert.deepEqual(sameAgain({ typed: more }), [
    "--lane sim",
    `--subject 'cmd: python3 it'\\''s.py'`,
    ...models.map((model) => `--model ${model}`),
    "--replay a.jsonl",
  ]);
  assert.deepEqual(sameAgain({}), []);
});
