/** Claims that are nearly the evidence's own words, and say something else. */
import assert from "node:assert/strict";
import { checkClaim } from "./mod.ts";
import type { ClaimReasonKind, ClaimVerdict, Evidence } from "./mod.ts";

const POLICY: Evidence = {
  id: "policy",
  text: JSON.stringify({
    topic: "duplicate charge",
    text: "Duplicate charges are refunded automatically within 5 business days; a goodwill credit of $10 beyond that.",
    effective: "2026-11",
    reference: "POL-9043-TW",
  }),
};
const ORDER: Evidence = {
  id: "order",
  text: JSON.stringify({ customer: "R. Okafor", total: "$129.00", charge_count: 2, reference: "ORD-7731-KX" }),
};
const WIDE_ORDER: Evidence = { id: "wide", text: JSON.stringify({ customer: "R. Okafor", total: "＄１２９．００" }) };
const LINE: Evidence = {
  id: "document",
  text: "The Harbour Line opened on 12 May 2026, seven weeks late, at a cost of 214 million.",
};
const PROSE: Evidence = { id: "letter", text: "The card was charged twice in June. Three letters were sent." };
const LIMIT: Evidence = { id: "limit", text: "A parcel takes more than 5 days at Christmas. It weighs 12 kg." };
const OUTLET: Evidence = { id: "outlet", text: "Returned items are no longer accepted at the outlet shop." };
const CLAIM: Evidence = { id: "claim", text: "The warranty claim for the pump was approved, and postage is included." };
const ALL = [POLICY, ORDER, LINE];

type Case = readonly [claim: string, evidence: readonly Evidence[], verdict: ClaimVerdict, kind?: ClaimReasonKind];

const TABLES: Readonly<Record<string, readonly Case[]>> = {
  "every way to say no is one": [
    ["Duplicate charges are not refunded (POL-9043-TW).", ALL, "unsupported", "polarity"],
    ["Duplicate charges are never refunded (POL-9043-TW).", ALL, "unsupported", "polarity"],
    ["Duplicate charges are no longer refunded (POL-9043-TW).", ALL, "unsupported", "polarity"],
    ["Duplicate charges are neither refunded nor credited (POL-9043-TW).", ALL, "unsupported", "polarity"],
    ["Neither duplicate charges nor credits are refunded within 5 business days.", ALL, "unsupported", "polarity"],
    ["Duplicate charges did not get refunded (POL-9043-TW).", ALL, "unsupported", "polarity"],
    ["Duplicate charges go without a refund (POL-9043-TW).", ALL, "unsupported", "polarity"],
    ["It is not the case that duplicate charges are refunded automatically.", ALL, "unsupported", "polarity"],
    ["The Harbour Line did not open on 12 May 2026.", [LINE], "unsupported", "polarity"],
    ["The Harbour Line never opened.", [LINE], "unsupported", "polarity"],
    ["Duplicate charges are refunded automatically (POL-9043-TW).", ALL, "supported"],
    ["Returned items are no longer accepted at the outlet shop.", [OUTLET], "supported"],
    ["Returned items are not accepted at the outlet shop.", [OUTLET], "supported"],
    ["Returned items are accepted at the outlet shop.", [OUTLET], "unsupported", "polarity"],
  ],
  "how often something happened is what the evidence counts": [
    ["R. Okafor was charged three times.", ALL, "unsupported", "number"],
    ["R. Okafor was charged 3 times.", ALL, "unsupported", "number"],
    ["R. Okafor was charged thrice.", ALL, "unsupported", "number"],
    // The policy has a five of its own.
    ["R. Okafor was charged five times.", ALL, "unsupported", "number"],
    ["R. Okafor was charged once.", ALL, "unsupported", "number"],
    ["R. Okafor was charged twice.", ALL, "supported"],
    ["R. Okafor was charged two times.", ALL, "supported"],
    ["The card was charged three times in June.", [PROSE], "unsupported", "number"],
    ["The card was charged two times in June.", [PROSE], "supported"],
  ],
  "full-width figures are figures": [
    ["The order total is ＄９９９．００.", ALL, "unsupported", "number_missing"],
    ["The order total is ＄１２９．００.", ALL, "supported", "number"],
    ["The order total is $129.00.", [WIDE_ORDER], "supported", "number"],
    ["The order total is $999.00.", [WIDE_ORDER], "unsupported", "number_missing"],
    ["The order total is 𝟗𝟗𝟗 dollars.", ALL, "unsupported", "number_missing"],
  ],
  "a bound is not the number": [
    ["The Harbour Line opened at a cost of 214 million.", [LINE], "supported"],
    ["The Harbour Line cost more than 214 million.", [LINE], "undetermined", "wording"],
    ["The Harbour Line cost less than 214 million.", [LINE], "undetermined", "wording"],
    ["The Harbour Line opened at a cost of at least 214 million.", [LINE], "undetermined", "wording"],
    ["The Harbour Line opened at a cost of over 200 million.", [LINE], "supported"],
    ["The Harbour Line opened at a cost of about 214 million.", [LINE], "supported"],
    ["A parcel takes over 5 days at Christmas.", [LIMIT], "supported"],
    ["A parcel takes less than 5 days at Christmas.", [LIMIT], "undetermined", "wording"],
  ],
  "an opposite is left open": [
    ["The Harbour Line opened on 12 May 2026, seven weeks early.", [LINE], "undetermined", "wording"],
    ["The Harbour Line opened on time on 12 May 2026.", [LINE], "undetermined", "wording"],
    ["The Harbour Line closed on 12 May 2026, seven weeks late.", [LINE], "undetermined", "wording"],
    ["The Harbour Line opened on 12 May 2026, seven weeks late.", [LINE], "supported"],
    ["The warranty claim for the pump was rejected.", [CLAIM], "undetermined"],
    ["The warranty claim for the pump was approved.", [CLAIM], "supported"],
    ["The warranty claim was approved, and postage is excluded.", [CLAIM], "undetermined", "wording"],
  ],
};

for (const [name, cases] of Object.entries(TABLES)) {
  Deno.test(`checkClaim(): ${name}`, async (t) => {
    for (const [claim, evidence, verdict, kind] of cases) {
      await t.step(`${verdict}: ${claim}`, () => {
        const found = checkClaim(claim, evidence);
        assert.equal(found.verdict, verdict, JSON.stringify(found));
        if (kind !== undefined) assert.ok(found.reasons.some((one) => one.kind === kind), JSON.stringify(found));
      });
    }
  });
}
