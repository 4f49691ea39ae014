import assert from "node:assert/strict";
import { checkClaim, type ClaimReasonKind, type ClaimVerdict, type Evidence } from "./mod.ts";
import { MAX_EVIDENCE } from "./evidence.ts";

const json = (id: string, value: unknown): Evidence => ({ id, text: JSON.stringify(value) });

const LINES = json("read", {
  lines: [
    ...Array.from({ length: 7 }, (_, i) => ({ line: i + 1, text: i === 3 ? "cursor.execute(sql)" : `x = ${i}` })),
    { line: 8, text: "# shop/db.py" },
  ],
});
const GREP = json("grep", { hits: [1, 4, 8].map((line) => ({ file: "shop/db.py", line })) });
const INSPECTION = json("security", {
  summary: "1 security finding in 8 lines of shop/db.py; reference SEC-7743-KQ",
  findings: [{ file: "shop/db.py", line: 4, message: "SQL built by interpolation" }],
  reference: "SEC-7743-KQ",
});
const SENTENCE: Evidence = { id: "said", text: "1 security finding in 8 lines of shop/db.py (SEC-7743-KQ)" };
const ORDERS = json("orders", {
  orders: [{ id: "A-1", customer: "Ana", status: "shipped" }, { id: "A-2", customer: "Bea", status: "late" }],
});
const PAYMENTS = json("payments", {
  payments: [{ payment: "P-1", method: "card", cents: 700 }, { payment: "P-2", method: "transfer", cents: 900 }],
});
const POLICY = json("policy", {
  text: "Duplicate charges are refunded automatically within 5 business days; a goodwill credit of $10 beyond that.",
  effective: "2026-11",
  reference: "POL-9043-TW",
});

const verdictOf = (claim: string, ...evidence: Evidence[]): ClaimVerdict => checkClaim(claim, evidence).verdict;
const kindsOf = (claim: string, ...evidence: Evidence[]): ClaimReasonKind[] =>
  checkClaim(claim, evidence).reasons.map(({ kind }) => kind);

const FINDING = "1 security finding in 8 lines of shop/db.py (SEC-7743-KQ).";

Deno.test("checkClaim() does not hold what one observation says against the rows of another", () => {
  for (const rows of [LINES, GREP]) {
    for (const said of [INSPECTION, SENTENCE]) {
      assert.equal(verdictOf(FINDING, rows, said), "supported", `${rows.id}, ${said.id}`);
      assert.equal(verdictOf(FINDING, said, rows), "supported", `${said.id}, ${rows.id}`);
    }
  }
});

Deno.test("checkClaim() still holds the wrong number against it", () => {
  assert.equal(verdictOf(FINDING.replace("1 sec", "9 sec"), LINES, INSPECTION), "unsupported");
  assert.equal(verdictOf(FINDING.replace("8 lines", "30 lines"), LINES, SENTENCE), "unsupported");
});

Deno.test("checkClaim() asks for one row only within one table", () => {
  assert.equal(verdictOf("Order A-2 of Bea is late; it was paid by card.", ORDERS, PAYMENTS), "supported");
  assert.equal(verdictOf("Order A-2 of Bea is shipped.", ORDERS, PAYMENTS), "unsupported");
  assert.equal(verdictOf("The payment P-2 was made by card.", ORDERS, PAYMENTS), "unsupported");
});

Deno.test("checkClaim() does not hold an empty field of one observation against what another one says", () => {
  const said: Evidence = { id: "mail", text: "Norwind delivered the parcel on 12 July 2026" };
  const empty = json("shipment", { carrier: "Norwind", delivered: null });
  assert.equal(verdictOf("Norwind delivered the parcel on 12 July 2026.", empty, said), "supported");
  assert.equal(verdictOf("Norwind delivered the parcel.", empty), "unsupported");
});

Deno.test("checkClaim() takes no sentence for the same that a `not` sets apart", () => {
  const evidence: Evidence = { id: "e", text: "The refund for order A-7 was not approved by the operator" };
  assert.equal(verdictOf("The refund for order A-7 was approved by the operator.", evidence), "unsupported");
});

Deno.test("checkClaim() knows a reference again, however it is written", () => {
  const written = ["see pol 9043 tw", "see POL_9043_TW", "see f'POL-9043-TW'", "see POL‑9043‑TW", "see pol-9043-tw"];
  for (const text of written) {
    assert.ok(!kindsOf("See POL-9043-TW.", { id: "e", text }).includes("reference_missing"), text);
  }
  assert.equal(verdictOf("POL‑9043‑TW's credit is $10.", POLICY), "supported");
});

Deno.test("checkClaim() takes no part of a reference for it", () => {
  for (const claim of ["See POL-9043.", "See POL-904.", "See POL-9043-TWX.", "See XPOL-9043-TW."]) {
    assert.ok(kindsOf(claim, POLICY).includes("reference_missing"), claim);
  }
});

Deno.test("checkClaim() leaves a clause open of which the evidence has another word", () => {
  const claim =
    "Duplicate charges are refunded automatically within 5 business days, in force since 2026-11 (POL-9043-TW).";
  assert.equal(verdictOf(claim, POLICY), "supported");
  const swapped = claim.replace("automatically", "manually");
  assert.equal(verdictOf(swapped, POLICY), "undetermined");
  assert.ok(kindsOf(swapped, POLICY).includes("wording"));
  assert.equal(verdictOf(claim.replace("automatically ", ""), POLICY), "supported");
});

Deno.test("checkClaim() bears out what a short observation says beside one too long to be read", () => {
  const long: Evidence = {
    id: "long",
    text: `The release is planned for 4 March 2027. ${"more ".repeat(MAX_EVIDENCE)}`,
  };
  const lead = json("lead", { entity: "Northwind", observations: ["Ada Brandt leads Northwind"] });
  const alone = checkClaim("Ada Brandt leads Northwind.", [long, lead]);
  assert.deepEqual([alone.verdict, alone.evidence], ["supported", ["lead"]]);
  assert.ok(alone.reasons.some(({ kind }) => kind === "not_read"));
  assert.equal(verdictOf("The release is planned for 4 March 2027.", long, lead), "supported");
  assert.equal(verdictOf("Ada Brandt left Northwind in haste.", long, lead), "undetermined");
});

Deno.test("checkClaim() gives the same answer the second time, and the ids that it is given", () => {
  const first = checkClaim(FINDING, [LINES, INSPECTION]);
  assert.deepEqual(checkClaim(FINDING, [LINES, INSPECTION]), first);
  assert.ok(first.evidence.includes("security"));
  const turned = checkClaim(FINDING, [{ ...INSPECTION, id: "x" }, { ...LINES, id: "y" }]);
  assert.equal(turned.verdict, "supported");
  assert.ok(turned.evidence.includes("x"));
});
