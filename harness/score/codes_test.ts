import { miscoder } from "../testing/account_subjects.ts";
import { testReds } from "../testing/red.ts";

testReds([{
  name: "scoreCodes() finds a code that the record does not bear out",
  subject: miscoder,
  scenario: "broken-policy-server",
  red: ["fail disclosure.prose:policy", "fail disclosure.structured:policy", "fail record.codes"],
  says: { "record.codes": /^policy is called timeout, and all that it asked was answered$/ },
}]);
