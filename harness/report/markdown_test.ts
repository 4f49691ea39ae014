import assert from "node:assert/strict";
import type { Check } from "../score/check.ts";
import { renderMarkdown } from "./markdown.ts";
import { makeReport } from "./report.ts";
import { brokenPolicy, sketch } from "./testing.ts";

const fail: Check = {
  id: "disclosure.answer:policy",
  outcome: "fail",
  message: "policy is not named",
  evidence: [4, 9],
};

Deno.test("renderMarkdown() shows the four outcomes, what failed, and a row a scenario", () => {
  const results = [brokenPolicy({ checks: [fail] }), sketch({ cell: { scenario: "healthy-desk" } })];
  assert.equal(
    renderMarkdown(makeReport(results)),
    `## Brownout: **fail**

| | pass | fail | error | untestable |
|---|---:|---:|---:|---:|
| cells | 1 | 1 | 0 | 0 |
| checks | 1 | 1 | 0 | 0 |

- **fail** \`disclosure.answer:policy\` in \`broken-policy-server@sim\`: \`policy is not named\` (events 4, 9)

| crew | scenario | sim | answer | sim ms | failed → stands in |
|---|---|---|---|---:|---|
| \`support\` | \`broken-policy-server\` | **fail** | degraded | 500 | \`policy tool_error → cached 2026-07\` |
| \`support\` | \`healthy-desk\` | pass | none | 500 | |

<details><summary>Faults: 1</summary>

In how many cells each struck, of those that had it.

| layer | fault | crew | call |
|---|---|---|---:|
| \`result\` | \`tool_error\` | \`support\` | 1 of 1 |

</details>
`,
  );
});

Deno.test("renderMarkdown() of a green run has no list of findings", () => {
  const text = renderMarkdown(makeReport([brokenPolicy()]));
  assert.match(text, /^## Brownout: pass\n/);
  assert.doesNotMatch(text, /^- /m);
});

Deno.test("renderMarkdown() of nothing is an error and says so", () => {
  assert.match(renderMarkdown(makeReport([])), /^## Brownout: \*\*error\*\*\n[^]*never a pass`\n$/);
});

Deno.test("renderMarkdown() lets no text leave its place", () => {
  const evil = "`x` | y \\| <img src=x onerror=1> @octocat #12 [a](http://b) **c** ``` \n# d\u202e";
  const result = brokenPolicy({
    cell: { scenario: evil },
    crew: evil,
    checks: [{ ...fail, id: evil, message: evil }],
  });
  const text = renderMarkdown(makeReport([result]));
  const outside = text.replace(/<code>[^<]*<\/code>/g, "").replace(/`[^`\n]*`/g, "");
  assert.doesNotMatch(outside, /octocat|img|http|#12|\u202e/);
  const cells = text.split("\n").filter((line) => line.startsWith("|") && line.includes("**fail**"));
  assert.deepEqual(cells.map((line) => line.split("|").length), [8]);
});

Deno.test("renderMarkdown() stays a comment: no text fills it, and no number of findings", () => {
  const checks = Array.from({ length: 400 }, (_, i) => ({ ...fail, id: `x${i}`, message: "y".repeat(1 << 16) }));
  const text = renderMarkdown(makeReport([brokenPolicy({ checks })]));
  assert.match(text, /^- … and 350 more, in the JSON report$/m);
  assert.ok(text.length < 65_536, `${text.length}`);
});
