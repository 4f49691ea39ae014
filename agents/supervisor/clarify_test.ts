import assert from "node:assert/strict";
import { clarified, factFor, resolvedFacts } from "./clarify.ts";
import { packetFor } from "./packets.ts";
import { CREW, task } from "./testing.ts";

Deno.test("resolvedFacts() has the plan's facts, and of its tasks' inputs what they agree on", () => {
  const tasks = [
    task("billing", "billing", { inputs: { order_id: "1", topic: "refund", issue: "own" } }),
    task("comms", "comms", { inputs: { order_id: "1", topic: "delay" } }),
  ];
  const facts = resolvedFacts({ tasks, facts: JSON.parse('{"issue": "charge", "__proto__": 7}') });
  assert.deepEqual([...facts], [["issue", "charge"], ["__proto__", 7], ["order_id", "1"]]);
  assert.deepEqual([...resolvedFacts(null)], []);
});

Deno.test("factFor() answers only what names one fact, in all its words, that the worker does not have", () => {
  const facts = new Map([["order_id", "1"], ["orderDate", "2026-01-01"], ["id", "x"]]);
  const answer = (question: string, inputs = {}) => factFor(question, facts, inputs)?.[0];
  assert.equal(answer("What is the ORDER DATE?"), "orderDate");
  assert.equal(answer("Which order?"), undefined, "half a name is none");
  assert.equal(answer("What is the order id?"), undefined, "it names id, too");
  assert.equal(answer("What is the order id?", { id: "x" }), "order_id");
  assert.equal(answer("What is the order id?", { order_id: "2", id: "x" }), undefined);
  assert.equal(factFor("What is it?", new Map([["", 1], ["__proto__", 2]]), {}), undefined);
  assert.deepEqual(factFor("proto?", new Map([["__proto__", 2]]), {}), ["__proto__", 2]);
});

Deno.test("clarified() adds question and answer to what the packet says", () => {
  const packet = packetFor(task("billing", "billing", { inputs: { a: 1 } }), CREW, []);
  assert.deepEqual(clarified(packet, "Which?", "That.").inputs, {
    a: 1,
    clarification: { question: "Which?", answer: "That." },
  });
});
