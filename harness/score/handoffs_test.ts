import { turncoat } from "../testing/gate_subjects.ts";
import { testReds } from "../testing/red.ts";
import { telling } from "../testing/subjects.ts";

testReds([
  {
    name: "scoreHandoffs() finds control that no model handed over",
    subject: turncoat,
    scenario: "peers-hand-over-in-turn",
    red: ["fail handoffs.order"],
    says: { "handoffs.order": /^control is said to have gone from \w+ to triage, and no model's record bears it out$/ },
  },
  {
    name: "scoreHandoffs() finds handoffs that are kept back",
    subject: telling("secretive", (type, detail) => type === "handoff" ? undefined : detail),
    scenario: "peers-hand-over-in-turn",
    red: ["fail handoffs.order"],
    says: { "handoffs.order": /^control went, in order: none; expected: triage to / },
  },
]);
