import assert from "node:assert/strict";
import { readRows } from "./lists.ts";
import { renderMarkdown } from "./markdown.ts";
import { compareTables, readTable, type Table, type TableCell } from "./table.ts";
import { versionsIn } from "./versions.ts";

const cell = (more: Partial<TableCell> = {}): TableCell => ({
  subject: "langgraph",
  scenario: "a",
  outcome: "pass",
  findings: [],
  passed: 3,
  unseen: 0,
  scores: { honesty: 1, cost: 10 },
  text: "Fine.",
  ...more,
});
const table = (...cells: TableCell[]): Table => ({
  versions: [{ name: "ai", version: "7.0.1" }],
  subjects: ["langgraph"],
  scenarios: [{ name: "a", story: "A story." }],
  cells,
});
const failed = cell({ outcome: "fail", findings: [{ id: "says:x", outcome: "fail", message: "it does not" }] });

Deno.test("compareTables() finds what is worse, what is better, what is new and other versions", () => {
  const written = (one: Table) => readTable(JSON.stringify(one));
  assert.deepEqual(compareTables(written(table(cell())), table(cell({ text: "Other words." }))), []);
  assert.deepEqual(compareTables(written(table(cell())), table(failed)), ["langgraph: a: pass → fail says:x"]);
  assert.deepEqual(compareTables(written(table(failed)), table(cell())), ["langgraph: a: fail says:x → pass"]);
  assert.deepEqual(compareTables(written(table()), table(cell())), ["langgraph: a: is not in the table"]);
  const newer = { ...table(cell()), versions: [{ name: "ai", version: "7.0.2" }] };
  assert.deepEqual(compareTables(written(table(cell())), newer), ["versions: ai 7.0.1 → ai 7.0.2"]);
});

Deno.test("renderMarkdown() shows what went wrong, and takes nothing that a model says for markup", () => {
  const hostile = cell({
    outcome: "fail",
    text: "<img src=x>\n| [a](b)",
    findings: [{ id: "says:x", outcome: "fail", message: "no **x**" }],
  });
  const page = renderMarkdown(table(hostile));
  assert.ok(page.includes("| `a` | 1 |"), page);
  assert.ok(page.includes("\\<img src=x\\> \\| \\[a\\](b)"), page);
  assert.ok(page.includes("- `says:x`: no \\*\\*x\\*\\*"), page);
  assert.ok(renderMarkdown(table(cell({ text: null, outcome: "fail" }))).includes("no answer"));
  assert.ok(renderMarkdown(table(cell({ text: " ", outcome: "fail" }))).includes("an empty answer"));
});

Deno.test("versionsIn() takes exact versions only, one of each package", async () => {
  const text = await Deno.readTextFile(new URL("../deno.lock", import.meta.url));
  for (const { version } of versionsIn(text)) assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.throws(() => versionsIn(text.replaceAll("npm:ai@", "npm:ai@^")), /one exact version of ai/);
  assert.throws(() => versionsIn('{"specifiers": {}}'), /has none/);
});

Deno.test("readRows() has the reference in every scenario, and each framework with a file of what it gets wrong", async () => {
  const { rows, problems } = await readRows();
  assert.deepEqual(problems, []);
  const [reference, ...others] = rows;
  assert.equal(reference?.entry.name, "reference");
  const all = new Set(reference?.scenarios.map(({ name, variant }) => `${name}/${variant}`));
  for (const { entry, scenarios, expected } of others) {
    assert.ok(scenarios.length > 0, entry.name);
    assert.ok(scenarios.every(({ name, variant }) => all.has(`${name}/${variant}`)), entry.name);
    assert.equal(expected !== undefined, entry.kind === "framework", entry.name);
  }
});

Deno.test("the written table has every cell that is run now, and no other", async () => {
  const { rows } = await readRows();
  const written = readTable(await Deno.readTextFile(new URL("../../reports/frameworks.json", import.meta.url)));
  const key = (subject: string, scenario: string) => `${subject}: ${scenario}`;
  const now = rows.flatMap(({ entry, scenarios }) =>
    scenarios.map(({ name, variant }) => key(entry.name, variant === null ? name : `${name}/${variant}`))
  );
  assert.deepEqual(written.cells.map(({ subject, scenario }) => key(subject, scenario)).sort(), now.sort());
});
