import assert from "node:assert/strict";
import { CREWS } from "../../agents/mod.ts";
import { serversInReach } from "./reach.ts";

const crew = CREWS.get("support");
const reach = (script: Record<string, []>, faults: string[] = [], say = "") =>
  serversInReach(
    {
      script: { planner: [{ say }], ...script },
      faults: faults.map((at) => ({ fault: "tool_error", at })),
    },
    crew ?? { servers: [], specialists: [] },
  );

Deno.test("serversInReach() has the servers of those who have a script, though it be empty, in the crew's order", () => {
  assert.deepEqual(reach({ comms: [], billing: [] }), ["orders", "kb"]);
  assert.deepEqual(reach({ cashier: [] }), ["refunds"]);
});

Deno.test("serversInReach() has the servers of those whom the plan names, and those with a fault of their own", () => {
  assert.deepEqual(reach({}, [], '{"tasks":[{"specialist":"policy"}]}'), ["policy"]);
  assert.deepEqual(reach({ billing: [] }, ["kb.search_kb", "outbox", "agent:policy"]), ["orders", "kb", "outbox"]);
});

Deno.test("serversInReach() has all where nobody can reach any", () => {
  assert.deepEqual(reach({}), ["orders", "kb", "policy", "refunds", "outbox"]);
});
