import assert from "node:assert/strict";
import { commandOf, mattering } from "./command_line.ts";

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
