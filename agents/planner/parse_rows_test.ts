import assert from "node:assert/strict";
import * as z from "zod";
import type { PlanOutcome, PlanRejection } from "./outcome.ts";
import { parsePlan } from "./parse.ts";

const FILE = "../shared/data/plans/replies_dev.jsonl";
const ROSTER = ["search", "math", "write"];

/** The rows' reasons in our words. */
const REASONS: ReadonlyMap<string, readonly PlanRejection[]> = new Map<string, readonly PlanRejection[]>([
  ["plan_ambiguous", ["rival_plans", "conflicting_field"]],
  ["plan_truncated", ["truncated"]],
  ["plan_invalid", [
    "wrong_shape",
    "duplicate_id",
    "dangling_dependency",
    "cycle",
    "conflicting_field",
    "too_many_tasks",
  ]],
  ["plan_empty", ["empty"]],
  ["plan_malformed", ["malformed_json", "too_deep"]],
  ["model_refusal_or_plan_missing", ["refusal", "no_plan"]],
  ["unknown_worker", ["unknown_specialist"]],
]);

const Row = z.strictObject({
  id: z.string(),
  text: z.string(),
  expect: z.strictObject({
    status: z.enum(["ok", "repair", "reject"]),
    plan: z.strictObject({
      tasks: z.array(z.strictObject({
        id: z.string(),
        worker: z.string(),
        ask: z.string(),
        needs: z.array(z.string()).optional(),
      })),
    }).nullable(),
    reason: z.string().nullable(),
  }),
  note: z.string(),
});

function read(): string | undefined {
  try {
    return Deno.readTextFileSync(FILE);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

Deno.test("parsePlan() gives every development reply the outcome that is expected of it", async (t) => {
  const lines = read()?.trim().split("\n");
  // deno-lint-ignore no-console -- a skipped test says so
  if (lines === undefined) return console.log(`skipped: ${FILE} is not there`);
  assert.ok(lines.length > 0);
  for (const line of lines) {
    const { id, text, expect } = Row.parse(JSON.parse(line));
    await t.step(id, () => {
      const outcome = parsePlan(text, { roster: ROSTER });
      if (expect.reason === "unknown_worker") return assertNotSilent(outcome);
      assert.equal(outcome.status, expect.status);
      assert.deepEqual(outcome.dropped, []);
      if (outcome.status === "reject") {
        const allowed = REASONS.get(expect.reason ?? "");
        assert.ok(allowed?.includes(outcome.reason), `${outcome.reason} for ${expect.reason}`);
      } else {
        const tasks = expect.plan?.tasks.map(({ id, worker, ask, needs }) => (
          { id, specialist: worker, objective: ask, inputs: {}, dependsOn: needs ?? [] }
        ));
        assert.deepEqual(outcome.plan.tasks, tasks);
      }
    });
  }
});

/** A task for somebody unknown is never run and never forgotten. */
function assertNotSilent(outcome: PlanOutcome): void {
  assert.ok(outcome.dropped.some(({ reason }) => reason === "unknown_specialist"));
  for (const { specialist } of outcome.plan?.tasks ?? []) assert.ok(ROSTER.includes(specialist));
  if (outcome.status === "reject") assert.equal(outcome.failure.code, "unknown_specialist");
}
