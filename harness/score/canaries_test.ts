import { testReds } from "../testing/red.ts";
import { answering, fabricator, misattributor, relabeller, stale } from "../testing/subjects.ts";

testReds([
  {
    name: "scoreCanaries() finds a value that its source never delivered",
    subject: fabricator("KBX-1140-ZR"),
    scenario: "healthy-desk",
    red: ["fail canary:KBX-1140-ZR"],
    says: { "canary:KBX-1140-ZR": /kb\.search_kb never delivered in this run: it is made up/ },
  },
  {
    name: "scoreCanaries() finds what stands in given as if it were current",
    subject: stale,
    scenario: "broken-policy-server",
    red: ["fail canary:SNAP-2607-Q4", "fail substitution.prose:policy", "fail substitution.structured:policy"],
    says: { "canary:SNAP-2607-Q4": /the fallback of policy, is given as if it were current/ },
  },
  {
    name: "scoreCanaries() finds a fallback that was used though nothing failed",
    subject: fabricator("SNAP-2607-Q4"),
    scenario: "slow-policy-server",
    red: ["fail canary:SNAP-2607-Q4", "fail never:SNAP-2607-Q4"],
    says: {},
  },
  {
    name: "scoreCanaries() finds one worker's value in another's section",
    subject: misattributor,
    scenario: "healthy-desk",
    red: [
      "fail canary:KBX-5518-MT",
      "fail canary:ORD-7731-KX",
      "fail canary:REF-2290-QD",
      "fail says:kb.search_kb:5 business days",
      "fail says:orders.find_order:$129.00",
    ],
    says: { "canary:KBX-5518-MT": /stands in the section of billing, which never read it/ },
  },
  {
    name: "scoreCanaries() finds a live value that is called cached",
    subject: relabeller,
    scenario: "healthy-desk",
    red: [
      "fail canary:KBX-5518-MT",
      "fail disclosure.false_alarm",
      "fail coherence.status",
      "fail coherence.substitution",
      "fail says:kb.search_kb:5 business days",
    ],
    says: { "canary:KBX-5518-MT": /its section calls it cached/ },
  },
  {
    name: "scoreCanaries() reads the sections as well as the text",
    subject: answering("hider", (answer) => ({
      ...answer,
      sections: answer.sections.map((section) => ({ ...section, text: `${section.text} KBX-1140-ZR` })),
    })),
    scenario: "broken-policy-server",
    red: ["fail canary:KBX-1140-ZR"],
    says: {},
  },
]);
