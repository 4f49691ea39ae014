import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { EXIT } from "./cli/exit.ts";
import { simLane } from "./lanes/sim.ts";
import { SCENARIOS } from "./testing/all_scenarios.ts";
import { cellSpec, runOne } from "./testing/cells.ts";
import { EVENT_TYPES } from "./trace/event_types.ts";

const readme = await Deno.readTextFile(fileURLToPath(new URL("./README.md", import.meta.url)));

/** The rows of the table whose first column has this title, cells without back ticks. */
function table(title: string): string[][] {
  const lines = readme.split("\n");
  const head = lines.findIndex((line) => line.startsWith(`| ${title} `));
  assert.ok(head >= 0, `no table ${title}`);
  const end = lines.findIndex((line, i) => i > head && !line.startsWith("|"));
  return lines.slice(head + 2, end).map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim().replaceAll("`", ""))
  );
}

Deno.test("README.md has every event type, with its side and what it says", () => {
  assert.deepEqual(table("type"), [...EVENT_TYPES].map(([type, { side, says }]) => [type, side, says]));
});

Deno.test("README.md has every member of an event", async () => {
  const { trace } = await runOne(cellSpec("broken-policy-server"));
  const members = new Set(trace.events.flatMap((event) => Object.keys(event)));
  assert.deepEqual(new Set(table("member").map(([member]) => member)), members);
});

Deno.test("README.md has every check id and no other", async () => {
  const patterns = table("id").map(([id = ""]) => ({
    id,
    pattern: new RegExp(`^${id.replaceAll(".", "\\.").replace(/<[^>]*>/g, ".+")}$`),
  }));
  const used = new Set<string>();
  await using lane = simLane();
  for (const scenario of SCENARIOS) {
    for (const { id } of (await runOne(cellSpec(scenario), lane)).scorecard.checks) {
      const [found, ...more] = patterns.filter(({ pattern }) => pattern.test(id));
      assert.ok(found !== undefined && more.length === 0, id);
      used.add(found.id);
    }
  }
  assert.deepEqual(patterns.map(({ id }) => id).filter((id) => !used.has(id)), []);
});

Deno.test("README.md has every exit code", () => {
  assert.deepEqual(table("code").map(([code]) => Number(code)), Object.values(EXIT));
});

Deno.test("README.md has every folder", () => {
  const folders = [...Deno.readDirSync(fileURLToPath(new URL("./", import.meta.url)))]
    .filter(({ isDirectory }) => isDirectory).map(({ name }) => `${name}/`);
  assert.deepEqual(new Set(table("folder").map(([folder]) => folder)), new Set(folders));
});
