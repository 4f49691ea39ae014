/** Live models and recordings of them behind the endpoint, for a subject that knows nothing of either. */
import assert from "node:assert/strict";
import type { ModelTurn } from "../../../agents/mod.ts";
import { wireLane } from "../../lanes/wire.ts";
import { scriptedProvider } from "../../models/testing.ts";
import type { CellResult } from "../../runner/run.ts";
import { endpoint } from "../../../servers/endpoint/mod.ts";
import { checkOf, notGreen, ONE_DESK, oneAgent, recordedTwice, runOnModels } from "./testing.ts";

const answerOf = ({ trace }: CellResult) => trace.events.find(({ type }) => type === "run.end")?.detail["answer"];
for (
  const [how, who, asks] of [
    ["by its path, with the server in the tools' names", "billing=", { model: "gpt", path: "/agents/billing" }],
    ["by its model, streamed", "billing=", { model: "billing", stream: true }],
    [
      "without a name, with the tools' names alone, in OpenAI's responses, streamed",
      "",
      { model: "gpt", prefix: false, stream: true, api: "responses" },
    ],
  ] as const
) {
  Deno.test(`a stranger that asks ${how} is recorded on a live model, and replayed offline to the same`, async () => {
    await using lane = wireLane();
    await using provider = await scriptedProvider(ONE_DESK);
    const model = [`${who}compatible:billing@${provider.endpoint.url}/v1`];
    const { recorded, askedAgain } = await recordedTwice(lane, oneAgent(asks), { scenario: ONE_DESK, model, provider });
    assert.deepEqual(notGreen(recorded), []);
    assert.match(checkOf(recorded, "run.script"), /^pass: its turns are those of .*compatible:billing/);
    assert.match(JSON.stringify(answerOf(recorded)), /ORD-7731-KX/);
    assert.equal(askedAgain, 0);
  });
}

Deno.test("where the script plays the others, a stranger that gives no name is untestable, recorded and replayed", async () => {
  await using lane = wireLane();
  await using provider = await scriptedProvider(ONE_DESK);
  const model = [`billing=compatible:billing@${provider.endpoint.url}/v1`];
  const asks = oneAgent({ model: "gpt" });
  const { recorded } = await recordedTwice(lane, asks, { scenario: ONE_DESK, model, provider });
  assert.match(
    checkOf(recorded, "run.script"),
    /^untestable: a model call for "gpt" does not say which agent it is from/,
  );
});

Deno.test("a live model that calls a tool which is not offered is no script's fault: the subject deals with it", async () => {
  await using lane = wireLane();
  const usage = { inputTokens: 1, outputTokens: 1 };
  const wrong: ModelTurn = {
    ...{ text: "", finish: "tool_calls", usage },
    calls: [{ id: "c", name: "orders--find_order", args: { order_id: "12345" } }],
  };
  const last: ModelTurn = { text: "I cannot tell.", calls: [], finish: "stop", usage };
  await using up = await endpoint({
    backend: { scripted: ({ messages }) => Promise.resolve(messages.length > 1 ? last : wrong) },
  });
  const flags = { model: [`compatible:m@${up.url}/v1`] };
  const result = await runOnModels(lane, oneAgent({ model: "gpt", only: "refund_status" }), { flags });
  assert.deepEqual(notGreen(result), [
    'fail says:orders.find_order:$129.00: the answer does not say "$129.00"',
  ]);
});
