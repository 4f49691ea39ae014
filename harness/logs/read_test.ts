import assert from "node:assert/strict";
import { MAX_CALLS } from "./format.ts";
import { readLog } from "./read.ts";

const ROW = { id: "a", task: "Find it", calls: [{ name: "web.search", args: {}, result: "x" }], final: "x" };
const line = (more: object = {}) => JSON.stringify({ ...ROW, ...more });

Deno.test("readLog() reads one run a line", () => {
  const { runs, problems } = readLog(`\ufeff${line()}\n\n${line({ id: undefined, final: null })}`);
  assert.deepEqual(problems, []);
  assert.deepEqual(runs.map((run) => [run.id, run.line, run.final]), [["a", 1, "x"], ["line 3", 3, null]]);
  assert.deepEqual(readLog("").runs, []);
});

/** Lines that are wrong, with what is said of them. */
const WRONG: readonly [line: string, says: RegExp][] = [
  ["{", /^line 1: is not JSON; each line holds one run$/],
  ["7", /^line 1: Invalid input: expected object/],
  [line({ task: undefined }), /^line 1: task: /],
  [line({ task: undefined }), /^line 1: task: is missing; expected string$/],
  ['{"messages": []}', /^line 1: messages: has no items; give 1 or more$/],
  ['[{"id":"a","task":"x",\n', /^line 1: the file is one JSON value over several lines, and is cut off here; /],
  ['{\n  "id": "a",\n  "task" "x"\n}', /^line 3: the file is one JSON value over several lines, and is broken here; /],
  ['{"output": []}', /^line 1: messages: has no items/],
  [line({ task: " " }), /^line 1: task: is blank$/],
  [line({ calls: undefined }), /^line 1: calls: /],
  [line({ final: undefined }), /^line 1: final: /],
  [line({ final: 7 }), /^line 1: final: /],
  [line({ calls: [{ name: "" }] }), /^line 1: calls\.0\.name: /],
  [line({ calls: [{ args: {} }] }), /^line 1: calls\.0\.name: /],
  [line({ calls: Array(MAX_CALLS + 1).fill(ROW.calls[0]) }), /^line 1: calls: .*1000/],
  [line({ results: [] }), /^line 1: results: has 0 for 1 calls/],
  [`${"[".repeat(100_000)}${"]".repeat(100_000)}`, /^line 1: is not read: /],
  [line({ id: "\u001b[31m", results: [] }).replace('"results":[]', '"task":7'), /^line 1: task: /],
];

Deno.test("readLog() reads a list of runs in one line, and a broken line among others as a line", () => {
  assert.deepEqual(readLog(`[${line()},${line({ id: "b" })}]`).runs.map(({ id }) => id), ["a", "b"]);
  const { runs, problems } = readLog(`[{"id"\n${line()}`);
  assert.deepEqual([runs.length, problems], [1, ["line 1: is not JSON; each line holds one run"]]);
});

Deno.test("readLog() says what is wrong, and in which line", () => {
  for (const [text, says] of WRONG) {
    const { runs, problems } = readLog(text);
    assert.equal(runs.length, 0, text.slice(0, 80));
    assert.match(problems.join("\n"), says);
  }
  assert.match(readLog(`${line()}\n${line()}`).problems.join(), /^line 2: id: "a" is that of line 1, too$/);
});

Deno.test("readLog() gives up after some problems", () => {
  const { problems } = readLog("x\n".repeat(1000));
  assert.deepEqual([problems.length, problems.at(-1)], [21, "after 20 problems the rest was not read"]);
});

Deno.test("readLog() tells of keys that nobody reads", () => {
  const { runs, ignored } = readLog(
    `${line({ finall: 1 })}\n${line({ id: "b", calls: [{ name: "a", is_eror: true }], finall: 2 })}`,
  );
  assert.equal(runs.length, 2);
  assert.deepEqual([...ignored], [["finall", 2], ["calls.is_eror", 1]]);
});
