import assert from "node:assert/strict";
import { testReds } from "../testing/red.ts";
import { cellSpec, checkNamed, notGreen, runOne, scenarioNamed } from "../testing/cells.ts";
import { gossipOfNotes, gossipOfValues, messenger, retoucher } from "../testing/subjects.ts";
import { folded, sentences } from "./texts.ts";

testReds([
  {
    name: "scoreIsolation() finds the user's message in a worker's request, in other case and punctuation",
    subject: messenger,
    scenario: "broken-policy-server",
    red: ["fail isolation.user_message"],
    says: { "isolation.user_message": /^billing was sent the user's message \(run\/s2\/billing\/step1\)$/ },
  },
  {
    name: "scoreIsolation() finds a sibling's note in a worker's request",
    subject: gossipOfNotes,
    scenario: "broken-policy-server",
    // Who is told of a sibling's note has waited for it.
    red: ["fail isolation.siblings", "fail isolation.canaries", "fail plan.serialised"],
    says: { "isolation.siblings": /^billing was sent a sibling's report/ },
  },
  {
    name: "scoreIsolation() finds a value of a sibling's source in a worker's request",
    subject: gossipOfValues,
    scenario: "broken-policy-server",
    red: ["fail isolation.canaries", "fail plan.serialised"],
    says: { "isolation.canaries": /^billing was sent a value that it could only have from somebody else/ },
  },
  {
    name: "scoreIsolation() finds a tool result that no server delivered",
    subject: retoucher,
    scenario: "broken-policy-server",
    red: ["fail isolation.observations"],
    says: { "isolation.observations": /was shown a tool result that no server delivered to it/ },
  },
]);

Deno.test("scoreIsolation() lets a worker see the notes of the packets it depends on, and of those before them", async () => {
  const scenario = scenarioNamed("broken-policy-server");
  const plan = JSON.stringify({
    tasks: [
      { id: "billing", specialist: "billing", objective: "Charges.", inputs: { order_id: "12345" } },
      { id: "policy", specialist: "policy", objective: "Policy." },
      { id: "comms", specialist: "comms", objective: "Wording.", dependsOn: ["billing"] },
    ],
  });
  const chained = {
    ...scenario,
    script: { ...scenario.script, planner: [{ say: plan }] },
    expect: {
      ...scenario.expect,
      plan: { nodes: ["billing", "policy", "comms"], edges: [["billing", "comms"]], facts: {} },
    },
  } satisfies typeof scenario;
  const result = await runOne(cellSpec(chained));
  assert.deepEqual(notGreen(result), []);
  const sent = result.trace.events.filter(({ type, worker }) => type === "model.request" && worker === "comms");
  assert.match(JSON.stringify(sent), /ORD-7731-KX/, "comms did see what billing reported");
});

Deno.test("scoreIsolation() lets the planner make a short sentence of the request the task, but not pass on the message", async () => {
  const scenario = scenarioNamed("broken-policy-server");
  const outcome = async (request: string, objective: string, subject?: typeof messenger) => {
    const plan = (scenario.script.planner ?? []).map(({ say = "", ...turn }) => ({
      ...turn,
      say: say.replace(/"objective": "Establish[^"]*"/, () => `"objective": ${JSON.stringify(objective)}`),
    }));
    const changed = { ...scenario, request, script: { ...scenario.script, planner: plan } };
    return checkNamed(await runOne(cellSpec(changed, subject && { subject })), "isolation.user_message").outcome;
  };
  const short = "What was charged on order 12345?";
  const long = `What was charged on order 12345, ${"and what else is there to know about it, ".repeat(3)}please?`;
  assert.equal(await outcome(short, short), "pass");
  assert.equal(await outcome(`${short} Then find the right words.`, short), "pass");
  assert.equal(await outcome(`${short} Then find the right words.`, `${short} Then find the right words.`), "fail");
  assert.equal(await outcome(long, long), "fail");
  assert.equal(await outcome(short, "Find the charges.", messenger), "fail");
});

Deno.test("folded() leaves the words of a text", () => {
  assert.equal(folded('  "I was\n CHARGED twice," for **order** 12345?!'), "i was charged twice for order 12345");
  assert.equal(folded("Größe: 5 €"), "größe 5 €");
});

Deno.test("sentences() leaves out what is too short to tell, and is not fooled by a full stop inside a number", () => {
  assert.deepEqual(sentences("Hi. I was charged $1.50 twice for it! Why?\nPlease refund both of them at once"), [
    "i was charged $1 50 twice for it",
    "please refund both of them at once",
  ]);
  assert.deepEqual(sentences("Mr. A. B. wrote."), []);
});
