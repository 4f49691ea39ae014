import { testReds } from "../testing/red.ts";
import { doubler, forgetful, ghost, omitter, secretlySerial, serial } from "../testing/subjects.ts";

testReds([
  {
    name: "scorePlan() finds a task that was left out",
    subject: omitter,
    scenario: "healthy-desk",
    red: ["fail plan.nodes", "error run.script", "fail says:kb.search_kb:5 business days"],
    says: { "plan.nodes": /^missing: comms$/, "run.script": /2 of comms's 2 scripted turns were never asked for/ },
  },
  {
    name: "scorePlan() finds a task that nobody needs",
    subject: doubler,
    scenario: "healthy-desk",
    red: [
      "fail plan.nodes",
      "error run.script",
      "fail answer.status",
      "fail disclosure.false_alarm",
      "fail never:failed",
      "fail never:incomplete",
      "fail says:kb.search_kb:5 business days",
    ],
    says: { "plan.nodes": /^not in the gold plan: again$/ },
  },
  {
    name: "scorePlan() finds a dependency that is none",
    subject: serial,
    scenario: "healthy-desk",
    red: ["fail plan.edges"],
    says: { "plan.edges": /^not in the gold plan: billing -> policy, policy -> comms$/ },
  },
  {
    name: "scorePlan() finds independent work that was done one after another, whatever its packets say",
    subject: secretlySerial,
    scenario: "healthy-desk",
    red: ["fail plan.parallel", "fail isolation.canaries", "fail isolation.siblings"],
    says: {
      "plan.parallel": /dispatched in 3 supersteps/,
      "isolation.siblings": /policy was sent a sibling's report/,
    },
  },
  {
    name: "scorePlan() finds a fact that the packet does not carry",
    subject: forgetful,
    scenario: "broken-policy-server",
    red: ["fail plan.facts:billing.order_id"],
    says: { "plan.facts:billing.order_id": /carries order_id = nothing, expected "12345"/ },
  },
  {
    name: "scorePlan() finds work that no packet accounts for",
    subject: ghost,
    scenario: "broken-policy-server",
    red: ["fail plan.packets", "fail plan.nodes", "fail plan.facts:billing.order_id"],
    says: { "plan.packets": /billing's model was asked \(run\/s2\/billing\/step1\) without a packet for it/ },
  },
]);
