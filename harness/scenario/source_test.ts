import assert from "node:assert/strict";
import { formatProblem } from "./problem.ts";
import { MAX_BYTES, parseSource, readSource } from "./source.ts";
import { TestFolder } from "./test_folder.ts";

function lines(text: string): string[] {
  const result = parseSource(text, "x.yaml");
  return result.ok ? [] : result.problems.map(formatProblem);
}

function parsed(text: string) {
  const result = parseSource(text, "x.yaml");
  if (!result.ok) assert.fail(result.problems.map(formatProblem).join("\n"));
  return result.value;
}

async function unreadable(content: string | Uint8Array): Promise<string[]> {
  await using folder = await TestFolder.make({ "x.yaml": content });
  const result = await readSource(`${folder.path}/x.yaml`, "x.yaml");
  return result.ok ? [] : result.problems.map(formatProblem);
}

Deno.test("parseSource() reads YAML 1.2: dates, months, yes and no are texts", () => {
  const { value } = parsed('a: 2026-07\nb: 2026-07-01\nc: yes\nd: "5"\ne: 5\nf: true\ng: $129.00\n12345: h\n');
  assert.deepEqual(value, {
    a: "2026-07",
    b: "2026-07-01",
    c: "yes",
    d: "5",
    e: 5,
    f: true,
    g: "$129.00",
    "12345": "h",
  });
});

Deno.test("Source.place() finds values, keys, list items and what is behind an alias", () => {
  const source = parsed("a:\n  b: [1, { c: 2 }]\nd: &x\n  e: 3\nf: *x\ng:\n");
  assert.deepEqual(source.place(["a", "b"]), { line: 2, column: 6 });
  assert.deepEqual(source.place(["a", "b"], "key"), { line: 2, column: 3 });
  assert.deepEqual(source.place(["a", "b", 1, "c"]), { line: 2, column: 15 });
  assert.deepEqual(source.place(["f", "e"]), { line: 4, column: 6 });
  assert.deepEqual(source.place(["a", "missing"]), { line: 2, column: 3 });
  assert.deepEqual(source.place(["a", "b", 7]), { line: 2, column: 6 });
  assert.deepEqual(source.place([]), { line: 1, column: 1 });
});

Deno.test("parseSource() counts lines the same with CRLF and with a byte order mark", async () => {
  assert.deepEqual(lines("a: 1\r\nb: 2\r\na: 3\r\n"), ['x.yaml:3:1 key "a" is there twice; keep one of them']);
  assert.deepEqual(await unreadable("\ufeffa: 1\na: 2\n"), ['x.yaml:2:1 key "a" is there twice; keep one of them']);
});

Deno.test("parseSource() says that a file is empty, and what belongs into it", () => {
  for (const text of ["", "\n\n", "# only a comment\n", "---\n", "null\n"]) {
    assert.match(lines(text).join("\n"), /^x\.yaml:\d:1 is empty; a file holds a map of keys$/);
  }
});

Deno.test("parseSource() refuses what is not a map", () => {
  assert.deepEqual(lines("- a\n"), ["x.yaml:1:1 a file holds a map of keys, this one holds a list"]);
  assert.deepEqual(lines("\nhello\n"), ["x.yaml:2:1 a file holds a map of keys, this one holds a single value"]);
});

Deno.test("parseSource() refuses a second document, at its place", () => {
  assert.deepEqual(lines("a: 1\n---\nb: 2\n"), [
    "x.yaml:2:1 a second document begins here; give each scenario a file of its own",
  ]);
});

Deno.test("parseSource() reports every syntax error on one line", () => {
  assert.deepEqual(lines("a:\n\tb: 1\n"), ["x.yaml:2:1 not valid YAML: Tabs are not allowed as indentation"]);
  assert.deepEqual(lines("a: 1\na: 2\nb: 1\nb: 2\n"), [
    'x.yaml:2:1 key "a" is there twice; keep one of them',
    'x.yaml:4:1 key "b" is there twice; keep one of them',
  ]);
});

Deno.test("parseSource() refuses tags, merge tricks and keys that are no texts", () => {
  assert.deepEqual(lines("a: !!binary aGk=\n"), [
    'x.yaml:1:13 a tag such as "tag:yaml.org,2002:binary" has no meaning here; take it out',
  ]);
  assert.deepEqual(lines("a: !run rm\n"), ["x.yaml:1:4 not valid YAML: Unresolved tag: !run"]);
  for (const text of ["__proto__: 1\n", "0x10: 1\n", "? [a]\n: 1\n", "~: 1\n"]) {
    assert.match(lines(text).join("\n"), /^x\.yaml:1:\d this cannot be a key; a key is a text, in quotes if need be$/);
  }
});

Deno.test("parseSource() refuses numbers that would change", () => {
  assert.match(lines("a: 12345678901234567890\n").join(), /^x\.yaml:1:4 .* put it in quotes to make it a text$/);
  assert.match(lines("a: .nan\n").join(), /^x\.yaml:1:4 NaN cannot be kept/);
});

Deno.test("parseSource() ends aliases that multiply, contain themselves, or are many", () => {
  const layers = ["a", "b", "c", "d", "e", "f", "g"];
  const bomb = layers.map((name, i) => `${name}: &${name} [${Array(10).fill(i === 0 ? "x" : `*${layers[i - 1]}`)}]`);
  assert.match(lines(bomb.join("\n")).join("\n"), /^x\.yaml:\d:\d+ more than 100000 values, aliases written out$/);
  assert.deepEqual(lines("a: &a [*a, *a]\n"), ["x.yaml:1:8 nested more than 50 levels deep, aliases written out"]);
  assert.match(lines(`a: &a x\nb: [${Array(101).fill("*a")}]\n`).join(), /more than 100 aliases/);
});

Deno.test("parseSource() survives nesting that exhausts the parser's stack", () => {
  assert.deepEqual(lines(`a: ${"[".repeat(20_000)}`), [
    "x.yaml:1:1 is nested too deeply to be read; allowed are 50 levels",
  ]);
});

Deno.test("parseSource() makes hostile text visible", () => {
  assert.deepEqual(lines('"a\\e[31m": 1\n"a\\e[31m": 2\n'), [
    'x.yaml:2:1 key ""a\\e[31m"" is there twice; keep one of them',
  ]);
  assert.ok(!lines("a: 1\n\u001b[31m: [\n").join().includes("\u001b"));
});

Deno.test("readSource() says in one line why a file cannot be read", async () => {
  await using folder = await TestFolder.make({ "sub/x.yaml": "a: 1\n" });
  const at = async (path: string) => {
    const result = await readSource(`${folder.path}/${path}`, path);
    return result.ok ? [] : result.problems.map(formatProblem);
  };
  assert.deepEqual(await at("none.yaml"), ["none.yaml:1:1 does not exist"]);
  assert.deepEqual(await at("sub"), ["sub:1:1 is not a file; a scenario is a YAML file"]);
  assert.deepEqual(await unreadable(new Uint8Array([0x61, 0xff])), [
    "x.yaml:1:1 is not UTF-8; save it in that encoding",
  ]);
  assert.deepEqual(await unreadable("#".repeat(MAX_BYTES + 1)), [
    `x.yaml:1:1 is too large: ${MAX_BYTES + 1} bytes, allowed are ${MAX_BYTES}`,
  ]);
});
