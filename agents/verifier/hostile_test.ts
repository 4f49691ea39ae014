import assert from "node:assert/strict";
import { checkClaim, splitClaims } from "./mod.ts";
import { MAX_CLAIM, readClaim } from "./claim.ts";
import { MAX_EVIDENCE, MAX_FIELDS, readEvidence } from "./evidence.ts";

const CLAIM = "The total is 7 and key5 is late, such as a, b and c (A-77), from 9 am to 5 pm on Monday.";
const evidence = (text: string) => [{ id: "e", text }];

const LONG = {
  "deep JSON": "[".repeat(200_000) + "]".repeat(200_000),
  "deep objects": `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
  "five megabytes of prose": "lorem ipsum dolor 12 sit ".repeat(200_000),
  "a large table": JSON.stringify(
    Array.from({ length: 30_000 }, (_, i) => ({ id: `A-${i}`, n: i, late: i % 2 === 0 })),
  ),
  "many names": JSON.stringify(
    Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`key${i} a${i % 99}`, null])),
  ),
};

for (const [name, text] of Object.entries(LONG)) {
  Deno.test(`checkClaim() reads ${name} only up to its limits, and says so`, () => {
    const { verdict, reasons } = checkClaim(CLAIM, evidence(text));
    assert.equal(verdict, "undetermined");
    assert.ok(reasons.some(({ kind }) => kind === "not_read"));
  });
}

Deno.test("readEvidence() bounds what all later checks work on", () => {
  for (const text of Object.values(LONG)) {
    const { fields, sightings, passages, cut } = readEvidence([...evidence(text), ...evidence(text)]);
    assert.ok(cut);
    assert.ok(fields.length <= MAX_FIELDS);
    assert.ok(sightings.length <= MAX_EVIDENCE && passages.length <= MAX_EVIDENCE);
  }
});

const BOMBS = {
  "a wall of words": "a ".repeat(50_000),
  "numbers": "12, ".repeat(25_000),
  "quotes": '"'.repeat(100_000),
  "full stops": ".".repeat(100_000),
  "open brackets": "(".repeat(100_000),
  "initials": "R. ".repeat(30_000),
  "dotted letters": "a.".repeat(50_000),
  "half of a phrase": "could not be ".repeat(8_000),
  "dollars": "$".repeat(100_000),
  "one endless reference": "A-1".repeat(30_000),
  "one endless time": "1:".repeat(50_000),
  "one endless number": "1,".repeat(50_000),
  "line breaks": "\n".repeat(100_000),
  "backslashes and stars": "\\*(a+)+$".repeat(10_000),
};

for (const [name, text] of Object.entries(BOMBS)) {
  Deno.test(`checkClaim() and splitClaims() come through ${name}`, () => {
    assert.equal(splitClaims(text).join("").replace(/\s/g, ""), text.replace(/\s/g, ""));
    assert.notEqual(checkClaim(text, evidence(text)).verdict, "unsupported");
    assert.ok(readClaim(text).tokens.length <= MAX_CLAIM);
  });
}

Deno.test("checkClaim() comes through many references that the evidence nearly has, and tables of all shapes", () => {
  const references = Array.from({ length: 60 }, (_, i) => `${"A-1-".repeat(10)}${i + 2}`).join(" ");
  assert.equal(checkClaim(references, evidence("A-1-".repeat(60_000))).verdict, "unsupported");
  const shapes = Array.from({ length: 2_000 }, (_, i) => [{ [`a${i}`]: "late", n: 7 }, { [`a${i}`]: "due", n: 8 }]);
  assert.ok(checkClaim("The order is late, with 8.", evidence(JSON.stringify(shapes))).reasons.length > 0);
});

Deno.test("checkClaim() says of a claim longer than it reads that it is not read", () => {
  const { verdict, reasons } = checkClaim(
    `The total is 7. ${"The total is 7. ".repeat(10_000)}`,
    evidence('{"total": 7}'),
  );
  assert.equal(verdict, "undetermined");
  assert.ok(reasons.some(({ kind }) => kind === "not_read"));
});

Deno.test("checkClaim() finds a contradiction in what it has read, however long the rest is", () => {
  const padded = [{ id: "a", text: '{"refund": "none on file"}' }, ...evidence("x ".repeat(MAX_EVIDENCE))];
  assert.equal(checkClaim("A refund is on file.", padded).verdict, "unsupported");
});

Deno.test("checkClaim() takes the names of Object.prototype for names like any other", () => {
  const text = '{"__proto__": {"polluted": 5}, "constructor": 6, "toString": false}';
  assert.equal(checkClaim("The polluted value is 5 and the constructor is 6.", evidence(text)).verdict, "supported");
  assert.equal(checkClaim("The constructor is 9.", evidence(text)).verdict, "unsupported");
  assert.equal(Reflect.get({}, "polluted"), undefined);
});

Deno.test("checkClaim() gives the same result each time and leaves its input alone", () => {
  const input = Object.freeze(evidence('{"total": 7}').map((one) => Object.freeze(one)));
  assert.deepEqual(checkClaim("The total is 7.", input), checkClaim("The total is 7.", input));
  const long = evidence(`{"total": 7}${" ".repeat(10_000)}`);
  assert.deepEqual(checkClaim("The total is 7.", long), checkClaim("The total is 7.", long));
});

Deno.test("checkClaim() supports nothing without evidence", () => {
  assert.equal(checkClaim("The total is high.", []).verdict, "unsupported");
  assert.equal(checkClaim("", []).verdict, "undetermined");
});
