import { testReds } from "../testing/red.ts";
import { forgetter, stutterer } from "../testing/account_subjects.ts";

testReds([
  {
    name: "scoreCalls() finds a call without a result",
    subject: forgetter,
    scenario: "healthy-desk",
    red: ["fail calls.answered"],
    says: { "calls.answered": /^a model is shown a conversation in which 1\.1 has no result \(run\/s2\/\w+\/step3\)$/ },
  },
  {
    name: "scoreCalls() finds a call with two results",
    subject: stutterer,
    scenario: "healthy-desk",
    red: ["fail calls.answered"],
    says: { "calls.answered": /1\.1 has a second result, or one without a call/ },
  },
]);
