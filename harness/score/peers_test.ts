import assert from "node:assert/strict";
import { cellSpec, notGreen, runOne, scenariosNamed } from "../testing/cells.ts";
import { testReds } from "../testing/red.ts";
import { advertiser, answering, asking, ghost, liar, retoucher } from "../testing/subjects.ts";

/** Gives each peer the user's message with its packet. */
const tattler = asking("tattler", (request, world) => ({
  ...request,
  messages: request.messages.map((message, i) =>
    i === 0 && request.agent !== "triage" ? { ...message, text: `${world.request}\n${message.text}` } : message
  ),
}));

/** Calls everything complete that has a section, and keeps the rest back. */
const gloss = answering("gloss", ({ sections }) => ({
  status: "complete",
  sections,
  failures: [],
  text: sections.map(({ worker, text }) => `[${worker}] ${text}`).join("\n"),
}));

testReds([
  {
    name: "scoreRecord() does not count a peer that has handed control on as lost, and finds the one that was",
    subject: gloss,
    scenario: "peers-hand-over-in-turn/every-fault.model_hang",
    red: ["fail record.complete", "fail record.named"],
    says: {
      "record.named": /^comms is not among the answer's failures: its model was asked, and the call came to nothing$/,
    },
  },
  {
    name: "scoreRecord() finds a peer whose calls failed before it handed control on",
    subject: liar,
    scenario: "policy-fails-among-peers/policy-hands-on",
    red: [
      "fail answer.status",
      "fail coherence.status",
      "fail coherence.substitution",
      "fail disclosure.prose:policy",
      "fail disclosure.structured:policy",
      "fail record.named",
      "fail substitution.structured:policy",
    ],
    says: { "record.named": /^policy is not among .*: every call of policy\.check_policy failed$/ },
  },
  {
    name: "scoreRecord() finds a peer that was never heard again after a handoff that was refused",
    subject: gloss,
    scenario: "peers-hand-back-and-forth",
    red: [
      "fail answer.order",
      "fail answer.status",
      "fail canary:SNAP-2607-Q4",
      "fail coherence.status",
      "fail coherence.substitution",
      "fail disclosure.prose:billing",
      "fail disclosure.prose:policy",
      "fail disclosure.structured:billing",
      "fail disclosure.structured:policy",
      "fail record.complete",
      "fail record.named",
      "fail substitution.prose:policy",
      "fail substitution.structured:policy",
    ],
    says: { "record.named": /^policy is not among .*: its model was not heard again after its last calls$/ },
  },
  {
    name: "scoreIsolation() lets the first of the peers see the user's message, and nobody else",
    subject: tattler,
    scenario: "peers-hand-over-in-turn",
    red: ["fail isolation.user_message"],
    says: { "isolation.user_message": /^billing was sent the user's message/ },
  },
  {
    name: "scoreIsolation() finds a tool result among peers that no server delivered",
    subject: retoucher,
    scenario: "peers-hand-over-in-turn",
    red: ["fail isolation.observations"],
    says: { "isolation.observations": /^billing was shown a tool result that no server delivered to it/ },
  },
  {
    name: "scoreAllowlist() lets peers see the tools that hand control over, and no others",
    subject: advertiser,
    scenario: "peers-hand-over-in-turn",
    red: ["fail allowlist.advertised"],
    says: { "allowlist.advertised": /was shown kb\.delete_article$/ },
  },
  {
    name: "scorePlan() finds peers that work without packets",
    subject: ghost,
    scenario: "peers-hand-over-in-turn",
    red: ["fail isolation.canaries", "fail isolation.siblings", "fail plan.packets"],
    says: { "plan.packets": /^billing's model was asked \(run\/s2\/h1\/step1\) without a packet for it$/ },
  },
]);

Deno.test("every peer scenario is green, whatever fires first", async () => {
  const peers = (await scenariosNamed()).filter(({ topology }) => topology === "peer");
  assert.ok(peers.length >= 20);
  for (const scenario of peers) {
    assert.deepEqual(notGreen(await runOne(cellSpec(scenario, { seed: "7" }))), [], scenario.name);
  }
});
