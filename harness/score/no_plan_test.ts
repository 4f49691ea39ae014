import { testReds } from "../testing/red.ts";
import { braggart } from "../testing/subjects.ts";

testReds([{
  name: "scoreNoPlan() finds an answer that is complete without a plan",
  subject: braggart,
  scenario: "planner-never-gives-json",
  red: ["fail answer.status", "fail coherence.status", "fail plan.unusable"],
  says: { "plan.unusable": /^the crew's own plan was used, and the answer is complete$/ },
}]);
