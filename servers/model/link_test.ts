import { RealClock, sleep } from "../../core/mod.ts";
import { defineFault } from "../faults/fault.ts";
import type { ModelCall, ModelReply } from "../faults/model_hooks.ts";
import { MODEL_FAULTS } from "../faults/model/mod.ts";
import { sim } from "../faults/model/testing.ts";
import type { ModelEvent } from "./events.ts";
import { ModelLink } from "./link.ts";
import { z } from "zod";
import assert from "node:assert/strict";

const NEVER = new AbortController().signal;
const REPLY: ModelReply = { text: "hm.", calls: [], finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } };
const call = (agent: string): ModelCall & { span: string } => ({
  agent,
  span: "s",
  system: "",
  messages: [],
  tools: [],
});
const observer = () => {};

Deno.test("ModelLink passes what no fault strikes, as the same object, with what only the caller knows", () =>
  sim(async (clock) => {
    const asked: unknown[] = [];
    const link = new ModelLink((request: ModelCall & { span: string }) => {
      asked.push(request);
      return Promise.resolve(REPLY);
    });
    link.bind({
      faults: [{ fault: "model_hang", at: "agent:other" }, { fault: "latency", at: "orders" }],
      clock,
      seed: "1",
      observer,
    });
    const request = call("a");
    assert.equal(await link.next(request, NEVER), REPLY);
    assert.equal(asked[0], request);
  }));

Deno.test("ModelLink counts calls for each agent apart, also under agent:*", () =>
  sim(async (clock) => {
    const events: ModelEvent[] = [];
    const link = new ModelLink(() => Promise.resolve(REPLY));
    const faults = [{ fault: "model_overloaded", at: "agent:*", when: { calls: [2] } }];
    link.bind({ faults, clock, seed: "1", observer: (event) => events.push(event) });
    const ask = (agent: string) => link.next(call(agent), NEVER).then(() => "ok", ({ code }) => code);
    assert.deepEqual([await ask("a"), await ask("b"), await ask("a"), await ask("b"), await ask("a")], [
      "ok",
      "ok",
      "model_error",
      "model_error",
      "ok",
    ]);
    const seen = { type: "model_fault", fault: "model_overloaded", at: "agent:*", call: 2 };
    assert.deepEqual(events, [{ ...seen, agent: "a" }, { ...seen, agent: "b" }]);
    link.bind({ faults, clock, seed: "1", observer });
    assert.equal(await ask("a"), "ok");
  }));

Deno.test("ModelLink: a probability draws the same for the same seed, in whatever order agents call", () =>
  sim(async (clock) => {
    const draws = async (seed: string, agents: readonly string[]) => {
      const struck: string[] = [];
      const link = new ModelLink(() => Promise.resolve(REPLY));
      const faults = [{ fault: "empty_reply", at: "agent:*", when: { probability: 0.5 } }];
      link.bind({
        faults,
        clock,
        seed,
        observer: (event) => event.type === "model_fault" && struck.push(`${event.agent}${event.call}`),
      });
      for (const agent of agents) await link.next(call(agent), NEVER);
      return struck.sort();
    };
    const order = [...Array(20).fill("a"), ...Array(20).fill("b")];
    const first = await draws("1", order);
    assert.ok(first.length > 8 && first.length < 32, String(first));
    assert.deepEqual(await draws("1", order.toReversed()), first);
    assert.notDeepEqual(await draws("2", order), first);
  }));

Deno.test("ModelLink: faults act in their order, each on what the one before it made", () =>
  sim(async (clock) => {
    const link = new ModelLink(() => Promise.resolve(REPLY));
    const faults = ["first.", "second."].map((claim) => ({ fault: "unsupported_note", at: "agent:a", claim }));
    link.bind({ faults, clock, seed: "1", observer });
    assert.equal((await link.next(call("a"), NEVER)).text, "hm. first. second.");
  }));

Deno.test("ModelLink: a hang ends with the caller's signal, with its reason, and asks no model", () =>
  sim(async (clock) => {
    let asked = 0;
    const link = new ModelLink(() => Promise.resolve((asked++, REPLY)));
    link.bind({ faults: [{ fault: "model_hang", at: "agent:a" }], clock, seed: "1", observer });
    const controller = new AbortController();
    const hanging = link.next(call("a"), controller.signal);
    await sleep(clock, 1000);
    controller.abort(new Error("enough"));
    await assert.rejects(hanging, { message: "enough" });
    assert.equal(asked, 0);
  }));

Deno.test("ModelLink.close() ends calls that hang, in a fault or in the model, and refuses later ones", () =>
  sim(async (clock) => {
    const link = new ModelLink(() => new Promise<ModelReply>(() => {}));
    link.bind({ faults: [{ fault: "model_hang", at: "agent:a" }], clock, seed: "1", observer });
    const hanging = [link.next(call("a"), NEVER), link.next(call("b"), NEVER)];
    link.close();
    for (const one of hanging) await assert.rejects(one, { name: "ClosedError" });
    await assert.rejects(link.next(call("b"), NEVER), { name: "ClosedError" });
  }));

Deno.test("ModelLink: what the model throws passes as it is", () =>
  sim(async (clock) => {
    const link = new ModelLink((): Promise<ModelReply> => Promise.reject(new TypeError("no")));
    link.bind({ faults: [{ fault: "empty_reply", at: "agent:a" }], clock, seed: "1", observer });
    await assert.rejects(link.next(call("a"), NEVER), TypeError);
  }));

Deno.test("ModelLink.bind() refuses an unknown fault and wrong parameters at once", () => {
  const link = new ModelLink(() => Promise.resolve(REPLY));
  const bind = (faults: { fault: string; at: string; [key: string]: unknown }[]) =>
    link.bind({ faults, clock: new RealClock(), seed: "1", observer });
  assert.throws(() => bind([{ fault: "latency", at: "agent:a" }]), {
    name: "RangeError",
    message: /unknown fault "latency"/,
  });
  assert.throws(() => bind([{ fault: "model_http_error", at: "agent:*", status: 200 }]), { name: "ZodError" });
});

Deno.test("ModelLink: a fault whose code throws is reported, and the call goes on without it", () =>
  sim(async (clock) => {
    const broken = (id: string, turn: () => never | Promise<never>) =>
      defineFault({
        id,
        layer: "model_output",
        visibility: "implicit",
        summary: "",
        correct: "",
        outcome: "ok",
        params: z.strictObject({}),
        hooks: { turn },
      });
    const events: ModelEvent[] = [];
    const faults = [
      broken("throws", () => {
        throw new Error("oops");
      }),
      broken("rejects", () => Promise.reject(new Error("oops"))),
    ];
    const catalogue = new Map([...MODEL_FAULTS, ...faults].map((fault) => [fault.id, fault]));
    const link = new ModelLink(() => Promise.resolve(REPLY), { catalogue });
    const entries = faults.map(({ id: fault }) => ({ fault, at: "agent:a" }));
    link.bind({ faults: entries, clock, seed: "1", observer: (event) => events.push(event) });
    assert.equal(await link.next(call("a"), NEVER), REPLY);
    assert.deepEqual(events.filter(({ type }) => type === "model_fault_broke"), [
      { type: "model_fault_broke", fault: "throws", at: "agent:a", agent: "a", call: 1, message: "Error: oops" },
      { type: "model_fault_broke", fault: "rejects", at: "agent:a", agent: "a", call: 1, message: "Error: oops" },
    ]);
  }));
