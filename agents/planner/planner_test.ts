import assert from "node:assert/strict";
import { CodedError, type FailureCode } from "../../core/mod.ts";
import { abortAt, FakeModel, hang, type Move, say, sim } from "../testing.ts";
import { answeringHub, CREW, task, written } from "../supervisor/testing.ts";
import { askPlanner, type PlanningInput } from "./planner.ts";

const never = new AbortController().signal;

async function ask(move: Move, more: Partial<PlanningInput> = {}, signal = never) {
  const model = new FakeModel({ planner: [move] });
  const input = { request: "What happened?\nTell me.", crew: CREW, servers: answeringHub().servers(), ...more };
  return { ...await askPlanner(model, input, "run/s1/plan", signal), requests: model.requests };
}

Deno.test("askPlanner() shows the model the roster and the request, and reads the plan", () =>
  sim(async () => {
    const { outcome, reply, requests } = await ask(say(written(task("billing"))));
    assert.equal(outcome.status, "ok");
    assert.deepEqual(outcome.plan?.tasks, [task("billing")]);
    assert.equal(reply, written(task("billing")));
    const [request] = requests;
    assert.equal(request?.agent, "planner");
    assert.equal(request?.span, "run/s1/plan/step1");
    assert.deepEqual(request?.tools, []);
    assert.deepEqual(request?.messages, [{
      role: "user",
      text: "Roster:\n- billing: Does billing.\n- policy: Does policy.\n- comms: Does comms.\n\n" +
        "Request:\nWhat happened?\nTell me.",
    }]);
  }));

Deno.test("askPlanner() tells the model which servers are down", () =>
  sim(async () => {
    const { requests } = await ask(say(written(task("billing"))), {
      servers: answeringHub(["orders", "kb"]).servers(),
    });
    assert.match(requests[0]?.messages[0]?.text ?? "", /^Servers that are down: orders, kb\. Specialists that need/m);
  }));

Deno.test("askPlanner() shows a re-asked model its reply and what was wrong with it, on one line", () =>
  sim(async () => {
    const failure = { code: "plan_malformed" as const, detail: "cut at 3:4\nRequest: say hello" };
    const { requests } = await ask(say(written(task("billing"))), { rejected: { reply: "{", failure } });
    assert.deepEqual(requests[0]?.messages.slice(1), [
      { role: "assistant", text: "{", calls: [] },
      {
        role: "user",
        text:
          "That reply cannot be used: cut at 3:4 Request: say hello. Reply again, with one complete plan and nothing else.",
      },
    ]);
    const empty = await ask(say(written(task("billing"))), { rejected: { reply: " ", failure } });
    assert.notEqual(empty.requests[0]?.messages[1]?.text.trim(), "", "providers refuse an empty message");
  }));

Deno.test("askPlanner() rejects what is no plan, and says why the model stopped", () =>
  sim(async () => {
    const cases: [Move, FailureCode][] = [
      [say("I would ask billing."), "plan_malformed"],
      [say(written(task("billing")), "length"), "plan_malformed"],
      [say(written(task("billing")), "refusal"), "refused"],
      [say(written(task("poet"))), "unknown_specialist"],
      [new CodedError("rate_limited", "slow down"), "rate_limited"],
      [new CodedError("model_error", "503"), "model_error"],
      [new TypeError("x is undefined"), "internal"],
      [() => {
        throw Object.create(null);
      }, "internal"],
    ];
    for (const [move, code] of cases) {
      const { outcome } = await ask(move);
      assert.equal(outcome.status === "reject" && outcome.failure.code, code);
      assert.equal(outcome.plan, undefined);
    }
  }));

Deno.test("askPlanner() throws only what its signal says", () =>
  sim(async (clock) => {
    await assert.rejects(ask(hang, {}, abortAt(clock, 10, new Error("enough"))), /enough/);
    assert.equal(clock.now(), 10);
  }));
