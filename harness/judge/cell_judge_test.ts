import assert from "node:assert/strict";
import { readTape } from "../../agents/models/cassette/tape.ts";
import { TapeWriter } from "../../agents/models/cassette/record.ts";
import { parseModelOptions } from "../models/options.ts";
import { openRunModels } from "../models/run_models.ts";
import { cellSpec, runOne } from "../testing/cells.ts";
import { liveJudge, replayedJudge } from "./cell_judge.ts";
import { byNumbers, saying } from "./testing.ts";

const NAME = "openai:y";
const signal = () => new AbortController().signal;

Deno.test("a judge that is replayed says what it said, and what it lacks is told and is no answer", async () => {
  const spec = cellSpec("billing-adds-a-refund");
  const { trace } = await runOne(spec);
  let file = "";
  const writer = new TapeWriter((line) => file += line, { keys: ["sk-no-key-of-anybody"] });
  const live = liveJudge(NAME, () => ({
    next: ({ messages: [first] }) =>
      Promise.resolve({ ...byNumbers(first?.role === "user" ? first.text : ""), model: "y-2026-01-02" }),
  }), { writer, keys: [] });
  const said = await live.judge(spec, trace, signal());
  assert.deepEqual([said.models, said.labels.map(({ answer }) => answer)], [["y-2026-01-02"], [
    "unsupported",
    "supported",
  ]]);
  const again = replayedJudge(NAME, readTape(file));
  assert.deepEqual(await again.judge(spec, trace, signal()), said);
  assert.deepEqual([live.lines(), again.lines()], [[], []]);
  const leaky = liveJudge(
    NAME,
    () => ({ next: () => Promise.resolve({ ...saying("{}"), model: "my key is sk-own-1" }) }),
    {
      keys: ["sk-own-1"],
    },
  );
  assert.deepEqual((await leaky.judge(spec, trace, signal())).models, ["my key is [secret:provider-key-1]"]);

  const lines = file.trimEnd().split("\n");
  const gone = lines.map((line) => {
    const { turn: _, ...rest } = JSON.parse(line);
    return JSON.stringify(rest.type === "turn" ? { ...rest, gone: true } : rest);
  });
  const interrupted = replayedJudge(NAME, readTape(`${gone.join("\n")}\n`));
  const { labels } = await interrupted.judge(spec, trace, signal());
  assert.deepEqual(labels.map(({ answer, why }) => [answer, why]), Array(2).fill(["not_asked", "model_error"]));
  assert.match(interrupted.lines()[0] ?? "", /^judge of billing-adds-a-refund@sim: nothing of this cell is recorded$/);

  const left = replayedJudge(NAME, readTape(file));
  const { expect: _, ...unlabelled } = trace.scenario;
  await left.judge(spec, { ...trace, scenario: unlabelled }, signal());
  assert.deepEqual(left.lines(), ["judge of billing-adds-a-refund@sim: 2 of its recorded turns were never asked for"]);
});

Deno.test("a recording of a model and its judge is replayed with both, and with the model alone", async () => {
  const file = await Deno.makeTempFile({ suffix: ".jsonl" });
  try {
    const begun = ["anthropic:x", `anthropic:x+judge=${NAME}`].map((model) =>
      JSON.stringify({ type: "cell", cell: "healthy-desk", model })
    );
    await Deno.writeTextFile(file, `{"type":"cassette","version":1}\n${begun.join("\n")}\n`);
    for (const judge of [{ judge: NAME }, {}]) {
      const options = parseModelOptions({ replay: file, ...judge }, "/tmp");
      assert.ok(options);
      using models = await openRunModels([cellSpec("healthy-desk")], options, { env: () => undefined });
      assert.deepEqual(models.specs.map(({ cell }) => cell.model), ["anthropic:x"]);
      assert.equal(models.judge !== undefined, "judge" in judge);
    }
  } finally {
    await Deno.remove(file);
  }
});
