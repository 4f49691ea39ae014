import { grudge } from "../testing/account_subjects.ts";
import { testReds } from "../testing/red.ts";

testReds([{
  name: "scoreRecovered() finds a failure that was recovered and is told as one",
  subject: grudge,
  scenario: "refund-lookup-flickers",
  red: ["fail coherence.status", "fail disclosure.false_alarm", "fail never:failed", "fail record.recovered"],
  says: { "record.recovered": /^billing met with a failure that was recovered, and the answer calls them failed$/ },
}]);
