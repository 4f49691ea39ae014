import assert from "node:assert/strict";
import { CodedError } from "../../core/mod.ts";
import { MemoryCheckpointer } from "../engine/mod.ts";
import { MemoryRunLog } from "../run_log.ts";
import { abortAt, after, hang, say, sim, use } from "../testing.ts";
import { MAX_HANDOFFS } from "./handoff.ts";
import { failures, FOUND, hand, handing, runPeers, sayingHub, sections, TOOLS } from "./testing.ts";

const found = (worker: string) => say(FOUND[worker] ?? "");
const works = (worker: string) => [use(TOOLS[worker] ?? ""), found(worker)];
const worksThen = (worker: string, ...next: Parameters<typeof handing>) => [
  use(TOOLS[worker] ?? ""),
  { ...hand(...next), text: FOUND[worker] ?? "" },
];

Deno.test("peers() lets control go from one to the next, and answers with what each has found, in that order", () =>
  sim(async (clock) => {
    const { answer, model, of } = await runPeers(clock, {
      triage: [hand("billing", "Find the charge.", { order: "1" })],
      billing: worksThen("billing", "policy"),
      policy: works("policy"),
    });
    assert.equal(answer.status, "complete");
    assert.equal(answer.text, "[billing] orders.find says x\n[policy] policy.find says x");
    assert.deepEqual(of("handoff").map(({ span, detail }) => [span, detail]), [
      ["run/s1/triage/step1/call1", {
        from: "triage",
        to: "billing",
        objective: "Find the charge.",
        outcome: "accepted",
      }],
      ["run/s2/h1/step2/call1", { from: "billing", to: "policy", objective: "Do policy.", outcome: "accepted" }],
    ]);
    assert.equal(model.of("triage").length, 1, "control does not come back");
    assert.equal(model.of("billing").length, 2);
  }));

Deno.test("peers() pass objective, inputs and findings by value, in a message and a packet, and never a transcript", () =>
  sim(async (clock) => {
    const { model, of } = await runPeers(clock, {
      triage: [hand("billing", "Find the charge.", { order: "1" })],
      billing: worksThen("billing", "policy", "State the policy.", { topic: "charges" }),
      policy: works("policy"),
    });
    assert.deepEqual(of("message").map(({ detail }) => detail), [
      {
        sender: "triage",
        receiver: "billing",
        content: "Find the charge.",
        metadata: { packetId: "h1", inputs: { order: "1" } },
      },
      {
        sender: "billing",
        receiver: "policy",
        content: "State the policy.",
        metadata: { packetId: "h2", inputs: { topic: "charges" }, found: ["orders.find says x"] },
      },
    ]);
    const second = of("packet")[1]?.detail["packet"];
    assert.partialDeepStrictEqual(second, {
      id: "h2",
      sender: "billing",
      recipient: "policy",
      inputs: { topic: "charges", "found by billing": ["orders.find says x"] },
      toolAllow: ["policy."],
      dependsOn: ["h1"],
    });
    const [first] = model.of("policy");
    assert.equal(first?.messages.length, 1, "a fresh context");
    const seen = JSON.stringify(first?.messages);
    for (const secret of ["What happened?", "Find the charge"]) assert.ok(!seen.includes(secret), secret);
    assert.deepEqual(first?.tools.map(({ name }) => name), ["policy.find", "handoff.billing", "handoff.comms"]);
    assert.deepEqual(model.of("triage")[0]?.tools.map(({ name }) => name), [
      "handoff.billing",
      "handoff.policy",
      "handoff.comms",
    ]);
  }));

Deno.test("peers() refuse a cycle, whatever the case and the spaces of the objective, and the agent must conclude", () =>
  sim(async (clock) => {
    const back = (to: string) => hand(to, "  find the CHARGE. ", { order: "1" });
    const moves = { triage: [hand("billing", "Find the charge.", { order: "1" })], billing: [back("policy")] };
    const { answer, model, of } = await runPeers(clock, {
      ...moves,
      policy: [back("billing"), use("policy.find"), found("policy")],
    });
    assert.deepEqual(of("handoff").map(({ detail }) => detail["outcome"]), ["accepted", "accepted", "cycle"]);
    assert.match(JSON.stringify(model.of("policy")[1]?.messages), /that would be a cycle; hand over to one of billing/);
    assert.deepEqual([answer.status, sections(answer)], ["complete", ["policy"]]);

    const stubborn = await runPeers(clock, { ...moves, policy: [back("billing"), back("billing"), back("billing")] });
    assert.equal(stubborn.answer.status, "failed");
    assert.deepEqual(failures(stubborn.answer), ["policy budget_steps", "billing not_started"]);
    assert.match(stubborn.answer.text, /could not hand control to billing \(cycle\)/);
  }));

Deno.test("peers() may give a specialist control again for something else", () =>
  sim(async (clock) => {
    const { answer } = await runPeers(clock, {
      triage: [hand("billing", "Find the charge.")],
      billing: [...worksThen("billing", "policy"), ...works("billing")],
      policy: [use("policy.find"), { ...hand("billing", "Find the refund."), text: "policy.find says x" }],
    });
    assert.deepEqual([answer.status, sections(answer)], ["complete", ["billing", "policy", "billing"]]);
  }));

Deno.test("peers() accept one handoff of a turn, answer every call of it, and say what was lost", () =>
  sim(async (clock) => {
    const both = use(handing("billing"), handing("policy"), handing("billing"));
    const { answer, of } = await runPeers(clock, { triage: [both], billing: works("billing") });
    assert.deepEqual(of("handoff").map(({ detail }) => detail["outcome"]), ["accepted", "second", "second"]);
    assert.equal(of("call.end").filter(({ span }) => span.startsWith("run/s1/triage/step1/")).length, 3);
    assert.deepEqual([answer.status, sections(answer)], ["degraded", ["billing"]]);
    assert.deepEqual(failures(answer), ["policy not_started"]);

    const later = await runPeers(clock, {
      triage: [use(handing("billing"), handing("policy"))],
      billing: worksThen("billing", "policy", "State it."),
      policy: works("policy"),
    });
    assert.deepEqual([later.answer.status, failures(later.answer)], ["complete", []], "it got control after all");
  }));

Deno.test("peers() make the calls of a turn before its handoff, and pass on what came of them", () =>
  sim(async (clock) => {
    const { answer, events, of } = await runPeers(clock, {
      triage: [hand("billing")],
      billing: [use(handing("comms"), "orders.find")],
      comms: works("comms"),
    });
    const order = events.filter(({ type, span }) =>
      ["call.end", "handoff"].includes(type) && span.startsWith("run/s2/h1/step1")
    ).map(({ type, span }) => `${type} ${span.at(-1)}`);
    assert.deepEqual(order, ["call.end 2", "handoff 1", "call.end 1"]);
    assert.equal(answer.text, "[billing] orders.find answered: orders.find says x\n[comms] kb.find says x");
    assert.deepEqual(answer.status, "complete");
    assert.partialDeepStrictEqual(of("message")[1]?.detail["metadata"], {
      found: ["orders.find answered: orders.find says x"],
    });
  }));

Deno.test("peers() tell the next one by its code that something was not done, and the answer says so", () =>
  sim(async (clock) => {
    const hub = sayingHub();
    const denying = {
      ...hub,
      call: (...args: Parameters<typeof hub.call>) =>
        args[0] === "orders.find"
          ? Promise.resolve({ kind: "refused" as const, text: "the operator said no", code: "denied" as const })
          : hub.call(...args),
    };
    const { answer, of } = await runPeers(clock, {
      triage: [hand("billing")],
      billing: [use("orders.find", handing("comms"))],
      comms: works("comms"),
    }, { hub: denying });
    assert.deepEqual([answer.status, failures(answer)], ["degraded", ["billing denied"]]);
    assert.partialDeepStrictEqual(of("packet")[1]?.detail["packet"], { inputs: { "not done by billing": "denied" } });
  }));

Deno.test("peers() refuse control for a name that nobody has, by the ordinary path, and name who there is", () =>
  sim(async (clock) => {
    for (const name of ["poet", "constructor", "__proto__", "triage", "billing.find", ""]) {
      const { answer, model } = await runPeers(clock, {
        triage: [hand("billing")],
        billing: [hand(name, "Write a poem."), use("orders.find"), found("billing")],
      });
      const told = model.of("billing")[1]?.messages.at(-1);
      assert.ok(told?.role === "tool" && told.isError, name);
      assert.match(told.text, /^there is no specialist ".*"; hand over to one of policy, comms, or conclude$/);
      assert.deepEqual([answer.status, sections(answer)], ["degraded", ["billing"]]);
      assert.deepEqual(failures(answer), [`${name} unknown_specialist`]);
    }
  }));

Deno.test("peers() call nothing failed if the task of an unknown name went to somebody else", () =>
  sim(async (clock) => {
    const { answer, of } = await runPeers(clock, {
      triage: [hand("poet", "Find words."), hand("comms", "Find words.")],
      comms: works("comms"),
    });
    assert.deepEqual(of("handoff").map(({ detail }) => detail["outcome"]), ["unknown", "accepted"]);
    assert.deepEqual([answer.status, failures(answer)], ["complete", []]);
  }));

Deno.test("peers() use the crew's own beginning if the first agent hands control to nobody, and say so", () =>
  sim(async (clock) => {
    const idle = { comms: works("comms") };
    const cases = [
      [[say("Let me think."), say("Hm."), say("It is all fine.")], "plan_malformed"],
      [[say("no", "refusal")], "refused"],
      [[{ ...hand("billing"), finish: "length" as const }], "model_error"],
      [[new CodedError("rate_limited", "slow down")], "rate_limited"],
      [[hand("poet"), hand("poet"), hand("poet")], "unknown_specialist"],
      [
        [hand("billing", ""), use("orders.find"), use(["handoff.billing", { objective: "x", inputs: "y" }])],
        "plan_malformed",
      ],
    ] as const;
    for (const [triage, code] of cases) {
      const { answer } = await runPeers(clock, { triage, ...idle });
      assert.deepEqual([answer.status, sections(answer)], ["degraded", ["comms"]]);
      assert.equal(failures(answer)[0], `triage ${code}`);
    }
    const { answer } = await runPeers(clock, { triage: [say("no", "refusal")] }, { crew: { fallbackPlan: [] } });
    assert.deepEqual([answer.status, failures(answer)], ["failed", ["triage refused"]]);
  }));

Deno.test("peers() let a fallback stand in for whoever fails, and say so", () =>
  sim(async (clock) => {
    const { answer, of } = await runPeers(clock, {
      triage: [hand("billing")],
      billing: worksThen("billing", "policy"),
      policy: [new CodedError("model_error", "gone")],
    });
    assert.deepEqual([answer.status, failures(answer)], ["degraded", ["policy model_error"]]);
    assert.match(answer.text, /\[policy, from a cached policy snapshot as of 2026-07\] Cached\. SNAP/);
    assert.partialDeepStrictEqual(of("route")[0]?.detail, { packetId: "h2", strategy: "fallback", attempt: 1 });
  }));

Deno.test("peers() name whoever handed on because its server was down", () =>
  sim(async (clock) => {
    const { answer } = await runPeers(clock, {
      triage: [hand("billing")],
      billing: [hand("comms")],
      comms: works("comms"),
    }, { down: ["orders"] });
    assert.deepEqual([answer.status, failures(answer)], ["degraded", ["billing server_down"]]);
  }));

Deno.test("peers() hand control over so many times and not once more", () =>
  sim(async (clock) => {
    const round = (worker: string, to: string) =>
      Array.from({ length: MAX_HANDOFFS }, (_, i) => hand(to, `Question ${i} of ${worker}.`));
    const { answer, of } = await runPeers(clock, {
      triage: [hand("billing")],
      billing: round("billing", "policy"),
      policy: [
        ...round("policy", "billing").slice(0, 2),
        hand("billing", "The last one."),
        use("policy.find"),
        found("policy"),
      ],
    });
    const outcomes = of("handoff").map(({ detail }) => detail["outcome"]);
    assert.deepEqual(outcomes, [...Array(MAX_HANDOFFS).fill("accepted"), "denied"]);
    assert.equal(of("packet").length, MAX_HANDOFFS);
    assert.deepEqual([answer.status, failures(answer)], ["degraded", ["billing not_started"]]);
  }));

Deno.test("peers() stay within the crew's budget, and say what was not done", () =>
  sim(async (clock) => {
    const { answer, of } = await runPeers(clock, {
      triage: [hand("billing")],
      billing: worksThen("billing", "policy"),
    }, { crew: { budget: { steps: 2 } } });
    assert.deepEqual([answer.status, failures(answer)], ["degraded", ["policy budget_steps"]]);
    assert.deepEqual(of("budget").map(({ detail }) => detail), [
      { packetId: "h1", resource: "steps", wanted: 3, left: 2 },
      { packetId: "h2", resource: "steps", wanted: 3, left: 0 },
    ]);
    const tokens = await runPeers(clock, {}, { crew: { budget: { tokens: 15 } } });
    assert.deepEqual(failures(tokens.answer), ["triage budget_tokens", "comms budget_tokens"]);
    assert.deepEqual(tokens.model.requests, [], "asking would have overrun it");
  }));

Deno.test("peers() answer with what there is when the run's time is up or it is called off", () =>
  sim(async (clock) => {
    const moves = {
      triage: [hand("billing")],
      billing: worksThen("billing", "comms"),
      comms: [after(clock, 500, use("kb.find")), hang],
    };
    const late = await runPeers(clock, moves, { crew: { deadlineMs: 800 } });
    assert.deepEqual([late.answer.status, sections(late.answer)], ["degraded", ["billing"]]);
    assert.deepEqual(failures(late.answer), ["comms timeout"]);
    const off = await runPeers(clock, moves, { signal: abortAt(clock, 100) });
    assert.deepEqual([off.answer.status, failures(off.answer)], ["degraded", ["comms cancelled"]]);
    const early = await runPeers(clock, { triage: [hang] }, { signal: abortAt(clock, 100) });
    assert.deepEqual([early.answer.status, failures(early.answer)], ["failed", ["triage cancelled"]]);
    assert.equal(early.of("answer").length, 1);
  }));

Deno.test("peers() go on after a kill, and ask nobody again who had finished", () =>
  sim(async (clock) => {
    const kept = { checkpointer: new MemoryCheckpointer(), log: new MemoryRunLog(), runId: "r" };
    const killed = runPeers(clock, {
      triage: [hand("billing")],
      billing: worksThen("billing", "policy"),
      policy: [after(clock, 100, use("policy.find"))],
    }, { kept: { ...kept, isResumed: false }, signal: abortAt(clock, 50) });
    await killed;
    const { answer, model } = await runPeers(clock, { policy: works("policy") }, {
      kept: { ...kept, isResumed: true },
    });
    assert.equal(answer.text, "[billing] orders.find says x\n[policy] policy.find says x");
    assert.deepEqual(model.requests.map(({ agent }) => agent), ["policy", "policy"]);
  }));
