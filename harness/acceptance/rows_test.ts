/**
 * What went wrong elsewhere, in real bug reports and in probes of other frameworks: each of these has a scenario that shows
 * it, is green, and really comes to the point. Those that need a streaming model endpoint are tested at the endpoint.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { reference } from "../../agents/mod.ts";
import { simLane } from "../lanes/sim.ts";
import { type TraceView, viewTrace } from "../score/view.ts";
import { SCENARIOS } from "../testing/all_scenarios.ts";
import { cellSpec, notGreen, runOne } from "../testing/cells.ts";
import { subject } from "../testing/subjects.ts";
import { writeTrace } from "../trace/jsonl.ts";

/** Whether a run comes to the point that a row is about. */
type Shows = (view: TraceView) => boolean;

const count = (
  { trace: { events } }: TraceView,
  type: string,
  detail: { readonly [key: string]: unknown } = {},
): number =>
  events.filter((event) =>
    event.type === type && Object.entries(detail).every(([key, value]) => event.detail[key] === value)
  ).length;

const struck = (fault: string): Shows => (view) =>
  count(view, "server.fault", { fault }) + count(view, "model.fault", { fault }) > 0;
const failed = (who: string, code: string): Shows => ({ answer }) =>
  answer?.failures.some((one) => one.specialist === who && one.code === code) ?? false;
const happened = (type: string, detail: { readonly [key: string]: unknown } = {}): Shows => (view) =>
  count(view, type, detail) > 0;
const unharmed: Shows = ({ answer }) => answer?.status === "complete" && answer.failures.length === 0;
const paid = (times: number): Shows => (view) =>
  view.calls.filter(({ tool, reply }) => tool === "refunds.issue_refund" && reply?.isError === false).length === times;

const ROWS: Readonly<Record<string, readonly [scenario: string, ...shows: Shows[]]>> = {
  all_workers_fail: [
    "every-model-answers-404",
    ({ answer }) => answer?.status === "failed" && answer.failures.length === 3,
  ],
  confident_at_limit: ["billing-never-comes-to-a-report", failed("billing", "budget_steps")],
  completed_without_text: ["billing-ends-without-a-word", failed("billing", "empty_result")],
  recovered_is_success: ["refund-lookup-flickers", struck("tool_error"), unharmed],
  approval_with_handoff: [
    "refund-and-handoff-in-one-turn",
    ({ trace: { events } }) => {
      const at = (type: string) => events.findLastIndex((event) => event.type === type);
      return at("approval") >= 0 && at("approval") < at("handoff");
    },
  ],
  approval_mixed_batch: ["approval-mixed-batch", happened("subject.resumed"), paid(1)],
  approval_drift: [
    "refund-over-the-limit/operator-saw-less",
    happened("operator.decision", { decision: "approve" }),
    happened("approval", { decision: "denied" }),
    paid(0),
  ],
  prototype_name: ["plan-for-a-constructor", failed("constructor", "unknown_specialist")],
  sibling_side_effect: ["two-servers-hang-at-once/run-is-over", (view) => count(view, "server.cancelled") === 2],
  truncated_arguments: ["refund-call-cut-off", struck("truncated_arguments"), paid(1)],
  send_then_timeout: ["refund-paid-and-receipt-lost", struck("acts_then_hangs"), paid(0)],
  progress_keeps_alive: ["policy-server-reports-progress", struck("progress"), unharmed],
  cancel_one_of_two: ["one-of-two-lookups-hangs", happened("server.cancelled"), unharmed],
  one_server_down_at_start: ["kb-server-crashes-on-start", happened("server", { state: "down" }), unharmed],
  error_with_schema: [
    "memory-error-breaks-its-schema",
    ({ answer }) => answer?.failures.some(({ detail }) => detail.includes("read-only during maintenance")) ?? false,
  ],
  same_name_two_servers: ["same-search-at-two-servers/listed-twice", struck("duplicate_tool")],
  parallel_handoff: ["triage-hands-to-two", happened("handoff", { outcome: "second" })],
  duplicate_call_ids: ["refund-twice-under-one-id", struck("duplicate_call_ids"), paid(1)],
  names_that_normalise_alike: [
    "specialists-named-alike",
    failed("Data Agent", "ambiguous"),
    failed("data_agent", "ambiguous"),
    (view) => view.requests.length === 0,
  ],
  malformed_reply_line: ["policy-reply-is-not-json", struck("bad_frame"), failed("policy", "malformed_result")],
  two_workers_one_key: ["two-writers-one-key/conflict-stands", failed("writer", "conflict")],
  ping_pong: ["peers-hand-back-and-forth", happened("handoff", { outcome: "cycle" })],
  never_json: ["planner-never-gives-json", failed("planner", "plan_malformed"), (view) => count(view, "plan") === 2],
  planted_secret: [
    "error-quotes-a-password",
    struck("planted_secret"),
    ({ trace }) => !writeTrace(trace).includes("pw-4417-kestrel"),
  ],
};

/** Rows that no scenario can express, and the test that shows each. */
const TESTED: Readonly<Record<string, readonly [file: string, name: string]>> = {
  grandchild: ["agents/hub/child_test.ts", "and its group goes with it"],
  late_tracer: ["harness/acceptance/rows_test.ts", "late_tracer: a sink that throws"],
};

await using lane = simLane();

for (const [row, [name, ...shows]] of Object.entries(ROWS)) {
  Deno.test(`${row}: ${name} shows it`, async () => {
    const scenario = SCENARIOS.find((one) => (one.variant === null ? one.name : `${one.name}/${one.variant}`) === name);
    assert.ok(scenario, `there is no scenario ${name}`);
    const result = await runOne(cellSpec(scenario), lane);
    assert.deepEqual(notGreen(result), []);
    const view = viewTrace(result.trace);
    assert.deepEqual(shows.map((show) => show(view)), shows.map(() => true));
  });
}

for (const [row, [file, name]] of Object.entries(TESTED)) {
  Deno.test(`${row}: a test of ${file} shows it`, async () => {
    const text = await Deno.readTextFile(fileURLToPath(new URL(`../../${file}`, import.meta.url)));
    assert.ok(text.split("\n").some((line) => line.includes("Deno.test(") && line.includes(name)), `no test "${name}"`);
  });
}

Deno.test("late_tracer: a sink that throws does not change a run, whenever it begins to", async () => {
  const of = SCENARIOS.filter(({ name, variant }) =>
    variant === null && ["broken-policy-server", "refund-and-message", "peers-hand-over-in-turn"].includes(name)
  );
  assert.equal(of.length, 3);
  for (const scenario of of) {
    const before = viewTrace((await runOne(cellSpec(scenario), lane)).trace);
    const total = before.trace.events.filter(({ side }) => side === "subject").length;
    for (const after of [0, 1, Math.floor(total / 2), total - 1]) {
      const told = { events: 0 };
      const throwing = subject("watched by a broken sink", (world) =>
        reference.run({
          ...world,
          emit(type, span, detail) {
            if (told.events++ >= after) throw new Error("the sink is full");
            world.emit(type, span, detail);
          },
        }));
      const { answer, calls } = viewTrace((await runOne(cellSpec(scenario, { subject: throwing }), lane)).trace);
      assert.deepEqual(answer, before.answer, `${scenario.name}, from event ${after} on`);
      assert.deepEqual(calls.map(({ tool, args }) => [tool, args]), before.calls.map(({ tool, args }) => [tool, args]));
    }
  }
});
