/** What a recording has of a cell: under which name, and without which secrets. */
import { Redactor } from "../../core/mod.ts";
import type { Scenario } from "../scenario/schema.ts";
import { type Cell, cellId } from "../trace/event.ts";

/** A cell's name in a recording: without its model, which stands beside it, and without its lane, which changes nothing. */
export function recordedCell(cell: Cell): string {
  return cellId({ ...cell, lane: "wire", model: "scripted" }).replace("@wire", "");
}

/** Takes out the scenario's secrets, whose markers a replay fills in again, and the keys. */
export function redactorOf({ secrets }: Pick<Scenario, "secrets">, keys: readonly string[]): Redactor {
  const known = new Map(Object.entries(secrets));
  keys.forEach((key, i) => key.length < 6 || known.set(`provider-key-${i + 1}`, key));
  return new Redactor(known);
}
