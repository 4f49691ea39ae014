import { miscounter } from "../testing/account_subjects.ts";
import { testReds } from "../testing/red.ts";

testReds([{
  name: "scoreUsage() finds a total that is not the sum over the replies",
  subject: miscounter,
  scenario: "healthy-desk",
  red: ["fail usage.sum"],
  says: { "usage.sum": /^the run says 8 steps, (\d+) \+ \d+ tokens, and used 8 steps, \1 \+ \d+ tokens$/ },
}]);
