import assert from "node:assert/strict";
import { support } from "../../agents/crews/support.ts";
import { crewOf } from "../scenario/mod.ts";
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

Deno.test("tell() tells of people, kills, rules and all that is expected of them", async () => {
  const text = SOUND.replace(
    "status: complete",
    `status: degraded
  failed: { policy: timeout }
  substituted: { policy: { by: human } }
  recovered: { billing: retry }
  notes: { comms: unsupported }
  approvals: [{ tool: orders.find_order, decision: approved }]
  effects: [{ server: orders, kind: seen, detail: { n: 1 }, times: 2 }]
  answer: { order: [a, b] }`,
  ) + `operator:
  approvals: [{ tool: orders.find_order, decision: approve, because: fine, takes: 1s, seen: { n: 2 } }]
  takeovers: { policy: By hand., comms: null }
user: { answers: { billing: ["12345"] } }
interrupts: [{ after: report }]
crew_overrides: { budget: { steps: 4 }, approval: [{ rule: limit, tools: [orders], amount: order_id, max: 5 }] }
`;
  const [scenario] = await resolved(text);
  assert.ok(scenario);
  const sections = new Map(tell(scenario, crewOf(scenario), new Map()).map(({ heading, items }) => [heading, items]));
  assert.deepEqual(sections.get("The people"), [
    ["operator", 'approves a call of orders.find_order: "fine", after 1000 ms, having seen other arguments: {"n":2}.'],
    ["operator", 'takes over from policy: "By hand."'],
    ["operator", "does not take over from comms."],
    ["user", 'answers billing: "12345"'],
    ["kill", "The subject is killed after report, number 1, and goes on."],
  ]);
  const house = sections.get(`The crew: ${support.title}`)?.filter(([lead]) => lead === "-").map(([, said]) => said);
  assert.deepEqual(house, [
    "Up to 5, order_id of orders passes by itself.",
    "The whole run may use 4 steps.",
    "Different from the crew here: budget and approval.",
  ]);
  const truths = sections.get("What must be true")?.map(([, said]) => said).join("\n") ?? "";
  for (
    const said of [
      "A person stands in for policy, and the answer says so.",
      "billing fails first and is recovered by retry",
      "The worst claim of comms is found to be unsupported.",
      "Decided is, in this order: orders.find_order approved.",
      "this happens and nothing else: seen at orders (n 1), 2 times.",
      'The answer has, in this order: "a", "b".',
    ]
  ) assert.ok(truths.includes(said), said);
});
