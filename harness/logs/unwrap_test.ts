import assert from "node:assert/strict";
import { MAX_RESULT, unwrap } from "./unwrap.ts";

const text = (said: string) => ({ type: "text", text: said });
const PROXIED = JSON.stringify({ _meta: null, content: [text("disk full")], isError: true }, null, 2);
const python = (said: string) => `'${said.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;

const CASES: readonly [result: unknown, text: string, isError: boolean][] = [
  ["plain", "plain", false],
  ["", "", false],
  [{ content: [text("a"), text("b")] }, "a\nb", false],
  [{ content: [text("no")], isError: true }, "no", true],
  [{ content: [] }, "", false],
  [{ content: [], isError: true }, "", true],
  [[text("a")], "a", false],
  [[{ type: "image", data: "AAAA" }], "[image]", false],
  [PROXIED, "disk full", true],
  [{ content: [text(PROXIED)] }, "disk full", true],
  [
    "meta=None content=[TextContent(type='text', text='it\\'s\\nhere', annotations=None)] isError=False",
    "it's\nhere",
    false,
  ],
  [
    "meta=None content=[TextContent(type='text', text=\"no \\x41\\u00e9\", annotations=None)] isError=True",
    "no Aé",
    true,
  ],
  [
    `meta=None content=[TextContent(type='text', text=${python(PROXIED)}, annotations=None)] isError=False`,
    "disk full",
    true,
  ],
  [
    "meta=None content=[TextContent(type='text', text='a'), TextContent(type='text', text='b')] isError=False",
    "a\nb",
    false,
  ],
  ["meta=None content=[] isError=True", "", true],
  ["meta=None content=[ImageContent(type='image', data='AA')] isError=False", "[image]", false],
  // What a tool says is not the wrapping.
  ["meta=None content=[TextContent(type='text', text='x isError=True')] isError=False", "x isError=True", false],
  [{ rows: [1] }, '{"rows":[1]}', false],
  [[1, 2], "[1,2]", false],
  [7, "7", false],
];

Deno.test("unwrap() takes results out of whatever a log has wrapped them in", () => {
  for (const [result, said, isError] of CASES) {
    assert.deepEqual(unwrap(result), { text: said, isError, cut: false }, JSON.stringify(result));
  }
});

Deno.test("unwrap() reads what is there of a result that the log has cut off", () => {
  const printed = `meta=None content=[TextContent(type='text', text=${python(PROXIED.slice(0, 80))}`;
  for (const cut of [printed, printed.slice(0, -1), PROXIED.slice(0, 80)]) {
    const { text: said, cut: isCut } = unwrap(cut);
    assert.ok("disk full".startsWith(said) && said !== "", said);
    assert.ok(isCut);
  }
});

Deno.test("unwrap() bounds what it keeps, and how deep it looks", () => {
  const long = unwrap("x".repeat(MAX_RESULT + 1));
  assert.deepEqual([long.text.length, long.cut], [MAX_RESULT, true]);
  let nested: unknown = "inner";
  for (let i = 0; i < 8; i++) nested = JSON.stringify({ content: [{ type: "text", text: nested }] });
  assert.ok(unwrap(nested).text.includes("content"));
  assert.equal(unwrap(`meta=None content=[${"TextContent(text='".repeat(20_000)}`).isError, false);
});
