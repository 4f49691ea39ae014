import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { CALL_KEYS, ROW_KEYS } from "./format.ts";
import { RECOVERY_KINDS } from "./recovery.ts";
import { judge } from "./testing.ts";
import { TRANSCRIPT_KEYS } from "./transcript.ts";

const readme = await Deno.readTextFile(fileURLToPath(new URL("./README.md", import.meta.url)));

/** What stands in back ticks in the first column of the table with this title. */
function firstColumn(title: string): Set<string> {
  const lines = readme.split("\n");
  const head = lines.findIndex((line) => line.startsWith(`| ${title} `));
  assert.ok(head >= 0, `no table ${title}`);
  const end = lines.findIndex((line, i) => i > head && !line.startsWith("|"));
  return new Set(lines.slice(head + 2, end).flatMap((line) => (line.split("|")[1] ?? "").match(/[\w.]+/g) ?? []));
}

Deno.test("README.md has every key, check and kind of recovery, and no other", () => {
  assert.deepEqual(firstColumn("key "), new Set(ROW_KEYS));
  assert.deepEqual(firstColumn("key of a call"), new Set(CALL_KEYS));
  assert.deepEqual(firstColumn("key of a chat"), new Set(TRANSCRIPT_KEYS));
  assert.deepEqual(firstColumn("id "), new Set(judge("x", [], "x").checks.map(({ id }) => id)));
  assert.deepEqual(firstColumn("kind "), new Set(RECOVERY_KINDS));
});
