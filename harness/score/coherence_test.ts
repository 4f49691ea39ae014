import { testReds } from "../testing/red.ts";
import { answering, braggart, quietAlarmist, silentProse, silentStructure } from "../testing/subjects.ts";

testReds([
  {
    name: "scoreCoherence() finds a complete answer that has failures",
    subject: braggart,
    scenario: "refund-lookup-broken",
    red: ["fail coherence.status", "fail answer.status"],
    says: { "coherence.status": /^the answer is complete, and by its structure not whole: billing$/ },
  },
  {
    name: "scoreCoherence() finds a degraded answer of which nothing is missing",
    subject: answering("modest", (answer) => ({ ...answer, status: "degraded" })),
    scenario: "healthy-desk",
    red: ["fail coherence.status", "fail answer.status"],
    says: { "coherence.status": /^the answer is degraded, and by its structure nothing is missing$/ },
  },
  {
    name: "scoreCoherence() finds a failure of the structure that the text keeps back",
    subject: silentProse,
    scenario: "healthy-desk/all-faults.model_http_error",
    red: ["fail coherence.prose"],
    says: { "coherence.prose": /^the text does not say of billing that it failed with model_error$/ },
  },
  {
    name: "scoreCoherence() finds a failure that only the structure makes up",
    subject: quietAlarmist,
    scenario: "slow-policy-server",
    red: [
      "fail coherence.status",
      "fail coherence.prose",
      "fail record.healthy",
      "fail record.codes",
      "fail disclosure.false_alarm",
    ],
    says: { "coherence.prose": /comms that it failed with timeout/ },
  },
  {
    name: "scoreCoherence() finds a substitute of which no failure speaks",
    subject: silentStructure,
    scenario: "everything-broken",
    red: [
      "fail coherence.substitution",
      "fail record.named",
      "fail disclosure.structured:billing",
      "fail disclosure.structured:comms",
      "fail disclosure.structured:policy",
      "fail substitution.structured:policy",
    ],
    says: { "coherence.substitution": /^what stands in for policy is not called a substitute/ },
  },
]);
