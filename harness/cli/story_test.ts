import assert from "node:assert/strict";
import { support } from "../../agents/crews/support.ts";
import { resolved, SOUND } from "../scenario/test_folder.ts";
import { tell } from "./story.ts";

Deno.test("tell() says of each failure, substitute and limit what must be true", async () => {
  const [scenario] = await resolved(
    SOUND.replace(
      "{ fault: latency, at: orders.find_order, ms: 500 }",
      "{ fault: tool_error, at: policy, when: { calls: [1, 3] } }",
    )
      .replace(
        "status: complete",
        `status: degraded
  failed: { policy: tool_error }
  substituted: { policy: { by: cached, as_of: 2026-07 } }
  plan: { nodes: [a, b], edges: [[a, b]], facts: { b: { n: 1 } } }
  answer: { says: [{ from: kb.search_kb, value: 5 days }], never: [x, y] }
  makespan: 2s`,
      ),
  );
  assert.ok(scenario);
  const sections = new Map(tell(scenario, support, new Map()).map(({ heading, items }) => [heading, items]));
  assert.match(
    sections.get("What goes wrong")?.[0]?.join(" ") ?? "",
    /^tool_error at policy \(.*\), call 1 and 3 only: /,
  );
  assert.deepEqual(sections.get("What must be true")?.map(([, text]) => text), [
    "The answer is degraded.",
    "policy fails with tool_error (every observation of the worker was a failed call), and the answer says so.",
    "Nobody else fails.",
    "Something cached as of 2026-07 stands in for policy, and the answer says so.",
    "The plan is a and b, with a before b.",
    "The packet of b carries n 1.",
    'The answer states "5 days", which comes from kb.search_kb.',
    'The answer never says "x" or "y".',
    "In sim the run takes exactly 2000 ms.",
  ]);
  assert.ok(!sections.has("Variants"));
});
