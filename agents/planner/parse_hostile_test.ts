import assert from "node:assert/strict";
import { extract } from "./extract.ts";
import { parsePlan } from "./parse.ts";

const roster = ["search", "math"];
const MEGABYTE = 1 << 20;
/** Enough for a square to show: the bound is on how often each character is looked at. */
const SIZE = 1 << 17;
const fill = (piece: string, size = SIZE) => piece.repeat(Math.ceil(size / piece.length));
const PLAN = `{"tasks": [{"id": "t1", "worker": "search", "ask": "x"}]}`;

/** What a scanner that goes back would read again and again, when there is much of it. */
const PIECES = [
  ...["{", "[", "}", "]", '"', "'", "`", "\\", "“", "‘", "<", "/*", "//", "#", "\ud800", "0", "-", "\n", "\u00a0"],
  ...[
    '{"',
    '["',
    "{'",
    "[{",
    '[{"a":',
    '{"a":{',
    '{"a" ',
    '"{',
    '"[\\',
    '"\\"',
    '\\"',
    '"{\\"',
    '"```',
    '" \\n',
    '"\\n\\n{',
  ],
  ...["{}", "[]", "{} }", "[1,", "[1 ", "{a:", "{“", "[“a”", "['a' ", "[0.", "[/*", "[//", "[#\n", "{}x}", "[“”  "],
  ...["<think>", "</think>", "<think ", "<think></think>", "[think]", "◁think▷", "<|channel|>analysis", "<a:think"],
  ...[
    '{"tasks":[]}',
    '{"tasks":[',
    '{"plan":',
    '{"plan":{"x":[]},',
    '{"id":"a","worker":"b"}',
    PLAN,
    "```json\n",
    "~~~\n",
  ],
  ...["I'm very ", "sorry ", "we will ", "against my "],
];

/** Replies of which one part is long. */
const LONG: readonly string[] = [
  `{"tasks": [${fill('{"id":"a","worker":"search","ask":"x"},')}`,
  `{"tasks": [{"id": "t1", "worker": "search", "ask": "${fill("{")}"}]}`,
  `{"tasks": [{"id": "t1", "worker": "search", "ask": “${fill("“")}”}]}`,
  `{${Array.from({ length: 50_000 }, (_, i) => `"k${i}":1`)}, ${PLAN.slice(1)}`,
  `{${Array.from({ length: 20_000 }, (_, i) => `"p${i}":{"tasks":[]},"k${i}":1`)}}`,
  `{${fill('"a":[1,2,3],')}"tasks": []}`,
  `{"tasks": [{"id": "t1", "worker": "search", "ask": "x", "needs": [${fill('"t1",')}]}]}`,
  JSON.stringify(JSON.stringify(fill('{["'))),
  `{"output": ${JSON.stringify(fill('{"plan": "'))}}`,
  fill(" ") + "{}" + fill(" ") + fill("}"),
  "{}" + fill(" ") + "x" + fill("}"),
  `<think>${fill("<think></think>")}</think>${PLAN}`,
];

Deno.test("extract() looks at a hostile text a bounded number of times", () => {
  for (const text of [...PIECES.map((piece) => fill(piece)), ...LONG]) {
    const { work } = extract(text);
    assert.ok(work <= 8 * text.length + 100, `${work / text.length} times ${JSON.stringify(text.slice(0, 30))}`);
  }
});

Deno.test("parsePlan() takes no plan out of a megabyte of noise", () => {
  for (const piece of ["{", "[", '"', '\\"', "```\n", "{}", '{"a":[', "<think>"]) {
    assert.equal(parsePlan(fill(piece, MEGABYTE), { roster }).status, "reject", JSON.stringify(piece));
  }
  for (const piece of PIECES) {
    assert.equal(parsePlan(fill(piece), { roster }).status, "reject", JSON.stringify(piece));
  }
  for (const text of LONG) parsePlan(text, { roster });
});

Deno.test("parsePlan() rejects brackets nested deeper than any plan, and reads those that are not", () => {
  const nested = (depth: number) =>
    `{"tasks": [{"id": "t1", "worker": "search", "ask": "x", "inputs": {"a": ${"[".repeat(depth)}${
      "]".repeat(depth)
    }}}]}`;
  assert.equal(parsePlan(nested(50), { roster }).status, "ok");
  for (const depth of [70, 100_000]) {
    const outcome = parsePlan(nested(depth), { roster });
    assert.equal(outcome.status === "reject" && outcome.reason, "too_deep");
  }
});

Deno.test("parsePlan() finds the plan behind a megabyte of prose", () => {
  for (const piece of ["so it is. ", "```\n~~~\n", "\ud800", "}", "x < y "]) {
    assert.deepEqual(
      parsePlan(`${fill(piece, MEGABYTE)}\n${PLAN}`, { roster }).plan?.tasks.map(({ id }) => id),
      ["t1"],
      piece,
    );
  }
});
