import assert from "node:assert/strict";
import { FAILURE_CODES, FAILURES } from "../core/mod.ts";
import { OUTCOME_CODES } from "./hub/mod.ts";
import { COUNTED, RECOVERY } from "./supervisor/route.ts";

const README = Deno.readTextFileSync(new URL("./README.md", import.meta.url));

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "-"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

const TABLES = {
  failures: table(
    ["code", "cause", "same attempt again"],
    FAILURE_CODES.map((code) => [`\`${code}\``, FAILURES[code].cause, FAILURES[code].retryable ? "may succeed" : ""]),
  ),
  routes: table(
    ["route", "codes"],
    [...Map.groupBy(FAILURE_CODES, (code) => FAILURES[code].route.join(" → "))]
      .map(([route, codes]) => [route, codes.map((code) => `\`${code}\``).join(", ")]),
  ),
  recovery: table(
    ["limit", "where a crew does not say"],
    [
      ["`maxPerPacket`", `${RECOVERY.maxPerPacket} of ${[...COUNTED].join(", ")} for one packet`],
      ["`maxPerRun`", `${RECOVERY.maxPerRun} of them in a run`],
      ["`backoffMs`", `${RECOVERY.backoffMs} ms before a packet's first retry, twice as long before each further one`],
    ],
  ),
  outcomes: table(
    ["outcome of a call", "code"],
    Object.entries(OUTCOME_CODES).map(([kind, code]) => [`\`${kind}\``, `\`${code}\``]),
  ),
};

/** The formatter pads tables; that is no difference. */
const bare = (text: string): string => text.trim().replace(/-+/g, "-").replace(/[ ]+/g, " ");

for (const [name, wanted] of Object.entries(TABLES)) {
  Deno.test(`README.md has the table of ${name} as the code has it`, () => {
    const found = README.split(`<!-- ${name} -->`)[1] ?? "";
    const advice = `agents/README.md is out of date. Put this between its two <!-- ${name} --> marks, then deno fmt:`;
    assert.equal(bare(found), bare(wanted), `${advice}\n\n${wanted}\n`);
  });
}

Deno.test("README.md has every node of the supervisor's graph in its picture", () => {
  const source = Deno.readTextFileSync(new URL("./supervisor/supervisor.ts", import.meta.url));
  const nodes = [...source.matchAll(/\.node\("(\w+)"/g)].map(([, name = ""]) => name);
  const picture = README.split("```")[1] ?? "";
  assert.ok(nodes.length > 5);
  assert.deepEqual(nodes.filter((name) => !new RegExp(`\\b${name}\\b`).test(picture)), []);
});
