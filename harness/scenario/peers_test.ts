import assert from "node:assert/strict";
import { problemsOf, resolved } from "./test_folder.ts";

const PEERS = `name: sound
story: Control goes to billing.
crew: support
topology: peer
request: What happened?
script:
  triage:
    - call: handoff.billing
      with: { objective: Look. }
  billing:
    - call: orders.find_order
      with: { order_id: "12345" }
      saying: On the way.
    - final: Found.
expect:
  status: complete
`;

const swap = (from: string, to: string): string => {
  assert.ok(PEERS.includes(from), `not in PEERS: ${from}`);
  return PEERS.replace(from, () => to);
};

const ALIKE = `crew_overrides:
  specialists:
    - { name: Data Agent, role: Reads., toolAllow: [orders.], maxSteps: 3, deadlineMs: 3000, returnContract: One sentence. }
    - { name: data_agent, role: Reads., toolAllow: [orders.], maxSteps: 3, deadlineMs: 3000, returnContract: One sentence. }
  fallbacks: []
  fallbackPlan: []
script: { triage: [] }
`;

Deno.test("resolve() takes a scenario of peers, in which triage has a script and may hand over", async () => {
  const [scenario] = await resolved(PEERS);
  assert.equal(scenario?.topology, "peer");
  assert.equal(scenario?.script["billing"]?.[0]?.saying, "On the way.");
  assert.deepEqual(
    await resolved(swap("\n    - call: handoff.billing\n      with: { objective: Look. }", " []")).then(({ length }) =>
      length
    ),
    1,
  );
});

Deno.test("resolve() refuses peers without triage, a planner among them, and a handoff where somebody supervises", async () => {
  assert.match(
    (await problemsOf(swap("triage:", "planner:"))).join("\n"),
    /unknown agent "planner".*\n.*triage has no script/,
  );
  assert.match((await problemsOf(swap("topology: peer\n", ""))).join("\n"), /unknown tool "handoff\.billing"/);
});

Deno.test("resolve() refuses `saying` beside no call", async () => {
  assert.match(
    (await problemsOf(swap("    - final: Found.", "    - final: Found.\n      saying: More."))).join(),
    /`saying` goes with `call` or `calls`/,
  );
});

Deno.test("resolve() refuses a crew in which two names look alike, unless both are expected to fail for it", async () => {
  const text = (expect: string) => PEERS.slice(0, PEERS.indexOf("script:")) + ALIKE + expect;
  assert.deepEqual(await problemsOf(text("expect: { status: failed }\n")), [
    'x.yaml:6:1 two specialists have names that look alike: "Data Agent" and "data_agent"; rename one, or expect both to ' +
    "fail with ambiguous",
  ]);
  const failed = "expect: { status: failed, failed: { Data Agent: ambiguous, data_agent: ambiguous } }\n";
  assert.equal((await resolved(text(failed))).length, 1);
});
