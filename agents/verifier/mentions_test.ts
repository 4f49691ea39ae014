import assert from "node:assert/strict";
import { type Mention, readMentions } from "./mentions.ts";
import { tokenize } from "./tokens.ts";

/** A mention in short: what it is and what it holds. */
function short(mention: Mention): string {
  switch (mention.kind) {
    case "reference":
      return `ref ${mention.key}`;
    case "date":
      return `date ${mention.year ?? "?"}-${mention.month ?? "?"}-${mention.day ?? "?"}`;
    case "time":
      return `time ${mention.minutes.join("/")}`;
    case "number":
      return `${mention.value}${mention.unit === undefined ? "" : ` ${mention.unit.name}`}${
        mention.ordinal ? "th" : ""
      }`;
  }
}

const CASES: readonly (readonly [text: string, mentions: readonly string[]])[] = [
  ["order 12345, ORD-7731-KX", ["12345", "ref ORD7731KX"]],
  ["KB-201 and Q3 and a1b2c3d4", ["ref KB201", "ref Q3", "ref A1B2C3D4"]],
  ["version 1.2.3, a 5-star p95", ["ref 1.2.3", "5"]],
  ["2026-07-15, 2026-07 and 7/15/2026", ["date 2026-7-15", "date 2026-7-?", "date 2026-7-15"]],
  ["July 15, 2026; 15 July 2026; 3rd of May", ["date 2026-7-15", "date 2026-7-15", "date ?-5-3"]],
  ["in July, in July 2026, on Jul. 4th; it may march on", ["date ?-7-?", "date 2026-7-?", "date ?-7-4"]],
  ["2026-07-12T09:30:00Z", ["date 2026-7-12", "time 570"]],
  ["17:00, 5 pm, 5:30 p.m., 9:0-17:0", ["time 1020", "time 1020", "time 1050", "time 540", "time 1020"]],
  ["from 9 to 5 pm, 5-9pm", ["time 1260/540", "time 1020", "time 1020/300", "time 1260"]],
  ["noon and midnight", ["time 720", "time 0"]],
  ["$1,290.50, € 3, £5m, 12 cents", ["1290.5 usd", "3 eur", "5000000 gbp", "12 cents"]],
  ["40 %, 40 percent, 40 per cent", ["40 percent", "40 percent", "40 percent"]],
  ["two, twenty-one, three and a half, twice", ["2", "21", "3.5", "2"]],
  ["5 business days, a 5-minute call, 2 km", ["5 business days", "5 minute", "2 km"]],
  ["-3.5, 30-40 minutes, 1.9 million", ["-3.5", "30", "40 minutes", "1900000"]],
  ["the third and the 4th", ["3th", "4th"]],
];

for (const [text, expected] of CASES) {
  Deno.test(`readMentions() reads ${text}`, () => {
    assert.deepEqual(readMentions(tokenize(text)).map(short), expected);
  });
}
