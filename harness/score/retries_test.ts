import { storm } from "../testing/account_subjects.ts";
import { scenarioNamed } from "../testing/cells.ts";
import { testReds } from "../testing/red.ts";

const recovery = { maxPerPacket: 0, maxPerRun: 0, backoffMs: 500 };

testReds([{
  name: "scoreRetries() finds a packet that is tried again more often than the crew allows",
  subject: storm,
  scenario: { ...scenarioNamed("comms-model-fails-midway"), crew_overrides: { recovery } },
  red: ["fail latency.makespan", "fail recovery.capped"],
  says: { "recovery.capped": /^packet comms was tried again more than 0 times$/ },
}]);
