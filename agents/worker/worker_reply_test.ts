import assert from "node:assert/strict";
import { say, sim, use } from "../testing.ts";
import { ended, work } from "./testing.ts";

Deno.test("runWorker() takes what is said beside a call for no report, however confident it sounds", () =>
  sim(async (clock) => {
    const sure = { ...use("s.find"), text: "All done: there are two charges." };
    const { report } = await work(clock, [sure, sure, sure, say("never asked")]);
    assert.deepEqual(ended(report), ["failed", "budget_steps", ""]);
    assert.deepEqual(report.findings, []);
  }));

Deno.test("runWorker() asks once more where its model says nothing, within its steps, and then reports empty_result", () =>
  sim(async (clock) => {
    for (const nothing of ["", "  \n ", "<think>two charges</think>", "<think>two charges"]) {
      const twice = await work(clock, [use("s.find"), say(nothing), say(nothing)]);
      assert.deepEqual(ended(twice.report), ["failed", "empty_result", ""]);
      const once = await work(clock, [use("s.find"), say(nothing), say("Two charges.")]);
      assert.deepEqual(ended(once.report), ["ok", undefined, "Two charges."]);
      assert.deepEqual(
        once.model.requests[2]?.messages.at(-1)?.text,
        "Your reply was empty. Call a tool, or reply with your report.",
      );
      const late = await work(clock, [use("s.find"), say(nothing), say("never asked")], { packet: { maxSteps: 2 } });
      assert.deepEqual([ended(late.report), late.report.usage.steps], [["failed", "empty_result", ""], 2]);
    }
    const thought = await work(clock, [use("s.find"), say("<think>hm</think> Two charges.")]);
    assert.equal(thought.report.note, "Two charges.", "reasoning is no part of a note");
  }));

Deno.test("runWorker() reports a question as one, however it is wrapped, and needs no observation for it", () =>
  sim(async (clock) => {
    const question = '{"needs_clarification": "Which of the two orders?"}';
    for (const said of [question, "```json\n" + question + "\n```", `I have to ask: ${question}`]) {
      const { report } = await work(clock, [say(said)]);
      assert.deepEqual(ended(report), ["needs_clarification", "ambiguous", ""]);
      assert.equal(report.question, "Which of the two orders?");
    }
    for (const said of ['{"needs_clarification": ""}', '{"needs_clarification": 7}', "needs_clarification: which?"]) {
      const { report } = await work(clock, [use("s.find"), say(said)]);
      assert.equal(report.status, "ok", "a note that only looks like one");
    }
  }));

const REVIEWER = { returns: "findings" as const };

Deno.test("runWorker() reads findings with their severity, each tied to what was observed", () =>
  sim(async (clock) => {
    const said = { findings: [{ claim: "SQL is built.", severity: "CRITICAL" }, { claim: " Slow. " }] };
    const { report, model } = await work(clock, [use("s.find"), say("Here:\n```\n" + JSON.stringify(said) + "\n```")], {
      specialist: REVIEWER,
    });
    const observations = [{ id: "run/s2/t1/step1/call1", tool: "s.find", args: {}, text: "two charges" }];
    assert.deepEqual(report.findings, [
      { claim: "SQL is built.", severity: "critical", observations },
      { claim: "Slow.", observations },
    ]);
    assert.equal(report.note, "SQL is built.\nSlow.");
    assert.match(
      model.requests[0]?.messages[0]?.text ?? "",
      /Reply with one JSON object and nothing else: \{"findings"/,
    );
    const none = await work(clock, [use("s.find"), say('{"findings": [], "note": "Clean."}')], {
      specialist: REVIEWER,
    });
    assert.deepEqual(ended(none.report), ["ok", undefined, "Clean."]);
  }));

Deno.test("runWorker() asks once more for findings that cannot be read, and then reports malformed_result", () =>
  sim(async (clock) => {
    const broken: [string, RegExp][] = [
      ["It looks fine.", /no complete JSON object with findings/],
      ['{"findings": [{"claim": "x"', /no complete JSON object with findings/],
      ['{"findings": {"claim": "x"}}', /findings is not a list/],
      ['{"findings": [{"severity": "low"}]}', /finding 1 has no claim/],
      ['{"findings": [{"claim": "x", "severity": "awful"}]}', /no severity that there is; there are critical, high/],
      ['{"findings": []} {"findings": []}', /more than one/],
      ['{"findings": [], "note": 3}', /note is not a text/],
      ['{"findings": ["x"]}', /finding 1 is not an object/],
    ];
    for (const [said, problem] of broken) {
      const twice = await work(clock, [use("s.find"), say(said), say(said)], { specialist: REVIEWER });
      assert.deepEqual(ended(twice.report), ["failed", "malformed_result", ""]);
      assert.match(twice.model.requests[2]?.messages.at(-1)?.text ?? "", problem);
      const fine = say('{"findings": [{"claim": "x"}]}');
      const once = await work(clock, [use("s.find"), say(said), fine], { specialist: REVIEWER });
      assert.equal(once.report.status, "ok");
    }
  }));
