import assert from "node:assert/strict";
import { findScenarios, type Found, NothingSelected, resolveFound } from "./find.ts";
import { formatProblem } from "./problem.ts";
import { SOUND, sound, TestFolder } from "./test_folder.ts";

const named = (name: string, more = "") => sound("name: sound", `name: ${name}`) + more;
const VARIANTS = "variants: { slow: {}, late: {} }\n";

async function world(): Promise<TestFolder> {
  return await TestFolder.make({
    "scenarios/support/_world.yaml": "servers: {}\n",
    "scenarios/support/b-second.yaml": named("second"),
    "scenarios/support/a-first.yaml": named("first", VARIANTS),
    "scenarios/other/broken.yml": "name: third\ncrew: other\nwhat: 1\n",
    "scenarios/schema.json": "{}",
    "elsewhere/mine.yaml": named("mine"),
    "empty/_world.yaml": "servers: {}\n",
  });
}

function find(folder: TestFolder, ...selectors: string[]): Promise<readonly Found[]> {
  return findScenarios(`${folder.path}/scenarios`, selectors, { cwd: folder.path, base: folder.path });
}

async function names(folder: TestFolder, ...selectors: string[]): Promise<string[]> {
  return (await find(folder, ...selectors)).flatMap(({ name, variants }) =>
    variants.map((variant) => variant === null ? name : `${name}/${variant}`)
  );
}

async function nothing(folder: TestFolder, ...selectors: string[]): Promise<string> {
  let message = "";
  await assert.rejects(find(folder, ...selectors), (error) => {
    assert.ok(error instanceof NothingSelected);
    message = error.message;
    return true;
  });
  return message;
}

Deno.test("findScenarios() finds all with their variants, sorted by path, without files that start with _", async () => {
  await using folder = await world();
  const found = await find(folder);
  assert.deepEqual(found.map(({ file }) => file), [
    "scenarios/other/broken.yml",
    "scenarios/support/a-first.yaml",
    "scenarios/support/b-second.yaml",
  ]);
  assert.deepEqual(await names(folder), ["third", "first", "first/slow", "first/late", "second"]);
});

Deno.test("findScenarios() takes a crew, a name, a variant, a glob, a file and a folder", async () => {
  await using folder = await world();
  const first = ["first", "first/slow", "first/late"];
  assert.deepEqual(await names(folder, "support"), [...first, "second"]);
  assert.deepEqual(await names(folder, "other"), ["third"]);
  assert.deepEqual(await names(folder, "first"), first);
  assert.deepEqual(await names(folder, "first/late"), ["first/late"]);
  assert.deepEqual(await names(folder, "first/*"), ["first/slow", "first/late"]);
  assert.deepEqual(await names(folder, "f*"), first);
  assert.deepEqual(await names(folder, "*con?"), ["second"]);
  assert.deepEqual(await names(folder, "support/b-*"), ["second"]);
  assert.deepEqual(await names(folder, "scenarios/**/a-first.yaml"), first);
  assert.deepEqual(await names(folder, "scenarios/support/b-second.yaml"), ["second"]);
  assert.deepEqual(await names(folder, "./scenarios/support"), [...first, "second"]);
  assert.deepEqual(await names(folder, "elsewhere/"), ["mine"]);
  assert.deepEqual(await names(folder, `${folder.path}/elsewhere/mine.yaml`), ["mine"]);
});

Deno.test("findScenarios() takes one variant of a file, or a glob over them, wherever the file is", async () => {
  await using folder = await world();
  const mine = { "own/desk.yaml": named("desk", VARIANTS), "own/all.yml": named("all", "variants: all-faults\n") };
  await using outside = await TestFolder.make({ ...mine, "own/broken.yaml": named("broken", "what: 1\n") });
  const at = `${outside.path}/own`;
  assert.deepEqual(await names(folder, `${at}/desk.yaml/late`), ["desk/late"]);
  assert.deepEqual(await names(folder, `${at}/desk.yaml/*`), ["desk/slow", "desk/late"]);
  assert.deepEqual(await names(folder, `${at}/all.yml/all-faults.tool_error`), ["all/all-faults.tool_error"]);
  assert.ok((await names(folder, `${at}/all.yml/all-faults`)).length > 10);
  assert.deepEqual(await names(folder, "scenarios/support/a-first.yaml/slow", "second"), ["first/slow", "second"]);
  // What is wrong with a file is told, and not that its variants are not there.
  const result = resolveFound(await find(folder, `${at}/broken.yaml/late`));
  assert.match(result.ok ? "" : result.problems.map(formatProblem).join(), /broken\.yaml:\d+:1 unknown key "what"/);
});

Deno.test("findScenarios() says which variants a file has when it has not the one that is meant", async () => {
  await using folder = await world();
  assert.equal(
    await nothing(folder, "./scenarios/support/a-first.yaml/lat"),
    'scenarios/support/a-first.yaml has no variant "lat" (did you mean "late"?); variants: slow, late',
  );
  assert.match(await nothing(folder, "elsewhere/mine.yaml/x*"), /has no variant "x\*"; variants: none$/);
  assert.equal(await nothing(folder, "none.yaml/late"), 'no such file or folder: "none.yaml/late"');
});

Deno.test("findScenarios() joins selectors in one order, each scenario once", async () => {
  await using folder = await world();
  assert.deepEqual(await names(folder, "second", "first/late", "first/slow", "first/late"), [
    "first/slow",
    "first/late",
    "second",
  ]);
});

Deno.test("findScenarios() ignores the shared files that a shell's star hands over", async () => {
  await using folder = await world();
  const files = ["scenarios/support/_world.yaml", "scenarios/support/b-second.yaml"];
  assert.deepEqual(await names(folder, ...files), ["second"]);
});

Deno.test("findScenarios() says what there is when a selector matches nothing", async () => {
  await using folder = await world();
  assert.equal(
    await nothing(folder, "first", "secnd"),
    'no scenario matches "secnd" (did you mean "second"?); crews: other, support; scenarios: third, first, second',
  );
  assert.match(await nothing(folder, "first/lat"), /did you mean "first\/late"\?/);
  assert.match(await nothing(folder, "zz*"), /^no scenario matches "zz\*"; crews: other, support;/);
  assert.equal(await nothing(folder, "./none"), 'no such file or folder: "./none"');
});

Deno.test("findScenarios() names the five nearest where there are many", async () => {
  const names = ["refund-late", "refund-twice", "refund-lost", "refund-paid", "refund-denied", "refund-denied-late"];
  const others = Array.from({ length: 8 }, (_, i) => `kb-${i}`);
  const files = [...others, ...names].map((name) =>
    [`scenarios/${name}.yaml`, sound("name: sound", `name: ${name}`)] as const
  );
  await using folder = await TestFolder.make(Object.fromEntries(files));
  const message = await nothing(folder, "refund-denyed-x");
  const listed = /; of 14 scenarios the nearest: (.*); bench list has them all$/.exec(message)?.[1]?.split(", ") ?? [];
  assert.equal(listed.length, 5, message);
  assert.ok(listed.every((name) => names.includes(name)), message);
  assert.equal(listed[0], "refund-denied");
});

Deno.test("findScenarios() says that a directory has no scenarios", async () => {
  await using folder = await world();
  const rule = "a scenario is a .yaml file whose name does not start with _";
  assert.equal(await nothing(folder, "./empty"), `no scenario in "empty"; ${rule}`);
  assert.equal(await nothing(folder, "empty"), `no scenario in "empty"; ${rule}`);
  assert.equal(await nothing(folder, "empty/_world.yaml"), `no scenario in "empty/_world.yaml"; ${rule}`);
  await using bare = await TestFolder.make({ "scenarios/_world.yaml": "{}" });
  assert.equal(await nothing(bare), `no scenario in "scenarios"; ${rule}`);
  assert.equal(await nothing(bare, "some*"), `no scenario in "scenarios"; ${rule}`);
  await using none = await TestFolder.make({});
  assert.equal(await nothing(none), `no scenario in "scenarios"; ${rule}`);
});

Deno.test("resolveFound() reports a name that is taken, and names both files", async () => {
  await using folder = await TestFolder.make({ "scenarios/a.yaml": SOUND, "scenarios/b.yaml": `\n${SOUND}` });
  const result = resolveFound(await find(folder));
  assert.deepEqual(result.ok ? [] : result.problems.map(formatProblem), [
    'scenarios/b.yaml:2:7 name "sound" is taken by scenarios/a.yaml; give each scenario a name of its own',
  ]);
});

Deno.test("resolveFound() gives the selected variants, and minds only the selected files", async () => {
  await using folder = await world();
  const result = resolveFound(await find(folder, "first/late", "second"));
  assert.deepEqual(result.ok && result.value.map(({ name, variant }) => [name, variant]), [
    ["first", "late"],
    ["second", null],
  ]);
  assert.ok(!resolveFound(await find(folder)).ok);
});

Deno.test("findScenarios() finds by a plain word what reading every file finds, however the file is written", async () => {
  const files = {
    "quoted.yaml": named('"by-quotes"'),
    "folded.yaml": sound("name: sound", "name:\n  by-a-line-of-its-own"),
    "anchored.yaml": sound("name: sound", "name: &it by-anchor").replace("story: Nothing goes wrong.", "story: *it"),
    "braces.yaml":
      `{\nname: by-braces, crew: support, story: s, request: r, script: {}, expect: { status: failed }\n}\n`,
    "document.yaml": `--- # a name: nobody's\n${named("by-document")}`,
    "commented.yaml": sound("name: sound", "name: by-comment # name: other"),
    "merged.yaml": "<<: { name: by-merge, crew: support }\nstory: s\n",
    "block.yaml": sound("story: Nothing goes wrong.", "story: |\n  name: not-this\n  crew: nor-this"),
    "no-name.yaml": sound("name: sound\n", ""),
    "number.yaml": sound("name: sound", "name: 7"),
    "word.yaml": sound("name: sound", "name: true"),
    "twice.yaml": `${SOUND}name: again\n`,
    "torn.yaml": `${SOUND}other: "\nname: not-this"\n`,
    "crewed.yaml": sound("crew: support", "crew: review"),
    "varied.yaml": named("varied", VARIANTS),
    "marked.yaml": `\ufeff${named("by-mark")}`,
    "indented.yaml": `# all of it\n\n${named("by-indent").replace(/^(?=.)/gm, "  ")}`,
    "windows.yaml": named("by-windows").replaceAll("\n", "\r\n"),
    "old-mac.yaml": named("by-mac").replaceAll("\n", "\r"),
    "longer.yaml": sound("name: sound", "name: by-two\n  lines"),
    "spaced.yaml": sound("name: sound", "name : by-space"),
    "tagged.yaml": sound("name: sound", "name: !!str by-tag"),
    "two.yaml": `${named("by-first")}---\nname: by-second\ncrew: support\n`,
  };
  await using folder = await TestFolder.make(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`scenarios/support/${name}`, text])),
  );
  const all = await find(folder);
  const others = [
    "not-this",
    "nor-this",
    "nobody",
    "other",
    "again",
    "7",
    "true",
    "varied/late",
    "no-name/late",
    "sound",
  ];
  const words = new Set([...all.flatMap(({ name, crew, file }) => [name, crew, file]), ...others]);
  // With a wildcard among the selectors every file is read.
  const wildcard = await find(folder, "*quot*");
  const told = (found: readonly Found[]) =>
    new Map([...found, ...wildcard].map(({ path, variants }) => [path, variants.join()] as const));
  let hits = 0;
  for (const word of words) {
    const [found, expected] = await Promise.all(
      [[word], [word, "*quot*"]].map((selectors) => find(folder, ...selectors).then(told, ({ message }) => message)),
    );
    assert.deepEqual(found, expected, word);
    if (found instanceof Map) hits++;
  }
  assert.ok(all.length === Object.keys(files).length && hits > all.length, `${hits}`);
});
