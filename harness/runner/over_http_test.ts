/** Faults of a stream's bytes, over real HTTP: what becomes of them in a scenario, and of those who do not mind them. */
import assert from "node:assert/strict";
import { type Model, type ModelTurn, reference, type Subject } from "../../agents/mod.ts";
import { simLane } from "../lanes/sim.ts";
import { wireLane } from "../lanes/wire.ts";
import { scoreLanesAgree } from "../score/lanes_agree.ts";
import { cellSpec, checkNamed, notGreen, runOne, scenariosNamed } from "../testing/cells.ts";
import { subject } from "../testing/subjects.ts";

const OVER_HTTP = await scenariosNamed(
  ...["stream-shares-one-index", "stream-split-in-characters", "stream-tells-tokens-again", "overloaded-in-the-stream"],
);

Deno.test("model_via has each fault of a stream's bytes strike over HTTP, and the reference comes to the same as in sim", async () => {
  await using wire = wireLane();
  await using sim = simLane();
  const struck = new Set<string>();
  for (const scenario of OVER_HTTP) {
    assert.equal(scenario.model_via, "http");
    const [overHttp, inProcess] = [
      await runOne(cellSpec(scenario, { lane: "wire" }), wire),
      await runOne(cellSpec(scenario), sim),
    ];
    const name = `${scenario.name}/${scenario.variant}`;
    assert.deepEqual(notGreen(overHttp), [], name);
    for (const { type, detail } of overHttp.trace.events) {
      if (type === "model.fault") struck.add(String(detail["fault"]));
    }
    assert.equal(inProcess.scorecard.outcome, "pass", name);
    assert.deepEqual(scoreLanesAgree([inProcess, overHttp]).map(({ outcome }) => outcome), ["pass"], name);
  }
  assert.deepEqual([...struck].sort(), [
    ...["double_counted_tokens", "overload_in_stream", "shared_stream_index", "split_multibyte"],
  ]);
});

Deno.test("model_via: anthropic has the same faults strike in Anthropic's stream, and the reference comes to the same", async () => {
  await using wire = wireLane();
  const struck = new Set<string>();
  for (const base of OVER_HTTP.filter(({ variant }) => variant !== "every-byte")) {
    const scenario: typeof base = { ...base, model_via: "anthropic" };
    const result = await runOne(cellSpec(scenario, { lane: "wire" }), wire);
    assert.deepEqual(notGreen(result), [], `${scenario.name}/${scenario.variant}`);
    for (const { type, detail } of result.trace.events) {
      if (type === "run.start") assert.equal(detail["model_via"], "anthropic");
      if (type === "model.fault") struck.add(String(detail["fault"]));
    }
  }
  assert.deepEqual([...struck].sort(), [
    ...["double_counted_tokens", "overload_in_stream", "shared_stream_index", "split_multibyte"],
  ]);
});

Deno.test("faults.reached says in sim that bytes of a stream cannot be struck there, and is no pass", async () => {
  const scenario = OVER_HTTP.find(({ name }) => name === "stream-shares-one-index");
  assert.ok(scenario !== undefined);
  const reached = checkNamed(await runOne(cellSpec(scenario)), "faults.reached:shared_stream_index@agent:billing");
  assert.deepEqual([reached.outcome, reached.declared], ["untestable", true]);
  assert.match(reached.message, /in sim the model is called in the same process/);
});

/** The reference on a client that makes something else of what comes. */
function careless(name: string, back: (turn: ModelTurn) => ModelTurn, lost?: () => ModelTurn): Subject {
  return subject(name, (world) => {
    const model: Model = {
      async next(request, signal) {
        try {
          return back(await world.model.next(request, signal));
        } catch (error) {
          if (lost === undefined) throw error;
          return lost();
        }
      },
    };
    return reference.run({ ...world, model });
  });
}

const written = (args: unknown): string => JSON.stringify(args);
const CARELESS: readonly (readonly [scenario: string, subject: Subject, red: string])[] = [
  [
    "stream-shares-one-index",
    careless("a joiner of calls", ({ calls: [first, ...more], ...turn }) => ({
      ...turn,
      calls: first === undefined || more.length === 0
        ? first === undefined ? [] : [first]
        : [{ ...first, args: {}, rawArguments: [first, ...more].map(({ args }) => written(args)).join("") }],
    })),
    "says:orders.refund_status:REF-2290-QD",
  ],
  [
    "stream-split-in-characters",
    careless(
      "a decoder of pieces",
      ({ text, ...turn }) => ({ ...turn, text: text.replace(/[^ -~\n]/g, "\ufffd") }),
    ),
    "says:orders.find_order:Grüße & Söhne – 東京",
  ],
  [
    "stream-tells-tokens-again",
    careless("a double counter", ({ usage: { inputTokens, cachedTokens = 0, ...usage }, ...turn }) => ({
      ...turn,
      usage: { ...usage, inputTokens: inputTokens + cachedTokens },
    })),
    "answer.status",
  ],
  [
    "overloaded-in-the-stream",
    careless("a short success", (turn) => turn, () => ({
      ...{ text: "The policy is fine.", calls: [], finish: "stop" },
      usage: { inputTokens: 0, outputTokens: 0 },
    })),
    "answer.status",
  ],
];

for (const [name, who, red] of CARELESS) {
  Deno.test(`${name} turns ${who.name} red`, async () => {
    await using wire = wireLane();
    const scenario = OVER_HTTP.find((one) => one.name === name && one.variant === null);
    assert.ok(scenario !== undefined);
    const result = await runOne(cellSpec(scenario, { lane: "wire", subject: who }), wire);
    assert.equal(checkNamed(result, red).outcome, "fail", notGreen(result).join("\n"));
  });
}
