import assert from "node:assert/strict";
import { FAILURE_CODES, FAILURES, type Strategy } from "../core/mod.ts";
import { OUTCOME_CODES } from "./hub/mod.ts";
import { AVAILABLE } from "./supervisor/route.ts";

const README = Deno.readTextFileSync(new URL("./README.md", import.meta.url));

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "-"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** A route as the table shows it: what this supervisor passes over stands in brackets. */
const shownRoute = (route: readonly Strategy[]) =>
  route.map((one) => AVAILABLE.has(one) ? one : `(${one})`).join(" → ");

const TABLES = {
  failures: table(
    ["code", "cause", "same attempt again"],
    FAILURE_CODES.map((code) => [`\`${code}\``, FAILURES[code].cause, FAILURES[code].retryable ? "may succeed" : ""]),
  ),
  routes: table(
    ["route", "codes"],
    [...Map.groupBy(FAILURE_CODES, (code) => shownRoute(FAILURES[code].route))]
      .map(([route, codes]) => [route, codes.map((code) => `\`${code}\``).join(", ")]),
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
