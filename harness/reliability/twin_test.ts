import assert from "node:assert/strict";
import type { Cell } from "../trace/event.ts";
import type { CellRow } from "./row.ts";
import { lostToFaults, wireOverhead } from "./twin.ts";

function row(cell: Partial<Cell>, makespan: number | null, faults = 0): CellRow {
  const whole: Cell = {
    ...{ scenario: "a", variant: null, lane: "sim", subject: "reference", model: "scripted", seed: "0", repeat: 1 },
    ...cell,
  };
  return { cell: whole, outcome: "pass", scores: [], makespan, faults, parts: [] };
}

Deno.test("lostToFaults() sets each cell with faults beside the healthy cell of its scenario", () => {
  const rows = [
    row({ variant: "hangs" }, 3000.25, 1),
    row({}, 500),
    row({ variant: "healthy-too" }, 700),
    row({ variant: "hangs", seed: "1" }, 3000, 1),
    row({ scenario: "b", variant: "fine" }, 40),
    row({ scenario: "b" }, 30, 2),
    row({ scenario: "c" }, 30, 2),
  ];
  const expected = [
    { cell: "a/hangs@sim", twin: "a@sim", ms: 2500.25 },
    { cell: "b@sim", twin: "b/fine@sim", ms: -10 },
  ];
  assert.deepEqual(lostToFaults(rows), expected);
  assert.deepEqual(lostToFaults(rows.toReversed()), expected);
});

Deno.test("wireOverhead() sets each wire cell beside its sim cell, where both were measured", () => {
  const rows = [
    row({ lane: "wire" }, 512.5),
    row({}, 500),
    row({ lane: "wire", variant: "v" }, null),
    row({ variant: "v" }, 500),
    row({ lane: "wire", scenario: "b" }, 1),
  ];
  assert.deepEqual(wireOverhead(rows), [{ cell: "a@wire", twin: "a@sim", ms: 12.5 }]);
});
