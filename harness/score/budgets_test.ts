import { scenarioNamed } from "../testing/cells.ts";
import { testReds } from "../testing/red.ts";
import { spender, squanderer, understater } from "../testing/account_subjects.ts";

testReds([
  {
    name: "scoreBudgets() finds a packet with more than its specialist has",
    subject: spender,
    scenario: "healthy-desk",
    red: ["fail budget.packets"],
    says: { "budget.packets": /^packet billing: its maxSteps is \d+, and billing has \d+$/ },
  },
  {
    name: "scoreBudgets() finds a worker that takes more steps than its packet has",
    subject: understater,
    scenario: "healthy-desk",
    red: ["fail budget.packets"],
    says: { "budget.packets": /^packet billing: its model was asked 3 times, and might be 1 times$/ },
  },
  {
    name: "scoreBudgets() finds a run that takes more steps than the crew has",
    subject: squanderer,
    scenario: { ...scenarioNamed("healthy-desk"), crew_overrides: { budget: { steps: 5 } } },
    red: ["fail budget.run"],
    says: { "budget.run": /^the workers' models were asked 7 times, and might be 5 times$/ },
  },
  {
    name: "scoreBudgets() finds a run that uses more tokens than the crew has",
    subject: squanderer,
    scenario: { ...scenarioNamed("healthy-desk"), crew_overrides: { budget: { tokens: 1200 } } },
    red: ["fail budget.run"],
    says: { "budget.run": /^a model was asked \(run\/s2\/\w+\/step\d\) when \d+ of 1200 tokens were used$/ },
  },
]);
