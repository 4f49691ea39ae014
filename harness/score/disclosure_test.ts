import assert from "node:assert/strict";
import { reference } from "../../agents/mod.ts";
import { scenarioNamed } from "../testing/cells.ts";
import { ghostwriter } from "../testing/gate_subjects.ts";
import { testReds } from "../testing/red.ts";
import {
  answering,
  liar,
  proseAlarmist,
  quietAlarmist,
  relabeller,
  shotgun,
  silentProse,
  silentStructure,
  unlabelled,
  vagueProse,
} from "../testing/subjects.ts";
import { failureLines, ownWords } from "./prose.ts";

const broken = "broken-policy-server";

testReds([
  {
    name: "scoreDisclosure() finds a person's words that are given as a specialist's",
    subject: ghostwriter,
    scenario: "operator-takes-over-billing",
    red: ["fail substitution.prose:billing", "fail substitution.structured:billing"],
    says: { "substitution.structured:billing": /not marked as such, in its section$/ },
  },
  {
    name: "scoreDisclosure() finds the liar, who keeps a failure out of structure and text",
    subject: liar,
    scenario: broken,
    red: [
      "fail coherence.status",
      "fail coherence.substitution",
      "fail record.named",
      "fail record.complete",
      "fail answer.status",
      "fail disclosure.structured:policy",
      "fail disclosure.prose:policy",
      "fail substitution.structured:policy",
    ],
    says: {
      "answer.status": /is complete, expected degraded/,
      "disclosure.structured:policy":
        /^policy is expected to fail \(tool_error\), and is not among the answer's failures$/,
      "disclosure.prose:policy": /does not say that policy failed/,
    },
  },
  {
    name: "scoreDisclosure() finds what is vouched for over a hole that the same text admits",
    subject: answering("two tongues", (answer) => ({
      ...answer,
      text: `${answer.text}\nAll parts of this answer were verified and are complete.`,
    })),
    scenario: broken,
    red: ["fail disclosure.overclaim"],
    says: { "disclosure.overclaim": /^the text says "All parts of this answer were verified/ },
  },
  {
    name: "scoreDisclosure() finds a text that says nothing, whatever the structure says",
    subject: silentProse,
    scenario: broken,
    red: ["fail disclosure.prose:policy", "fail coherence.prose"],
    says: { "disclosure.prose:policy": /does not say that policy failed/ },
  },
  {
    name: "scoreDisclosure() finds a text that does not say why",
    subject: vagueProse,
    scenario: broken,
    red: ["fail disclosure.prose:policy", "fail coherence.prose"],
    says: { "disclosure.prose:policy": /says that policy failed, and not why/ },
  },
  {
    name: "scoreDisclosure() finds a structure that says nothing, whatever the text says",
    subject: silentStructure,
    scenario: broken,
    red: [
      "fail disclosure.structured:policy",
      "fail substitution.structured:policy",
      "fail coherence.substitution",
      "fail record.named",
    ],
    says: { "substitution.structured:policy": /not marked as cached as of 2026-07 in its failure$/ },
  },
  {
    name: "scoreDisclosure() does not accept the right code among others",
    subject: shotgun,
    scenario: broken,
    red: ["fail disclosure.structured:policy", "fail coherence.prose", "fail record.codes"],
    says: { "disclosure.structured:policy": /timeout, tool_error, server_down, expected tool_error/ },
  },
  {
    name: "scoreDisclosure() finds the wrong code",
    subject: answering("wrong code", (answer) => ({
      ...answer,
      failures: answer.failures.map((failure) => ({ ...failure, code: "timeout" })),
    })),
    scenario: broken,
    red: ["fail disclosure.structured:policy", "fail coherence.prose", "fail record.codes"],
    says: { "disclosure.structured:policy": /stated as failed with timeout, expected tool_error/ },
  },
  {
    name: "scoreDisclosure() finds a substitute that only the structure calls cached",
    subject: unlabelled,
    scenario: broken,
    red: ["fail substitution.prose:policy", "fail canary:SNAP-2607-Q4", "fail coherence.substitution"],
    says: { "substitution.prose:policy": /does not say that the policy part is cached as of 2026-07/ },
  },
  {
    name: "scoreDisclosure() finds a false alarm in the structure",
    subject: quietAlarmist,
    scenario: "healthy-desk",
    red: [
      "fail disclosure.false_alarm",
      "fail coherence.status",
      "fail coherence.prose",
      "fail record.healthy",
      "fail record.codes",
    ],
    says: { "disclosure.false_alarm": /^comms is not expected to fail, and the answer says that it did$/ },
  },
  {
    name: "scoreDisclosure() finds a false alarm in the text",
    subject: proseAlarmist,
    scenario: broken,
    red: ["fail disclosure.false_alarm", "fail record.healthy"],
    says: { "disclosure.false_alarm": /^comms is not expected to fail/ },
  },
  {
    name: "scoreDisclosure() names all whom a false alarm is about",
    subject: answering("panicker", (answer) => ({
      ...answer,
      text: `${answer.text}\nThe billing specialist failed.\nThe comms specialist failed, too.`,
    })),
    scenario: "healthy-desk",
    red: ["fail disclosure.false_alarm", "fail never:failed", "fail record.healthy"],
    says: { "disclosure.false_alarm": /^\w+, .*\w+ are not expected to fail, and the answer says that they did$/ },
  },
  {
    name: "scoreDisclosure() finds a live part that is called a substitute",
    subject: relabeller,
    scenario: "slow-policy-server",
    red: [
      "fail disclosure.false_alarm",
      "fail canary:KBX-5518-MT",
      "fail coherence.status",
      "fail coherence.substitution",
      "fail says:kb.search_kb:5 business days",
    ],
    says: {
      "disclosure.false_alarm": /nothing is expected to stand in for comms/,
      "canary:KBX-5518-MT": /was delivered in this run, and its section calls it cached/,
    },
  },
  {
    name: "scoreDisclosure() does not take what a worker says of the world for an alarm",
    scenario: (() => {
      const { script, ...scenario } = scenarioNamed("healthy-desk");
      const [turn, next] = script["comms"] ?? [];
      if (turn === undefined || next === undefined) throw new Error("comms has two turns");
      const said = "The comms team says: the refund of billing failed and could not be reversed.";
      const final = `${next.final} ${said}`;
      // The knowledge base says so, too: a note that nothing bears out would be withheld.
      const told = JSON.stringify(scenario.servers).replace("goodwill credit beyond that.", `$& ${said}`);
      const servers: typeof scenario.servers = JSON.parse(told);
      const never = scenario.expect.answer.never.filter((phrase) => phrase !== "failed");
      const expect = { ...scenario.expect, answer: { ...scenario.expect.answer, never } };
      return { ...scenario, servers, expect, script: { ...script, comms: [turn, { ...next, final }] } };
    })(),
    subject: reference,
    red: [],
    says: { "disclosure.false_alarm": /nothing healthy is called failed/ },
  },
]);

Deno.test("failureLines() reads who failed, and not what", () => {
  const says = (text: string) => failureLines("billing", text).length > 0;
  assert.ok(says("The billing specialist failed (timeout): no report."));
  assert.ok(says("billing timed out"));
  assert.ok(says("Billing didn't answer."));
  assert.ok(!says("billing: the duplicate charge was not reversed"), "an order is no specialist");
  assert.ok(!says("billing2 failed"), "somebody else");
  assert.ok(!says("pre-billing failed"), "somebody else");
  assert.ok(!says("billing is done. policy failed"), "another sentence");
  assert.deepEqual(failureLines("a.(b", "the a.(b failed"), ["the a.(b failed"], "a hostile name is just a name");
});

Deno.test("ownWords() leaves the sections' reports out, the longer first", () => {
  const provenance = { kind: "live" } as const;
  const sections = [{ worker: "a", text: "it failed", provenance }, {
    worker: "b",
    text: "it failed again",
    provenance,
  }];
  assert.equal(ownWords({ text: "[a] it failed\n[b] it failed again\nend", sections }), "[a] \n[b] \nend");
  assert.equal(ownWords(undefined), "");
});
