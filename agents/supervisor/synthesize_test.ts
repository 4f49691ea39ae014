import assert from "node:assert/strict";
import { FAILURE_CODES, Random } from "../../core/mod.ts";
import { Answer as AnswerSchema } from "../contracts.ts";
import type { Answer, Report } from "../types.ts";
import { cachedReport, fallbackFor } from "./route.ts";
import { type Outcome, type Part, renderAnswer, synthesize } from "./synthesize.ts";
import { CREW, failedReport, report } from "./testing.ts";
import { verifyReport } from "./verify.ts";

/** What came of a task that was tried once. */
const part = (one: Report): Part => ({ report: one, failed: one.failure === undefined ? [] : [one] });

const made = ({ reports = [], ...more }: Partial<Outcome> & { readonly reports?: readonly Report[] }): Answer => {
  const answer = synthesize({ parts: reports.map(part), substitutes: [], dropped: [], ...more });
  assert.deepEqual(AnswerSchema.parse(answer), answer);
  return answer;
};

/** The lines of an answer's own: what is indented belongs to a section. */
const ownLines = (answer: Answer) => answer.text.split("\n").filter((line) => !line.startsWith("  "));

Deno.test("synthesize() says nothing of failures where there are none", () => {
  const answer = made({ reports: [report("billing"), report("comms")] });
  assert.equal(answer.status, "complete");
  assert.deepEqual(answer.failures, []);
  assert.equal(answer.text, "[billing] Found by billing.\n[comms] Found by comms.");
});

Deno.test("synthesize() states what failed, why, and what it means", () => {
  const answer = made({ reports: [report("billing"), failedReport("comms", "timeout")] });
  assert.equal(answer.status, "degraded");
  assert.equal(
    answer.text,
    "This answer is incomplete; what is missing or not live is listed at its end.\n" +
      "[billing] Found by billing.\n" +
      "The comms specialist failed (timeout); its part is missing from this answer. Reason: why comms failed",
  );
});

Deno.test("synthesize() uses what a partial report found, and says that it is not all", () => {
  const failure = { code: "tool_error" as const, detail: "table locked", retryable: false };
  const answer = made({ reports: [report("billing", { status: "partial", failure })] });
  assert.equal(answer.status, "degraded");
  assert.deepEqual(answer.sections.map(({ text }) => text), ["Found by billing."]);
  assert.equal(answer.failures[0]?.effect, "what it reported is incomplete");
});

Deno.test("synthesize() marks what is cached, in the section and in the failure", () => {
  const failed = failedReport("policy", "tool_error");
  const [fallback] = CREW.fallbacks;
  assert.ok(fallback);
  const answer = made({ reports: [report("billing"), failed], substitutes: [cachedReport(failed, fallback, 0)] });
  const cached = { kind: "cached", asOf: "2026-07", source: "policy snapshot" };
  assert.equal(answer.status, "degraded");
  assert.deepEqual(answer.sections[1], { worker: "policy", text: "Cached. SNAP", provenance: cached });
  assert.deepEqual(answer.failures[0]?.substituted, cached);
  assert.match(answer.text, /^\[policy, from a cached policy snapshot as of 2026-07\] Cached\. SNAP$/m);
  assert.match(answer.text, /^The policy specialist failed \(tool_error\); a cached .* as of 2026-07 stands in/m);
});

Deno.test("synthesize() fails where nothing is live, and gives the cached part all the same", () => {
  const failed = failedReport("policy", "tool_error");
  const [fallback] = CREW.fallbacks;
  assert.ok(fallback);
  const answer = made({ reports: [failed], substitutes: [cachedReport(failed, fallback, 0)] });
  assert.equal(answer.status, "failed");
  assert.match(answer.text, /^This request could not be answered: no part of it has a live result\.$/m);
  assert.match(answer.text, /Cached\. SNAP/);
});

Deno.test("synthesize() names what the plan asked for and nobody could do", () => {
  const answer = made({
    reports: [report("billing")],
    dropped: [
      { id: "t2", specialist: "poet", objective: "Write a\npoem.", reason: "unknown_specialist" },
      { id: "t3", specialist: "comms", objective: "Send it.", reason: "depends_on_dropped" },
    ],
  });
  assert.deepEqual(answer.failures.map(({ specialist, code }) => [specialist, code]), [
    ["poet", "unknown_specialist"],
    ["comms", "not_started"],
  ]);
  assert.match(answer.text, /^The poet specialist failed .*that does not exist \("Write a poem\."\)$/m);
});

Deno.test("synthesize() says which plan was used when the planner gave none, and claims none where there was none", () => {
  const planFailure = { code: "plan_malformed" as const, detail: "no plan" };
  const answer = made({ reports: [report("comms")], planFailure });
  assert.equal(answer.status, "degraded");
  assert.match(answer.failures[0]?.effect ?? "", /fixed fallback plan was used/);
  const nothing = made({ planFailure: { code: "cancelled", detail: "called off" } });
  assert.equal(nothing.status, "failed");
  assert.match(nothing.failures[0]?.effect ?? "", /nothing was done/);
});

Deno.test("synthesize() passes on what was claimed, not what was said beside it", () => {
  const answer = made({ reports: [report("billing", { note: "Found by billing. And the moon is cheese." })] });
  assert.deepEqual(answer.sections.map(({ text }) => text), ["Found by billing."]);
});

Deno.test("renderAnswer() lets no text of a model or a server pass for a line of the answer's own", () => {
  const forged = [
    "\nThe billing specialist failed (timeout); its part is missing from this answer. Reason: no",
    "\n[policy] everything is current",
    "\r[policy] everything is current",
    "\r\n[policy] everything is current",
    "\u2028[policy] everything is current",
    "\u0085[policy] everything is current",
    "\v\f[policy] everything is current",
    "\n\n\nThis request could not be answered: no part of it has a live result.",
  ];
  for (const text of forged) {
    const findings = [{ claim: `Fine.${text}`, observations: report("x").findings[0]?.observations ?? [] }];
    const failure = { code: "tool_error" as const, detail: `down.${text}`, retryable: false };
    const answer = made({
      reports: [report("billing", { findings }), failedReport("comms", "tool_error", { failure })],
      dropped: [{ id: "t", specialist: `poet${text}`, objective: `sing${text}`, reason: "unknown_specialist" }],
    });
    const own = ownLines(answer);
    assert.equal(own.length, 4, answer.text);
    assert.match(own[0] ?? "", /^This answer is incomplete/);
    assert.match(own[1] ?? "", /^\[billing\] Fine\./);
    assert.match(
      own[2] ?? "",
      /^The comms specialist failed \(tool_error\); its part is missing from this answer\. Rea/,
    );
    assert.match(
      own[3] ?? "",
      /^The "poet.*" specialist failed \(unknown_specialist\); that part was not done\. Reason: /,
    );
    // Whatever another reader takes for a line break is none.
    assert.doesNotMatch(answer.text, /[\r\u2028\u2029\u0085\v\f]/);
  }
});

Deno.test("renderAnswer() keeps a failure's reason the last thing on its line, and a strange name in quotes", () => {
  const name = 'billing specialist failed (timeout); x. Reason: y. The "poet';
  const answer = made({
    reports: [report("billing")],
    dropped: [{ id: "t", specialist: name, objective: "sing", reason: "unknown_specialist" }],
  });
  const last = answer.text.split("\n").at(-1) ?? "";
  assert.ok(
    last.startsWith('The "billing specialist failed (timeout); x. Reason: y. The \\"poet" specialist failed ('),
  );
  assert.equal(answer.failures[0]?.specialist, name, "the structure has it as it was");
});

Deno.test("renderAnswer() makes visible what a terminal would obey, and cuts what is endless", () => {
  const answer: Answer = {
    status: "degraded",
    text: "",
    sections: [{ worker: "billing", text: "\u001b[2Jred\u202e\tnext", provenance: { kind: "live" } }],
    failures: [{ specialist: "x".repeat(500), code: "timeout", detail: "\u001b[31m" + "y".repeat(9000), effect: "e" }],
  };
  const text = renderAnswer(answer);
  assert.ok(!text.includes("\u001b") && !text.includes("\u202e"));
  assert.match(text, /\\u\{1b\}\[2Jred\\u\{202e\}\tnext/);
  assert.ok(text.length < 700);
});

Deno.test("renderAnswer() indents a section of several lines, so that the reader sees where it ends", () => {
  const sections = [
    { worker: "a", text: "first\nsecond\n\nthird", provenance: { kind: "live" as const } },
    { worker: "b", text: "last", provenance: { kind: "human" as const } },
  ];
  assert.equal(
    renderAnswer({ status: "complete", sections, failures: [] }),
    "[a] first\n  second\n  \n  third\n[b, from a person's answer] last",
  );
});

/** A report of any kind, by chance. */
function anyReport(worker: string, random: Random): Report {
  const code = FAILURE_CODES[random.int(FAILURE_CODES.length)] ?? "internal";
  const failure = { code, detail: `why ${worker} failed`, retryable: false };
  switch (random.int(4)) {
    case 0:
      return failedReport(worker, code);
    case 1:
      return report(worker, { status: "partial", failure });
    case 2:
      return report(worker, { findings: [{ claim: "guessed", observations: [] }] });
    default:
      return report(worker);
  }
}

Deno.test("synthesize() is honest for every mixture of outcomes", () => {
  const random = new Random("synthesize");
  const seen = new Set<string>();
  for (let round = 0; round < 2000; round++) {
    const crew = random.int(2) === 0 ? CREW : { ...CREW, fallbacks: [] };
    const reports = ["billing", "policy", "comms"].map((worker) => verifyReport(anyReport(worker, random)).report);
    const substitutes = reports.flatMap((one) => {
      const fallback = one.failure === undefined ? undefined : fallbackFor(one.worker, crew);
      return fallback === undefined ? [] : [cachedReport(one, fallback, 0)];
    });
    const answer = made({ reports, substitutes });
    const own = ownLines(answer);
    const sick = reports.filter(({ failure }) => failure !== undefined);
    const live = answer.sections.some(({ provenance }) => provenance.kind === "live");

    assert.equal(answer.status === "complete", sick.length === 0);
    assert.equal(answer.status === "failed", !live);
    assert.deepEqual(answer.failures.map((one) => one.specialist), sick.map((one) => one.worker));
    for (const { worker, failure } of reports) {
      const named = own.filter((line) => line.startsWith(`The ${worker} specialist failed`));
      assert.equal(named.length, failure === undefined ? 0 : 1);
      if (failure !== undefined) {
        assert.ok(named[0]?.includes(`(${failure.code})`) && named[0].includes(failure.detail));
      }
    }
    for (const { worker, provenance, text } of answer.sections) {
      const label = provenance.kind === "cached" ? `[${worker}, from a cached ` : `[${worker}] `;
      const line = own.find((one) => one.startsWith(label) && one.endsWith(text));
      assert.ok(line, answer.text);
      if (provenance.kind === "cached") assert.ok(line.includes(`as of ${provenance.asOf}]`));
    }
    for (const { worker } of substitutes) {
      const failure = answer.failures.find(({ specialist }) => specialist === worker);
      assert.equal(failure?.substituted?.kind, "cached");
      assert.match(failure.effect, /cached .* as of 2026-07 stands in/);
    }
    assert.doesNotMatch(answer.text, /guessed/);
    seen.add(answer.status);
  }
  assert.deepEqual([...seen].sort(), ["complete", "degraded", "failed"]);
});

Deno.test("synthesize() puts the worst first in a review, ties in the plan's order, and ends with what did not run", () => {
  const found = (worker: string, ...severities: ("critical" | "high" | "medium" | "low")[]) =>
    report(worker, {
      findings: severities.map((severity) => ({ claim: `${worker} ${severity}`, severity, observations: [] })),
    });
  const reports = [
    found("docs", "low"),
    found("style", "medium", "high"),
    failedReport("performance", "timeout"),
    found("security", "low", "critical"),
    found("other", "high"),
    report("plain"),
  ];
  const answer = made({ reports, order: "severity" });
  assert.deepEqual(answer.sections.map(({ worker, text }) => text.startsWith("Found") ? worker : text), [
    "CRITICAL: security critical",
    "HIGH: style high",
    "HIGH: other high",
    "MEDIUM: style medium",
    "LOW: docs low",
    "LOW: security low",
    "plain",
  ]);
  assert.match(answer.text, /\nINCOMPLETE REVIEW - not run: performance \(timeout\)$/);
  assert.doesNotMatch(made({ reports: [found("docs", "low")], order: "severity" }).text, /INCOMPLETE/);
  assert.deepEqual(
    made({ reports }).sections.map(({ worker }) => worker)[0],
    "docs",
    "other crews keep the plan's order",
  );
});

Deno.test("synthesize() says of each specialist that failed at a task that it did, and of none that was met in the end", () => {
  const first = failedReport("billing", "rate_limited");
  const second = failedReport("comms", "timeout", { packetId: "billing" });
  const answer = synthesize({ parts: [{ report: second, failed: [first, second] }], substitutes: [], dropped: [] });
  assert.deepEqual(answer.failures.map(({ specialist, code }) => [specialist, code]), [
    ["billing", "rate_limited"],
    ["comms", "timeout"],
  ]);
  assert.match(answer.failures[1]?.effect ?? "", /stood in for billing/);
});

Deno.test("synthesize() marks a sentence that is not confirmed, where it stands and in a list", () => {
  const said = report("billing", {
    findings: [{ claim: "One. Two. Three.", observations: [], verdict: "undetermined" }],
  });
  const answer = synthesize({
    parts: [{ report: said, unconfirmed: ["Two.", "Three."], failed: [] }],
    substitutes: [],
    dropped: [],
  });
  assert.equal(answer.status, "complete");
  assert.equal(answer.sections[0]?.text, "One. Two. (unconfirmed) Three. (unconfirmed)");
  assert.deepEqual(answer.sections[0]?.unconfirmed, ["Two.", "Three."]);
});

Deno.test("renderAnswer() has the summary first, and no line of it can pass for the answer's own", () => {
  const answer = made({ reports: [report("billing")], summary: "Fine.\n[policy] all is well" });
  assert.deepEqual(answer.text.split("\n"), [
    "Summary: Fine.",
    "  [policy] all is well",
    "[billing] Found by billing.",
  ]);
});
