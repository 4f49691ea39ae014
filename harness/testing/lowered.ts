/** Tests in which a bad subject changes exactly the right parts of a score. */
import assert from "node:assert/strict";
import type { Subject } from "../../agents/mod.ts";
import type { CellResult } from "../runner/run.ts";
import type { Scenario } from "../scenario/mod.ts";
import type { Score, ScoreId } from "../score/scores.ts";
import { cellSpec, runOne, scenariosNamed } from "./cells.ts";

/** One bad subject, and all that it changes. */
export interface Lowered {
  /** What is tested, as a sentence that starts with the symbol. */
  readonly name: string;
  /** Which score. */
  readonly score: ScoreId;
  /** Name of the scenario or, with a slash, of one of its variants, or the scenario itself. */
  readonly scenario: string | Scenario;
  readonly subject: Subject;
  /** Each part that is not as the reference has it, with what both have. The score's own value is `value`. */
  readonly changed: Readonly<Record<string, readonly [reference: number | null, subject: number | null]>>;
  /** What the score says. */
  readonly says: RegExp;
}

/** Declares one test a row. */
export function testLowered(rows: readonly Lowered[]): void {
  for (const { name, score, scenario, subject, changed, says } of rows) {
    Deno.test(name, async () => {
      const [named] = typeof scenario === "string" ? await scenariosNamed(scenario) : [scenario];
      assert.ok(named !== undefined);
      const good = partsOf(scoreNamed(await runOne(cellSpec(named)), score));
      const result = await runOne(cellSpec(named, { subject }));
      const own = scoreNamed(result, score);
      const bad = partsOf(own);
      const differ = [...good].filter(([id, value]) => bad.get(id) !== value)
        .map(([id, value]) => [id, [value, bad.get(id)]] as const);
      assert.deepEqual(Object.fromEntries(differ), changed);
      assert.match(own.message, says);
      for (const seq of own.evidence) assert.ok(result.trace.events[seq], `it rests on event ${seq}`);
    });
  }
}

/** A score by its id. */
export function scoreNamed({ scorecard: { scores } }: Pick<CellResult, "scorecard">, id: ScoreId): Score {
  const found = scores.find((score) => score.id === id);
  if (found === undefined) throw new RangeError(`no score ${id}`);
  return found;
}

/** A score's value and its parts, by id. */
export function partsOf({ value, components }: Score): Map<string, number | null> {
  return new Map([["value", value], ...components.map((part) => [part.id, part.value] as const)]);
}
