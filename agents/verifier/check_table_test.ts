import assert from "node:assert/strict";
import { checkClaim, splitClaims } from "./mod.ts";
import type { ClaimReasonKind, ClaimVerdict, Evidence } from "./mod.ts";

const json = (id: string, value: unknown): Evidence => ({ id, text: JSON.stringify(value) });

const ORDER = json("order", {
  order_id: "12345",
  customer: "R. Okafor",
  item: "Solaris ANC headphones",
  total: "$129.00",
  charge_count: 2,
  reference: "ORD-7731-KX",
});
const REFUND = json("refund", {
  order_id: "12345",
  refund: "none on file",
  duplicate_charge: "not yet reversed",
  reference: "REF-2290-QD",
});
const ARTICLE = json("kb", {
  results: [{
    id: "KB-201",
    title: "Duplicate card authorisations",
    body: "Duplicate authorisations clear in 5 business days; goodwill credit beyond that.",
    reference: "KBX-5518-MT",
  }],
});
const POLICY = json("policy", {
  topic: "duplicate charge",
  text: "Duplicate charges are refunded automatically within 5 business days; a goodwill credit of $10 beyond that.",
  effective: "2026-11",
  reference: "POL-9043-TW",
});
const CENTS = json("payment", {
  payment_id: "P-88",
  amount_cents: 12900,
  currency: "USD",
  captured: true,
  disputed: false,
});
const SHIPMENT = json("shipment", {
  carrier: "Norwind",
  weight_kg: 2.5,
  promised: "2026-07-15",
  delivered: null,
  departure: "17:00",
  transit: "3 days",
  tracking: {
    events: [{ place: "Lagos", at: "2026-07-12T09:30:00Z" }, { place: "Accra", at: "2026-07-13T18:05:00Z" }],
  },
});
const SHOP: Evidence = {
  id: "shop",
  text: [
    "name: Blue Door",
    "city: Santa Barbara",
    "state: CA",
    "hours Monday: 9:0-17:0",
    "hours Tuesday: 9:0-17:0",
    "hours Wednesday: 9:0-17:0",
    "hours Thursday: 9:0-17:0",
    "hours Friday: 9:0-21:30",
    "attributes Outdoor Seating: True",
    "attributes Wi Fi: no",
    "attributes Restaurants Take Out: True",
    "attributes Restaurants Reservations: False",
    "attributes Music: None",
    "attributes Business Parking garage: False",
    "attributes Business Parking street: True",
    "stars: 4.5",
  ].join("\n"),
};
const ROWS = json("orders", {
  orders: [
    { id: "A-1", customer: "Ana", status: "shipped", total: 120 },
    { id: "A-2", customer: "Bea", status: "late", total: 80 },
    { id: "A-3", customer: "Cid", status: "late", total: 50 },
    { id: "A-4", customer: "Dov", status: "shipped", total: 150 },
  ],
});
const LATENCY = json("probe", { p50_ms: 120, p95_ms: 450, requests: 2000, errors: 50, healthy: true });

type Case = readonly [claim: string, evidence: readonly Evidence[], verdict: ClaimVerdict, kind?: ClaimReasonKind];

const CASES: readonly Case[] = [
  // The bench's own notes.
  [
    "Two charges of $129.00 on order 12345 (R. Okafor, Solaris ANC headphones; ORD-7731-KX); no refund issued yet (REF-2290-QD).",
    [ORDER, REFUND],
    "supported",
  ],
  ["Two charges of $129.00 on order 12345 (R. Okafor, Solaris ANC headphones; ORD-7731-KX).", [ORDER], "supported"],
  [
    "Two charges of $129.00 on order 12345 (ORD-7731-KX); no refund issued yet (REF-2290-QD).",
    [ORDER, REFUND],
    "supported",
  ],
  [
    "Tell the customer that the duplicate clears in 5 business days, with a goodwill credit beyond that (KB-201, KBX-5518-MT).",
    [ARTICLE],
    "supported",
  ],
  [
    "Duplicate charges are refunded automatically within 5 business days, in force since 2026-11 (POL-9043-TW).",
    [POLICY],
    "supported",
  ],
  // The same with one thing wrong.
  ["Three charges of $129.00 on order 12345 (ORD-7731-KX).", [ORDER], "unsupported", "number_missing"],
  ["Two charges of $139.00 on order 12345 (ORD-7731-KX).", [ORDER], "unsupported", "number_missing"],
  ["Two charges of €129.00 on order 12345 (ORD-7731-KX).", [ORDER], "unsupported", "unit"],
  ["Two charges of $129.00 on order 12354 (ORD-7731-KX).", [ORDER], "unsupported", "number_missing"],
  ["Two charges of $129.00 on order 12345 (ORD-7713-KX).", [ORDER], "unsupported", "reference_missing"],
  ["Two charges of $129.00 on order 12345 (M. Okafor-Reyes; ORD-7731-KX).", [ORDER], "unsupported", "name_missing"],
  ["Two charges of $129.00 on order 12345 (R. Okonkwo; ORD-7731-KX).", [ORDER], "unsupported", "name_missing"],
  ["Order 12345 was charged 12345 times.", [ORDER], "unsupported", "number"],
  ["Two charges on order 12345; a refund was issued (REF-2290-QD).", [ORDER, REFUND], "unsupported", "polarity"],
  ["A refund is on file (REF-2290-QD).", [REFUND], "unsupported", "polarity"],
  ["The duplicate charge has been reversed (REF-2290-QD).", [REFUND], "unsupported", "polarity"],
  ["The duplicate charge has not been reversed yet (REF-2290-QD).", [REFUND], "supported"],
  ["The duplicate clears in 7 business days (KB-201).", [ARTICLE], "unsupported", "number_missing"],
  ["The duplicate clears in 5 weeks (KB-201).", [ARTICLE], "unsupported", "unit"],
  [
    "Duplicate charges are refunded automatically within 5 business days, in force since 2025-11.",
    [POLICY],
    "unsupported",
    "date",
  ],
  ["Duplicate charges are refunded automatically within 5 business days, since November 2026.", [POLICY], "supported"],
  ["Duplicate charges are never refunded automatically (POL-9043-TW).", [POLICY], "unsupported", "polarity"],
  ["A goodwill credit of $10 is given beyond 5 business days.", [POLICY], "supported"],
  ["A goodwill credit of $10,000 is given beyond 5 business days.", [POLICY], "unsupported", "number_missing"],
  ["Refund status: none on file.", [REFUND], "supported"],
  ["The duplicate charge is not yet reversed.", [REFUND], "supported"],
  ["No refund has been issued.", [ORDER, REFUND], "supported"],
  ["The refund has not been issued yet.", [ORDER, REFUND], "supported"],
  ["R. Okafor was refunded.", [ORDER, REFUND], "unsupported", "polarity"],
  ["R. Okafor was charged $129.00 on order 12345.", [ORDER], "supported"],
  ["R. Okafor was charged twice for the Solaris ANC headphones.", [ORDER], "supported"],
  ["R. Okafor was charged once for the Solaris ANC headphones.", [ORDER], "unsupported", "number"],
  ["One charge of $129.00 on order 12345.", [ORDER], "unsupported", "number"],
  ["The order total is $129.00, charged two times, so $258.00 in total.", [ORDER], "supported", "derived"],
  ["The order total is $129.00, charged two times, so $268.00 in total.", [ORDER], "unsupported", "number_missing"],
  // Statements about the search itself.
  ["The order could not be looked up.", [], "undetermined", "no_claim"],
  ["The refund tool failed.", [ORDER], "undetermined", "no_claim"],
  ["I could not find out whether the customer was told.", [ORDER], "undetermined", "no_claim"],
  ["It is not known when the parcel will arrive.", [SHIPMENT], "undetermined", "no_claim"],
  [
    "Two charges of $129.00 on order 12345 (ORD-7731-KX); whether a refund exists could not be established.",
    [ORDER],
    "supported",
  ],
  [
    "Three charges of $129.00 on order 12345 (ORD-7731-KX); whether a refund exists could not be established.",
    [ORDER],
    "unsupported",
    "number_missing",
  ],
  // Booleans, nulls, cents.
  ["The payment P-88 of $129.00 was captured.", [CENTS], "supported"],
  ["The payment P-88 of $12,900 was captured.", [CENTS], "unsupported", "unit"],
  ["The payment P-88 was not captured.", [CENTS], "unsupported", "polarity"],
  ["The payment P-88 is disputed.", [CENTS], "unsupported", "polarity"],
  ["The payment P-88 is not disputed.", [CENTS], "supported"],
  ["The payment P-88 isn't disputed.", [CENTS], "supported"],
  ["The parcel was delivered by Norwind.", [SHIPMENT], "unsupported", "null_asserted"],
  ["Norwind promised the parcel for 15 July 2026.", [SHIPMENT], "supported"],
  ["Norwind promised the parcel for July 15, 2026.", [SHIPMENT], "supported"],
  ["Norwind promised the parcel for July 2026.", [SHIPMENT], "supported"],
  ["Norwind promised the parcel for 16 July 2026.", [SHIPMENT], "unsupported", "date"],
  ["Norwind promised the parcel for June 2026.", [SHIPMENT], "unsupported", "date"],
  ["The departure of the Norwind parcel is at 5 pm.", [SHIPMENT], "supported"],
  ["The departure of the Norwind parcel is at 17:00.", [SHIPMENT], "supported"],
  ["The departure of the Norwind parcel is at 5 am.", [SHIPMENT], "unsupported", "time"],
  ["The Norwind parcel's transit takes 72 hours.", [SHIPMENT], "supported"],
  ["The Norwind parcel's transit takes 3 hours.", [SHIPMENT], "unsupported", "unit"],
  ["The parcel weighs 2.5 kg.", [SHIPMENT], "supported"],
  ["The parcel has a weight of 2500 g.", [SHIPMENT], "supported"],
  ["The parcel has a weight of 2.5 pounds.", [SHIPMENT], "unsupported", "unit"],
  ["The tracking shows Lagos on 12 July and Accra on 13 July.", [SHIPMENT], "supported"],
  ["The tracking shows Nairobi on 12 July.", [SHIPMENT], "unsupported", "name_missing"],
  // Key-value lines: attributes and opening hours.
  ["Blue Door has outdoor seating and takeout.", [SHOP], "supported"],
  ["Blue Door has no outdoor seating.", [SHOP], "unsupported", "polarity"],
  ["Blue Door offers free Wi-Fi.", [SHOP], "unsupported", "polarity"],
  ["Blue Door does not offer WiFi or reservations.", [SHOP], "supported"],
  ["Blue Door has live music.", [SHOP], "unsupported", "null_asserted"],
  ["Blue Door has no garage, but street parking.", [SHOP], "supported"],
  ["Blue Door offers no parking.", [SHOP], "unsupported", "polarity"],
  ["Blue Door is open from 9 am to 5 pm, Monday through Thursday, and until 9:30 pm on Friday.", [SHOP], "supported"],
  ["Blue Door is open from 9:00 to 17:00 on Monday.", [SHOP], "supported"],
  ["Blue Door is open on weekdays from 9 am to 5 pm.", [SHOP], "unsupported", "time"],
  ["Blue Door is open from Monday to Sunday.", [SHOP], "unsupported", "time"],
  ["Blue Door is open until 10 pm on Friday.", [SHOP], "unsupported", "time"],
  ["Blue Door is in Santa Barbara, California, and has four and a half stars.", [SHOP], "supported"],
  ["Blue Door in Santa Barbara has 4 stars.", [SHOP], "unsupported", "number_missing"],
  // Lists of rows, and numbers that follow from them.
  ["There are 4 orders.", [ROWS], "supported"],
  ["There are 6 orders.", [ROWS], "unsupported", "number_missing"],
  ["Two of the four orders are late.", [ROWS], "supported"],
  ["Three of the four orders are late.", [ROWS], "unsupported", "number_missing"],
  ["The orders total $400.", [ROWS], "supported", "derived"],
  ["The orders total $410.", [ROWS], "unsupported", "number_missing"],
  ["The mean total of the orders is 100.", [ROWS], "supported", "derived"],
  ["50 percent of the orders are late.", [ROWS], "supported"],
  ["The highest total of the orders is 150 (Dov, A-4).", [ROWS], "supported"],
  ["The highest total of the orders is 120 (Ana, A-1).", [ROWS], "unsupported", "number"],
  ["The lowest total of the orders is 50.", [ROWS], "supported"],
  ["The lowest total of the orders is 80.", [ROWS], "unsupported", "number"],
  ["Order A-2 of Bea is late, with a total of 80.", [ROWS], "supported"],
  ["Order A-2 of Bea is late, with a total of 50.", [ROWS], "unsupported", "value"],
  ["Order A-2 of Bea is shipped.", [ROWS], "unsupported", "value"],
  ["Order A-1 costs 40 more than order A-2.", [ROWS], "supported", "derived"],
  ["Order A-1 costs 45 more than order A-2.", [ROWS], "unsupported", "number_missing"],
  ["Of 2000 requests 50 had errors, an error rate of 2.5 %.", [LATENCY], "supported", "derived"],
  ["Of 2000 requests 50 had errors, an error rate of 3.5 %.", [LATENCY], "unsupported", "number_missing"],
  ["The p95 is 450 ms, 3.75 times the p50.", [LATENCY], "supported", "derived"],
  ["The p95 is 0.45 s.", [LATENCY], "supported"],
  ["The p95 is 450 seconds.", [LATENCY], "unsupported"],
  ["The probe is not healthy.", [LATENCY], "unsupported", "polarity"],
];

Deno.test("checkClaim() flags nothing that is left open", () => {
  const open = [
    "The duplicate charge is still pending reversal.",
    "The duplicate charge will be reversed.",
    "Ask billing whether a refund will be issued.",
    "The refund tool failed: connection refused.",
  ];
  for (const claim of open) assert.notEqual(checkClaim(claim, [ORDER, REFUND]).verdict, "unsupported", claim);
});

Deno.test("checkClaim() flags no part of a supported note either", () => {
  for (const [note, evidence, verdict] of CASES) {
    if (verdict !== "supported") continue;
    for (const part of splitClaims(note)) assert.notEqual(checkClaim(part, evidence).verdict, "unsupported", part);
  }
});

Deno.test("checkClaim() names the observations that it rests on", () => {
  assert.deepEqual(
    checkClaim("Two charges of $129.00; no refund issued yet (REF-2290-QD).", [ORDER, REFUND]).evidence,
    ["order", "refund"],
  );
  assert.deepEqual(checkClaim("A refund was issued.", [ORDER, REFUND]).evidence, ["refund"]);
});

Deno.test("checkClaim() gives each of the notes in the table its verdict, and its reason", async (t) => {
  for (const [claim, evidence, verdict, kind] of CASES) {
    await t.step(`${verdict}: ${claim}`, () => {
      const found = checkClaim(claim, evidence);
      assert.equal(found.verdict, verdict, JSON.stringify(found));
      if (kind !== undefined) assert.ok(found.reasons.some((one) => one.kind === kind), JSON.stringify(found.reasons));
    });
  }
});
