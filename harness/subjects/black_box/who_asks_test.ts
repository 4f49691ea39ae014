import assert from "node:assert/strict";
import type { Message } from "../../../agents/mod.ts";
import { whoAsks } from "./who_asks.ts";

const asked = (system: string, text = "Hello") => ({ system, messages: [{ role: "user", text }] satisfies Message[] });
const match = new Map([["billing", ["you handle billing"]], ["policy", ["refund policy", "terms"]]]);
const agents = ["planner", "billing", "policy"];

Deno.test("whoAsks() knows an agent by a text of its system prompt or first message, whatever its case", () => {
  assert.equal(whoAsks(asked("You handle BILLING."), { agents, match }), "billing");
  assert.equal(whoAsks(asked("", "What do the Terms say?"), { agents, match }), "policy");
});

Deno.test("whoAsks() says why it knows nobody, and what to do", () => {
  const none = whoAsks(asked("You are helpful."), { agents, match });
  assert.match(typeof none === "string" ? none : none.why, /agents\/NAME\/v1.*match.*agents: planner, billing, policy/);
  const two = whoAsks(asked("You handle billing and the refund policy."), { agents, match });
  assert.match(typeof two === "string" ? two : two.why, /`match` of billing and policy/);
});

Deno.test("whoAsks() takes the only agent that there is", () => {
  assert.equal(whoAsks(asked("You are helpful."), { agents: ["billing"], match: new Map() }), "billing");
});
