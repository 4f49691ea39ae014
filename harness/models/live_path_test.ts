/** The live path as a whole: the support crew over HTTP, at the project's own endpoint, recorded there and replayed. */
import assert from "node:assert/strict";
import { simLane } from "../lanes/sim.ts";
import { wireLane } from "../lanes/wire.ts";
import { renderJson } from "../report/json.ts";
import { makeReport } from "../report/report.ts";
import type { CellResult } from "../runner/run.ts";
import type { Scenario } from "../scenario/mod.ts";
import { canonicalTrace } from "../trace/canonical.ts";
import { writeTrace } from "../trace/jsonl.ts";
import { cellSpec, checkNamed, notGreen, runOne, scenarioNamed } from "../testing/cells.ts";
import type { LaneName } from "../trace/event.ts";
import { type ModelFlags, parseModelOptions } from "./options.ts";
import { openRunModels, type RunModels } from "./run_models.ts";
import { KEY, modelFlags, type ScriptedProvider, scriptedProvider } from "./testing.ts";

/** Every agent of the crew, in both topologies, with people, secrets and servers that fail. */
const CREW = [
  "healthy-desk",
  "broken-policy-server",
  "refund-over-the-limit",
  "peers-hand-over-in-turn",
  "billing-asks-which-order",
  "summary-of-the-desk",
  "error-quotes-a-password",
  "refund-and-message",
  "model-rate-limited",
];

function models(
  scenario: Scenario,
  lane: LaneName,
  flags: ModelFlags,
  env: ScriptedProvider["env"],
): Promise<RunModels> {
  const options = parseModelOptions(flags, "/tmp");
  assert.ok(options);
  return openRunModels([cellSpec(scenario, { lane })], options, { env, patienceMs: 0 });
}

/** The one cell of a run. */
async function cellOf({ specs: [spec] }: RunModels, lane: ReturnType<typeof wireLane>): Promise<CellResult> {
  assert.ok(spec);
  return await runOne(spec, lane);
}

const NOBODY = () => undefined;

/** The whole report but for numbers of events: who of several at once is first is nobody's word on the real clock. */
function reportOf(results: readonly CellResult[]): string {
  return renderJson(makeReport(results)).replace(/"evidence": \[[^\]]*\]/g, "evidence");
}

Deno.test("the support crew on live models comes to what its script comes to; recorded, it is replayed byte by byte", async () => {
  const file = await Deno.makeTempFile({ suffix: ".jsonl" });
  await using wire = wireLane();
  await using sim = simLane();
  try {
    const recorded: CellResult[] = [];
    for (const name of CREW) {
      const scenario = scenarioNamed(name);
      await using provider = await scriptedProvider(scenario);
      const flags = { model: modelFlags(scenario, (agent) => `anthropic:${agent}`), record: file };
      using live = await models(scenario, "wire", flags, provider.env);
      const result = await cellOf(live, wire);
      assert.deepEqual(notGreen(result), [], name);
      assert.match(live.lines().join(), /^\S+: \d+ calls, \d+ tokens, at no known price$/);
      recorded.push(result);
    }
    const text = await Deno.readTextFile(file);
    assert.ok(!text.includes(KEY), "no key is stored");
    for (const name of CREW) {
      for (const secret of Object.values(scenarioNamed(name).secrets)) assert.ok(!text.includes(secret), name);
    }
    const replayed: CellResult[] = [];
    for (const [i, name] of CREW.entries()) {
      const scenario = scenarioNamed(name);
      const flags = { replay: file, model: modelFlags(scenario, (agent) => `anthropic:${agent}`) };
      using again = await models(scenario, "wire", flags, NOBODY);
      const result = await cellOf(again, wire);
      replayed.push(result);
      using virtual = await models(scenario, "sim", flags, NOBODY);
      const inSim = await cellOf(virtual, sim);
      const red = inSim.scorecard.checks.filter(({ outcome, declared }) => outcome !== "pass" && !declared);
      assert.deepEqual(red, [], `${name} in sim`);
      const once = recorded[i];
      assert.ok(once);
      // All that models, servers and subject said and did, word for word, in the order of the work.
      assert.equal(canonicalTrace(result.trace), canonicalTrace(once.trace), name);
      assert.equal(canonicalTrace(inSim.trace), canonicalTrace(once.trace), `${name} in sim`);
      using twice = await models(scenario, "sim", flags, NOBODY);
      assert.equal(writeTrace((await cellOf(twice, sim)).trace), writeTrace(inSim.trace), `${name}: in sim every byte`);
    }
    assert.equal(reportOf(replayed), reportOf(recorded));
  } finally {
    await Deno.remove(file);
  }
});

for (const [provider, forwards] of [["openai", true], ["compatible", false]] as const) {
  Deno.test(`${provider}: the crew's plan, calls and note go over the endpoint, ${forwards ? "forwarding" : "scripted"} and streamed`, async () => {
    const scenario = scenarioNamed("broken-policy-server");
    await using wire = wireLane();
    await using up = await scriptedProvider(scenario, { forwards });
    const at = provider === "openai" ? "" : `@${up.endpoint.url}/v1`;
    const flags: ModelFlags = { model: modelFlags(scenario, (agent) => `${provider}:${agent}${at}`), stream: true };
    using live = await models(scenario, "wire", flags, up.env);
    assert.deepEqual(notGreen(await cellOf(live, wire)), []);
    assert.ok(up.events.some(({ type }) => type === "model_request"));
  });
}

Deno.test("a fault of the provider's own HTTP comes to a typed failure that the answer names, and to no bench error", async () => {
  const scenario = scenarioNamed("healthy-desk");
  await using wire = wireLane();
  await using up = await scriptedProvider(scenario, { faults: [{ fault: "model_http_error", at: "agent:policy" }] });
  const flags = { model: modelFlags(scenario, (agent) => `anthropic:${agent}`) };
  using live = await models(scenario, "wire", flags, up.env);
  const { trace, scorecard } = await cellOf(live, wire);
  assert.equal(scorecard.outcome, "fail");
  const [error] = trace.events.filter(({ type }) => type === "model.error");
  assert.deepEqual([error?.detail["code"], error?.detail["status"]], ["model_error", 500]);
  const answer = JSON.stringify(trace.events.find(({ type }) => type === "run.end")?.detail["answer"]);
  assert.match(answer, /"code":"model_error"/);
});

Deno.test("a provider that refuses the key is no failure of the subject: the cell is an error that says what to do", async () => {
  const scenario = scenarioNamed("healthy-desk");
  await using wire = wireLane();
  await using up = await scriptedProvider(scenario, { faults: [{ fault: "model_unauthorized", at: "agent:policy" }] });
  const flags = { model: modelFlags(scenario, (agent) => `anthropic:${agent}`) };
  using live = await models(scenario, "wire", flags, up.env);
  const result = await cellOf(live, wire);
  assert.equal(result.scorecard.outcome, "error");
  const { outcome, message } = checkNamed(result, "run.script");
  assert.equal(outcome, "error");
  assert.match(message, /^policy: anthropic:policy refuses the key \(401: .*\); check ANTHROPIC_API_KEY$/);
  assert.equal(message, `policy: ${live.outage()}`);
});

Deno.test("what a scenario injects itself is its subject's to handle, with a live model, too", async () => {
  const scenario = scenarioNamed("healthy-desk");
  const faulty = { ...scenario, faults: [{ fault: "model_unauthorized", at: "agent:policy" }] };
  await using wire = wireLane();
  await using up = await scriptedProvider(scenario);
  const flags = { model: modelFlags(scenario, (agent) => `anthropic:${agent}`) };
  using live = await models(faulty, "wire", flags, up.env);
  const result = await cellOf(live, wire);
  assert.equal(checkNamed(result, "run.script").outcome, "pass");
  assert.match(JSON.stringify(result.trace.events.at(-1)?.detail["answer"]), /"code":"unauthorized"/);
  assert.equal(live.outage(), undefined);
});

Deno.test("a limit of the run is never passed: the call is refused, its cell is an error, and the run says so", async () => {
  const scenario = scenarioNamed("healthy-desk");
  await using wire = wireLane();
  await using up = await scriptedProvider(scenario);
  const flags = { model: modelFlags(scenario, (agent) => `anthropic:${agent}`), maxTokens: "12500" };
  using live = await models(scenario, "wire", flags, up.env);
  const result = await cellOf(live, wire);
  assert.equal(result.scorecard.outcome, "error");
  assert.match(checkNamed(result, "run.script").message, /refused: the run's limit of 12500 tokens/);
  const [line = ""] = live.lines();
  const { tokens, refused } =
    /(?<tokens>\d+) tokens, .*; (?<refused>\d+) calls? (was|were) refused/.exec(line)?.groups ?? {};
  assert.ok(Number(tokens) > 0 && Number(tokens) <= 12_500, line);
  assert.ok(Number(refused) > 0, line);
});

Deno.test("an agent without a live model plays its script beside those that have one", async () => {
  const scenario = scenarioNamed("healthy-desk");
  await using wire = wireLane();
  await using up = await scriptedProvider(scenario);
  using live = await models(scenario, "wire", { model: ["planner=anthropic:planner"] }, up.env);
  const result = await cellOf(live, wire);
  assert.deepEqual(notGreen(result), []);
  assert.equal(result.trace.cell.model, "planner=anthropic:planner+scripted");
  assert.deepEqual(up.events.flatMap((event) => event.type === "model_request" ? [event.agent] : []), ["planner"]);
});
