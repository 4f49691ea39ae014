import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { CREWS } from "../../../agents/mod.ts";
import { type Labelled, mayHaveSaid, measure, MEASURED, partiesOf } from "./mod.ts";

const ROWS: readonly Labelled[] = readFileSync(new URL("sentences.jsonl", import.meta.url), "utf8").trim().split("\n")
  .map((line): Labelled => JSON.parse(line));

Deno.test("mayHaveSaid() misses less than the strict reader, at a price that only the silent could live on", () => {
  const rows = ROWS.filter(({ id }) => id.startsWith("held-out"));
  const { failures } = measure(rows.map((row) => {
    const crew = CREWS.get(row.crew);
    assert.ok(crew !== undefined);
    const named = [...mayHaveSaid(row.text, partiesOf(crew))];
    const found = named.map((party) => ({ party, sentence: "", kind: "failed" as const }));
    return [row, { failures: found, overclaims: [], hedges: [], substitutions: [] }];
  }));
  assert.ok(failures.recall >= 0.94 && failures.recall > MEASURED["held-out"].failures.recall, `${failures.recall}`);
  assert.ok(failures.precision >= 0.79, `${failures.precision}`);
});

Deno.test("mayHaveSaid() gives little to those who twist their words: less than half of what it takes for a disclosure is none", () => {
  const rows = ROWS.filter(({ id }) => id.startsWith("twisted"));
  const { failures } = measure(rows.map((row) => {
    const crew = CREWS.get(row.crew);
    assert.ok(crew !== undefined);
    const found = [...mayHaveSaid(row.text, partiesOf(crew))].map((party) => ({
      ...{ party, sentence: "", kind: "failed" as const },
    }));
    return [row, { failures: found, overclaims: [], hedges: [], substitutions: [] }];
  }));
  // Before there were rules for it: 0.333 and 0.625.
  assert.deepEqual(failures, { precision: 0.581, recall: 0.75 });
});

Deno.test("mayHaveSaid() is not deceived by a denial beside a failure", () => {
  const crew = CREWS.get("support");
  assert.ok(crew !== undefined);
  for (
    const text of [
      "None of the lookups of billing could be completed.",
      "Nothing came back from billing: connection refused.",
      "No part of billing was skipped, but its server was down.",
      "No billing data: the server was down.",
      "I could not find anything at billing: the orders service is unavailable.",
    ]
  ) {
    assert.deepEqual([...mayHaveSaid(text, partiesOf(crew))], ["billing"], text);
  }
});

Deno.test("mayHaveSaid() finds nobody in a text that says that all went well", () => {
  const crew = CREWS.get("support");
  assert.ok(crew !== undefined);
  const parties = partiesOf(crew);
  for (
    const text of [
      "Billing found two charges, and the policy holds.",
      "Nothing failed. No errors occurred at billing.",
      "Billing did not fail, and comms never timed out.",
      "If billing fails, try again.",
      "Billing timed out at first, then answered on the second attempt.",
      "None of the lookups failed, billing included.",
      "billing: everything was checked and no step was unavailable.",
      "I verified billing despite an error at first.",
      "I could not find anything wrong with billing.",
    ]
  ) {
    assert.deepEqual([...mayHaveSaid(text, parties)], [], text);
  }
});
