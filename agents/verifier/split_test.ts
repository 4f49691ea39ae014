import assert from "node:assert/strict";
import { splitClaims } from "./mod.ts";

const CASES: readonly (readonly [name: string, note: string, parts: readonly string[]])[] = [
  ["at full stops, question and exclamation marks", "One. Two! Three?", ["One.", "Two!", "Three?"]],
  ["not inside of an amount", "It costs $129.00 in all. It is 3.5 kg.", ["It costs $129.00 in all.", "It is 3.5 kg."]],
  ["not after an initial", "R. Okafor was charged. J. R. Smith was not.", [
    "R. Okafor was charged.",
    "J. R. Smith was not.",
  ]],
  ["not after e.g. and i.e.", "Use a card, e.g. a debit card. Done.", ["Use a card, e.g. a debit card.", "Done."]],
  ["not after Dr. and No.", "Dr. Lee saw no. 12. It was late.", ["Dr. Lee saw no. 12.", "It was late."]],
  ["not inside of p.m.", "It opens at 5:30 p.m. on Monday.", ["It opens at 5:30 p.m. on Monday."]],
  ["after p.m. before a capital", "It opens at 5:30 p.m. It closes late.", [
    "It opens at 5:30 p.m.",
    "It closes late.",
  ]],
  ["at semicolons", "Two charges; no refund yet.", ["Two charges;", "no refund yet."]],
  [
    "not inside of brackets",
    "Clears in 5 days (KB-201; see R. Okafor. KBX-5518-MT). Done.",
    ["Clears in 5 days (KB-201; see R. Okafor. KBX-5518-MT).", "Done."],
  ],
  ["at line breaks", "First\nSecond\r\n\r\nThird", ["First", "Second", "Third"]],
  ["not after the number of a list", "1. Open it.\n2. Close it.", ["1. Open it.", "2. Close it."]],
  ["at bullets only where lines end", "- a, b\n- c", ["- a, b", "- c"]],
  ["after closing quotes", 'He said "no." Then he left.', ['He said "no."', "Then he left."]],
  ["not at an ellipsis inside of a word", "v1.2.3 is out. Yes", ["v1.2.3 is out.", "Yes"]],
  ["though a bracket stays open", "It is (broken. It goes on.", ["It is (broken. It goes on."]],
  ["into nothing if there is nothing", " \n ", []],
];

for (const [name, note, parts] of CASES) {
  Deno.test(`splitClaims() cuts ${name}`, () => assert.deepEqual(splitClaims(note), parts));
}

Deno.test("splitClaims() loses nothing but white space", () => {
  for (const [, note] of CASES) {
    assert.equal(splitClaims(note).join("").replace(/\s/g, ""), note.replace(/\s/g, ""));
  }
});
