import assert from "node:assert/strict";
import { TestFolder } from "../scenario/test_folder.ts";
import { bench } from "./test_io.ts";

const GOOD = '{"tasks": [{"id": "a", "specialist": "billing", "objective": "Find order 7."}]}';
const plan = (score: string, text = GOOD, name = "seven") =>
  `name: ${name}
request: Where is order 7?
crew: support
gold:
  - { id: a, specialist: billing, objective: Find order 7., takes: 500ms }
parts: [{ part: where, tasks: [a] }]
replies:
  - { kind: good${score}, text: '${text}' }
`;
const DAG = {
  id: "tea",
  task: "Make tea",
  nodes: [{ id: 1, text: "Boil.", duration_s: 60 }, { id: 2, text: "Warm.", duration_s: 5 }],
  edges: [["START", 1], ["START", 2]],
  gold_optimal_s: 60,
};

Deno.test("plan scores the bench's own plans in 80 columns, all as expected", async () => {
  const { code, out, err } = await bench(["plan"]);
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /^crew +replies +ok +repair +reject +nodes +edges +inputs +score +×opt$/m);
  for (const crew of ["support", "review", "research", "brief"]) assert.match(out, new RegExp(`^  ${crew} `, "m"));
  assert.match(out, /^PASS {2}\d+ replies to \d+ requests: \d+ score as expected, 0 do not$/m);
  assert.match(out, /parse rate \d+ % \(\d+ ok, \d+ repaired, \d+ rejected\)/);
  assert.ok(out.split("\n").every((line) => line.length <= 80));
});

Deno.test("plan takes a crew or a request of the bench's own plans", async () => {
  const { out } = await bench(["plan", "review", "support/charged-twice"]);
  assert.match(out, /to 13 requests/);
});

Deno.test("plan says which reply does not score as expected, and why; exit 1, and red on a terminal", async () => {
  await using folder = await TestFolder.make({ "x.yaml": plan(", score: 0.5") });
  const { code, out } = await bench(["plan", "x.yaml"], { cwd: folder.path });
  assert.equal(code, 1);
  assert.match(out, /^FAIL {2}seven, good: scores 1\.000, expected 0\.500; nothing is wrong with it$/m);
  assert.match(out, /^FAIL {2}1 reply to 1 request: 0 score as expected, 1 do not$/m);
  const red = await bench(["plan", "x.yaml"], { cwd: folder.path, isTerminal: true });
  assert.ok(red.out.includes("\x1b[31mFAIL  \x1b[0m"));
  await Deno.writeTextFile(`${folder.path}/x.yaml`, plan(", score: 1", "{}"));
  const stopped = await bench(["plan", "."], { cwd: folder.path });
  assert.match(stopped.out, /scores 0\.000, expected 1\.000; gate extracted: no_plan/);
});

Deno.test("plan allows a score to be 0.005 off, and no more", async () => {
  await using folder = await TestFolder.make({ "x.yaml": plan(", score: 0.995") });
  assert.equal((await bench(["plan", "x.yaml"], { cwd: folder.path })).code, 0);
  await Deno.writeTextFile(`${folder.path}/x.yaml`, plan(", score: 0.994"));
  assert.equal((await bench(["plan", "x.yaml"], { cwd: folder.path })).code, 1);
});

Deno.test("plan scores replies of which nothing is expected, and says that it compares nothing", async () => {
  await using folder = await TestFolder.make({ "x.yaml": plan("") });
  const { code, out } = await bench(["plan", "x.yaml"], { cwd: folder.path });
  assert.equal(code, 0);
  assert.match(out.replace(/\s+/g, " "), /0 score as expected, 0 do not, 1 have no expected score/);
});

Deno.test("plan compares critical paths with published optima", async () => {
  const rows = [DAG, { ...DAG, id: "late", gold_optimal_s: 65 }].map((row) => JSON.stringify(row));
  await using folder = await TestFolder.make({ "good.jsonl": rows[0] ?? "", "all.jsonl": rows.join("\n") });
  const good = await bench(["plan", "good.jsonl"], { cwd: folder.path });
  assert.equal(good.code, 0);
  assert.match(good.out.replace(/\s+/g, " "), /the critical path equals the published optimum in 1 of 1 plan /);
  const { code, out } = await bench(["plan", "all.jsonl"], { cwd: folder.path });
  assert.equal(code, 1);
  assert.match(out, /^FAIL {2}late: the critical path is 60 s, the published optimum 65 s$/m);
  assert.match(out, /^FAIL {2}1 of 2 critical paths optimal$/m);
});

Deno.test("plan --json and -o say the same as the screen, in the same bytes each time", async () => {
  await using folder = await TestFolder.make({ "x.yaml": plan(", score: 1") });
  const { out } = await bench(["plan", "x.yaml", "--json", "-o", "out/r.json"], { cwd: folder.path });
  const report = JSON.parse(out);
  assert.deepEqual([report.version, report.total.replies, report.total.parseRate, report.total.off], [1, 1, 1, 0]);
  assert.equal(report.replies[0].gates.length, 6);
  assert.deepEqual(report.replies[0].makespan, { plan: 500, optimum: 500, stretch: 1 });
  assert.equal(await Deno.readTextFile(`${folder.path}/out/r.json`), out);
  await bench(["plan", "x.yaml", "-o", "r.md"], { cwd: folder.path });
  assert.match(await Deno.readTextFile(`${folder.path}/r.md`), /^\| support \| 1 \| 1 \| 0 \| 0 \| 1\.00 /m);
});

Deno.test("plan exits 2 on what is wrong with a file or an option, and 5 where there is nothing", async () => {
  await using folder = await TestFolder.make({
    "a.yaml": plan(""),
    "b.yaml": plan("", GOOD, "seven"),
    "bad.yaml": "name: x\nreplys: []\n",
    "x.txt": "",
  });
  const run = (...args: string[]) => bench(["plan", ...args], { cwd: folder.path });
  const twice = await run("a.yaml", "b.yaml");
  assert.equal(twice.code, 2);
  assert.match(twice.err, /b\.yaml:1:1 name "seven" is taken by .*a\.yaml; give each request its own/);
  const bad = await run("bad.yaml");
  assert.equal(bad.code, 2);
  assert.match(bad.err, /bad\.yaml:2:1 unknown key "replys" \(did you mean "replies"\?\)/);
  assert.equal((await run("x.txt")).code, 2);
  assert.equal((await run("a.yaml", "-o", "x.csv")).code, 2);
  assert.equal((await run("")).code, 2);
  // Before anything is scored: a planner that is asked may cost money.
  const unwritable = await run("a.yaml", "-o", "b.yaml/r.json");
  assert.deepEqual([unwritable.code, unwritable.out], [2, ""]);
  assert.match(
    unwritable.err,
    /r\.json cannot be written: what should be a folder on its way is a file; nothing was run/,
  );
  const nothing = await run("nowhere");
  assert.deepEqual([nothing.code, nothing.out], [5, ""]);
  assert.match(nothing.err, /no plans at "nowhere"/);
});
