import assert from "node:assert/strict";
import { draw } from "./layout.ts";
import { renderJson } from "./json.ts";
import { renderMarkdown } from "./markdown.ts";
import { reliabilityLines } from "./reliability_lines.ts";
import { makeReport } from "./report.ts";
import { sketch } from "./testing.ts";

const check = (outcome: "pass" | "fail") => [{ id: "x", outcome, message: "x", evidence: [] }];

/** Two scenarios with four trials each: one passes always, the other three times. */
const report = makeReport(
  ["steady", "unsteady"].flatMap((scenario) =>
    [1, 2, 3, 4].map((repeat) =>
      sketch({ cell: { scenario, repeat }, checks: check(scenario === "unsteady" && repeat === 3 ? "fail" : "pass") })
    )
  ),
);
const screen = (columns: number) =>
  reliabilityLines(report, columns).map((line) => draw(line, { columns, colour: false })).join("\n");

Deno.test("reliabilityLines() shows trials, the share that passed with its interval, pass^k and who is unsteady", () => {
  // pass^2 is the mean of 1 and C(3,2)/C(4,2) = 1/2; pass^4 of 1 and 0. 7 of 8 by Wilson: 0.529 to 0.978.
  assert.equal(
    screen(80),
    `repeats  trials  passed  95 % interval  pass^2  pass^4  pass^8
sim           4    0.88   0.53 to 0.98    0.75    0.50       -
  pass^k: k trials of a scenario, drawn from all of its own, all pass: the mean
  over scenarios of C(passed, k) / C(trials, k) (tau-bench)
  1 scenario passed and failed: unsteady`,
  );
});

Deno.test("reliabilityLines() says it in sentences where there is no room for a table", () => {
  const text = screen(40);
  assert.match(
    text,
    /^Repeats\n {2}sim: 4 trials, 0\.88 passed \(0\.53 to\n {2}0\.98\), pass\^2 0\.75, pass\^4 0\.50,\n/,
  );
  assert.ok(text.split("\n").every((line) => line.length <= 40));
});

Deno.test("a report has reliability as JSON and in Markdown where there are repeats, and only there", () => {
  const { reliability } = JSON.parse(renderJson(report));
  assert.deepEqual(reliability[0].passHatK.map(({ value }: { value: number | null }) => value), [
    0.875,
    0.75,
    0.5,
    null,
  ]);
  assert.match(renderMarkdown(report), /^\| `sim` \| 4 \| 0\.88 \| 0\.53 to 0\.98 \| 0\.75 \| 0\.50 \| - \|$/m);
  const once = makeReport([sketch()]);
  assert.equal("reliability" in once, false);
  assert.deepEqual(reliabilityLines(once, 80), []);
});
