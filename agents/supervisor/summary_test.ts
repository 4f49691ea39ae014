import assert from "node:assert/strict";
import { CodedError } from "../../core/mod.ts";
import { hang, say, sim } from "../testing.ts";
import { failures, plan, run, works } from "./desk_testing.ts";

Deno.test("supervise() puts a summary first, of which it keeps what the sections bear out", () =>
  sim(async (clock) => {
    const said = say("Found by billing. The moon is made of 17 cheeses. Everything found by billing.");
    const broken = new CodedError("unauthorized", "bad key");
    const planner = [plan(["billing"], ["comms"])];
    const { answer, model } = await run(clock, {
      planner,
      billing: works("billing"),
      comms: [broken],
      synthesizer: [said],
    }, {
      crew: { synthesizer: true },
    });
    assert.equal(answer.summary, "Found by billing.");
    assert.ok(answer.text.startsWith("Summary: Found by billing.\n"));
    const [asked] = model.of("synthesizer");
    assert.match(
      asked?.messages[0]?.text ?? "",
      /- billing \(a live result\): "Found by billing\."\nWhat failed:\n- comms/,
    );
    assert.doesNotMatch(asked?.messages[0]?.text ?? "", /What happened/, "it does not see the request");
  }));

Deno.test("supervise() loses nothing but the summary to a synthesizer that fails, hangs, or says nothing that stands", () =>
  sim(async (clock) => {
    for (
      const move of [new CodedError("model_error", "503"), hang, say("17 moons."), say(""), say("Found", "length")]
    ) {
      const { answer } = await run(clock, { billing: works("billing"), synthesizer: [move] }, {
        crew: { synthesizer: true, deadlineMs: 60_000 },
      });
      assert.deepEqual([answer.status, failures(answer), answer.summary], ["complete", [], undefined]);
    }
  }));
