import { believer } from "../testing/gate_subjects.ts";
import { testReds } from "../testing/red.ts";
import { telling } from "../testing/subjects.ts";

testReds([
  {
    name: "scoreNotes() finds a subject that believes what nothing bears out",
    subject: believer,
    scenario: "finding-that-nothing-bears-out",
    red: ["fail notes:security"],
    says: { "notes:security": /^the worst claim of security was found supported, and is unsupported$/ },
  },
  {
    name: "scoreNotes() finds a subject that checks nothing",
    subject: telling("unchecking", (type, detail) => type === "verify" ? undefined : detail),
    scenario: "finding-that-nothing-bears-out",
    red: ["fail notes:performance", "fail notes:security"],
    says: { "notes:security": /^the worst claim of security was found never to be checked, and is unsupported$/ },
  },
]);
