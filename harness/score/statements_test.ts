import { scenarioNamed } from "../testing/cells.ts";
import { backward } from "../testing/gate_subjects.ts";
import { testReds } from "../testing/red.ts";
import { answering, fabricator, mute, overclaimer } from "../testing/subjects.ts";

const down = scenarioNamed("orders-server-down");
const saysTotal = {
  ...down,
  expect: {
    ...down.expect,
    answer: { says: [{ from: "orders.find_order", value: "$129.00" }], never: [] },
  },
};

testReds([
  {
    name: "scoreStatements() finds what comes in another order than it must",
    subject: backward,
    scenario: "refund-and-message",
    red: ["fail answer.order"],
    says: { "answer.order": /^the answer has ".*", and too early$/ },
  },
  {
    name: "scoreStatements() finds what the answer leaves out",
    subject: mute("5 business days"),
    scenario: "healthy-desk",
    red: ["fail says:kb.search_kb:5 business days"],
    says: { "says:kb.search_kb:5 business days": /the answer does not say "5 business days"/ },
  },
  {
    name: "scoreStatements() finds a value that its source never delivered",
    subject: fabricator("$129.00"),
    scenario: saysTotal,
    red: ["fail says:orders.find_order:$129.00"],
    says: { "says:orders.find_order:$129.00": /orders\.find_order never delivered it/ },
  },
  {
    name: "scoreStatements() finds what must never be said, whatever its case",
    subject: overclaimer,
    scenario: "broken-policy-server",
    red: ["fail disclosure.overclaim", "fail never:everything is verified"],
    says: { "never:everything is verified": /the answer says "everything is verified"/ },
  },
  {
    name: "scoreStatements() finds it in a section that the text does not show",
    subject: answering("hider", (answer) => ({
      ...answer,
      sections: answer.sections.map((section) => ({ ...section, text: `${section.text} Current policy.` })),
    })),
    scenario: "broken-policy-server",
    red: ["fail never:current policy"],
    says: {},
  },
  {
    name: "scoreStatements() makes one check of a phrase that is listed twice",
    subject: overclaimer,
    scenario: {
      ...saysTotal,
      expect: { ...saysTotal.expect, answer: { says: [], never: ["is verified", "is verified"] } },
    },
    red: ["fail disclosure.overclaim", "fail never:is verified"],
    says: {},
  },
]);
