import { testReds } from "../testing/red.ts";
import { misplacer, mumbler } from "../testing/account_subjects.ts";

testReds([
  {
    name: "scoreSpans() finds what begins and never ends",
    subject: mumbler,
    scenario: "healthy-desk",
    red: ["fail spans.ended"],
    says: { "spans.ended": /^the call run\/s2\/\w+\/step1\/call1 never ends, and 3 more$/ },
  },
  {
    name: "scoreSpans() finds what is no part of what it should be part of",
    subject: misplacer,
    scenario: "healthy-desk",
    red: ["fail spans.nested"],
    says: { "spans.nested": /^the call run\/s99\/\w+\/step1\/call1 begins outside of a task, and 7 more$/ },
  },
]);
