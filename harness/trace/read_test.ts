import assert from "node:assert/strict";
import { cellSpec, runOne } from "../testing/cells.ts";
import { writeTrace } from "./jsonl.ts";
import { readTrace } from "./read.ts";

const { trace } = await runOne(cellSpec("broken-policy-server"));
const text = writeTrace(trace);

// score_test.ts asks the same of every scenario.
for (
  const name of ["broken-policy-server", "peers-hand-over-in-turn", "refund-over-the-limit", "error-quotes-a-password"]
) {
  Deno.test(`readTrace() gives back what writeTrace() was given, of ${name}`, async () => {
    const written = writeTrace((await runOne(cellSpec(name))).trace);
    assert.equal(writeTrace(readTrace(written)), written);
  });
}

Deno.test("writeTrace() writes one JSON text a line", () => {
  const lines = text.split("\n");
  assert.equal(lines.pop(), "");
  assert.equal(lines.length, trace.events.length + 1);
  for (const line of lines) assert.equal(typeof JSON.parse(line), "object");
});

Deno.test("readTrace() names the first line that is wrong", () => {
  const lines = text.split("\n");
  const withLine = (number: number, line: string) => lines.with(number - 1, line).join("\n");
  const header = JSON.parse(lines[0] ?? "");
  const event = JSON.parse(lines[3] ?? "");
  const deep = "[".repeat(5000) + "]".repeat(5000);
  const rows: [string, RegExp][] = [
    ["", /^line 1: is not there: the file is empty$/],
    ["\n", /^line 1: is not JSON/],
    [text.slice(0, -1), /is cut off: a trace ends with a newline$/],
    [withLine(1, "{}"), /^line 1: is no header of a trace: schema/],
    [withLine(1, JSON.stringify({ ...header, schema: 2 })), /^line 1: .*the format's version must be 1$/],
    [withLine(1, JSON.stringify({ ...header, more: 1 })), /^line 1: .*more/],
    [
      withLine(1, JSON.stringify({ ...header, crew: { ...header.crew, specialists: [7] } })),
      /^line 1: .*crew\.specialists\.0/,
    ],
    [withLine(4, "{"), /^line 4: is not JSON$/],
    [withLine(4, JSON.stringify({ ...event, side: "judge" })), /^line 4: is no event: side/],
    [withLine(4, JSON.stringify({ ...event, seq: 9 })), /^line 4: has seq 9, expected 2$/],
    [withLine(4, `{"detail":${deep}}`), /^line 4: .*nested deeper/],
    [lines.toSpliced(3, 1).join("\n"), /^line 4: has seq 3, expected 2$/],
  ];
  for (const [bad, message] of rows) assert.throws(() => readTrace(bad), { name: "TraceError", message });
});
