import assert from "node:assert/strict";
import { CodedError, sleep } from "../../core/mod.ts";
import { type Checkpoint, type FinishedTask, MemoryCheckpointer } from "../engine/mod.ts";
import type { ToolHub } from "../hub/mod.ts";
import { failed } from "../hub/outcome.ts";
import { MemoryRunLog } from "../run_log.ts";
import { abortAt, hang, say, sim, use } from "../testing.ts";
import { answeringHub } from "./testing.ts";
import { asks, failures, limited, plan, run, sections, user, works } from "./desk_testing.ts";

Deno.test("supervise() starts no packet for which the run has no step left, and lists it", () =>
  sim(async (clock) => {
    const planner = [plan(["billing"], ["policy"], ["comms"])];
    const { answer, events, model } = await run(clock, {
      planner,
      billing: works("billing"),
      policy: works("policy"),
    }, { crew: { budget: { steps: 5 }, fallbacks: [] } });
    assert.deepEqual(sections(answer), ["billing: Found by billing.", "policy: Found by policy."]);
    assert.deepEqual(failures(answer), ["comms budget_steps"]);
    assert.equal(model.of("comms").length, 0);
    assert.deepEqual(events.filter(({ type }) => type === "budget").map(({ detail }) => detail), [
      { packetId: "comms", resource: "steps", wanted: 3, left: 0 },
      { packetId: "policy", resource: "steps", wanted: 3, left: 2 },
    ]);
  }));

Deno.test("supervise() gives back what a packet did not use, for those after it", () =>
  sim(async (clock) => {
    const planner = [plan(["billing"], ["policy", "policy", { dependsOn: ["billing"] }])];
    const { answer, packets } = await run(clock, { planner, billing: works("billing"), policy: works("policy") }, {
      crew: { budget: { steps: 4 } },
    });
    assert.equal(answer.status, "complete");
    assert.deepEqual(packets.map(({ maxSteps }) => maxSteps), [3, 2]);
  }));

Deno.test("supervise() plans nothing that it cannot pay for", () =>
  sim(async (clock) => {
    const { answer, model } = await run(clock, {}, { crew: { budget: { tokens: 10 } } });
    assert.equal(model.requests.length, 0);
    assert.deepEqual(failures(answer), ["planner budget_tokens", "comms budget_tokens"]);
  }));

Deno.test("supervise() sums its usage over all turns of all agents, and no worker's tokens overrun the run's", () =>
  sim(async (clock) => {
    const planner = [plan(["billing"], ["policy"])];
    const moves = { planner, billing: [limited, ...works("billing")], policy: works("policy") };
    const { events } = await run(clock, moves);
    const usage = events.find(({ type }) => type === "usage")?.detail;
    // The planner's one call and the workers' five, of which one came to nothing.
    assert.deepEqual(usage, { steps: 6, inputTokens: 50, outputTokens: 25, costUsd: null });
  }));

Deno.test("supervise() ends all workers of a superstep at its limit, and waits until their calls have ended", () =>
  sim(async (clock) => {
    const ends: string[] = [];
    const hub: ToolHub = {
      ...answeringHub(),
      call: async (name, _args, { signal }) => {
        if (name !== "orders.find") return { kind: "answered", text: "Found by comms." };
        await sleep(clock, 5000, signal).catch(() => {});
        ends.push(`${name} ${clock.now()}`);
        return failed("timeout", "no answer");
      },
    };
    const planner = [plan(["billing"], ["comms"])];
    const { answer, events } = await run(clock, { planner, billing: [use("orders.find")], comms: works("comms") }, {
      hub,
      crew: { superstepMs: 400 },
    });
    assert.equal(clock.now(), 400);
    assert.deepEqual(ends, ["orders.find 400"]);
    assert.deepEqual([sections(answer), failures(answer)], [["comms: Found by comms."], ["billing timeout"]]);
    assert.ok(events.findIndex(({ type, span }) => type === "call.end" && span.includes("/billing/")) > 0);
  }));

Deno.test("supervise() calls off what still runs at its end before it answers, and hears nothing of it after", () =>
  sim(async (clock) => {
    let open = 0;
    const hub: ToolHub = {
      ...answeringHub(),
      call: async (_name, _args, { signal }) => {
        open++;
        await sleep(clock, 5000, signal).catch(() => {});
        open--;
        return failed("aborted", "called off");
      },
    };
    for (const setup of [() => ({ crew: { deadlineMs: 300 } }), () => ({ signal: abortAt(clock, 300) })]) {
      const { events } = await run(clock, { billing: [use("orders.find")] }, { hub, ...setup() });
      assert.equal(open, 0);
      const usage = events.find(({ type }) => type === "usage")?.detail;
      assert.equal(usage?.["steps"], 2, "what was cut off has been used all the same");
    }
  }));

Deno.test("supervise() says that a call may have acted, even where its own end has cut it off", () =>
  sim(async (clock) => {
    const hub: ToolHub = {
      ...answeringHub(),
      call: async (_name, _args, { signal }) => {
        await sleep(clock, 5000, signal).catch(() => {});
        return failed("aborted", "called off", { code: "outcome_unknown" });
      },
    };
    const { answer } = await run(clock, { billing: [use("orders.find")] }, { hub, crew: { deadlineMs: 300 } });
    assert.deepEqual(failures(answer), ["billing outcome_unknown"]);
  }));

Deno.test("supervise() does the same whatever its watcher throws", () =>
  sim(async (clock) => {
    const moves = { billing: [limited, ...works("billing")] };
    const quiet = await run(clock, moves);
    const loud = await run(clock, moves, {
      emit: () => {
        throw new Error("the sink is broken");
      },
    });
    assert.deepEqual(loud.answer, quiet.answer);
  }));

Deno.test("supervise() goes on with a run that was kept, and runs no finished worker again", () =>
  sim(async (clock) => {
    const checkpointer = new MemoryCheckpointer();
    const kept = { checkpointer, log: new MemoryRunLog(), runId: "r1" };
    const planner = [plan(["billing"], ["comms", "comms", { dependsOn: ["billing"] }])];
    const cut = await run(clock, { planner, billing: works("billing"), comms: [hang] }, {
      kept: { ...kept, isResumed: false },
      signal: abortAt(clock, 100),
    });
    assert.deepEqual(failures(cut.answer), ["comms cancelled"]);
    const resumed = await run(clock, { planner: [], comms: works("comms") }, { kept: { ...kept, isResumed: true } });
    assert.equal(resumed.answer.status, "complete");
    assert.deepEqual(resumed.model.requests.map(({ agent }) => agent), ["comms", "comms"]);
    const unknown = await run(clock, { billing: works("billing") }, {
      kept: { ...kept, runId: "never begun", isResumed: true },
    });
    assert.equal(unknown.answer.status, "complete", "killed before anything was kept");
  }));

/** Keeps a run in memory, and only what JSON keeps as it is. */
class StrictCheckpointer extends MemoryCheckpointer {
  override save(runId: string, checkpoint: Checkpoint): void {
    assert.deepEqual(JSON.parse(JSON.stringify(checkpoint.state)), checkpoint.state);
    super.save(runId, checkpoint);
  }

  override record(runId: string, finished: FinishedTask): void {
    assert.deepEqual(JSON.parse(JSON.stringify(finished)), finished);
    super.record(runId, finished);
  }
}

Deno.test("supervise() keeps nothing that JSON would change, whatever it does about failures", () =>
  sim(async (clock) => {
    const checkpointer = new StrictCheckpointer();
    const planner = [
      say("no plan"),
      plan(["billing"], ["policy"], ["comms", "comms", { dependsOn: ["billing"] }], ["poem", "poet"]),
    ];
    const { answer, routes } = await run(clock, {
      planner,
      billing: [limited, asks, ...works("billing")],
      policy: [new CodedError("timeout", "late"), ...works("policy")],
      comms: [new CodedError("unauthorized", "bad key")],
      synthesizer: [say("Found by billing.")],
    }, {
      kept: { checkpointer, log: new MemoryRunLog(), runId: "r1", isResumed: false },
      user: user("It is 777."),
      operator: {
        approve: () => Promise.reject(new Error("not asked")),
        takeOver: () => Promise.resolve("Done by hand."),
      },
      crew: {
        synthesizer: true,
        budget: { steps: 12, tokens: 100_000, costUsd: 5 },
        routes: { unauthorized: ["escalate", "disclose"], timeout: ["extend", "fallback", "disclose"] },
      },
    });
    assert.deepEqual(routes, ["billing retry", "policy extend", "billing clarify", "comms escalate"]);
    assert.deepEqual(failures(answer), ["comms unauthorized", "poet unknown_specialist"]);
  }));
