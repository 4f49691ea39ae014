/** Tests in which a check goes red for the right reason. */
import assert from "node:assert/strict";
import type { Subject } from "../../agents/mod.ts";
import type { Scenario } from "../scenario/mod.ts";
import { cellSpec, checkNamed, notGreen, runOne, scenariosNamed } from "./cells.ts";

/** One bad subject, or one bad scenario, and all that goes red. */
export interface Red {
  /** What is tested, as a sentence that starts with the symbol. */
  readonly name: string;
  /** Reference, if not given. */
  readonly subject?: Subject;
  /** Name of the scenario or, with a slash, of one of its variants, or the scenario itself. */
  readonly scenario: string | Scenario;
  /** Everything that does not pass, as `outcome id`: nothing else may go red with it. */
  readonly red: readonly string[];
  /** What some of the checks say. */
  readonly says: Readonly<Record<string, RegExp>>;
}

/** Declares one test a row. */
export function testReds(rows: readonly Red[]): void {
  for (const { name, subject, scenario, red, says } of rows) {
    Deno.test(name, async () => {
      const [named] = typeof scenario === "string" ? await scenariosNamed(scenario) : [scenario];
      const result = await runOne(cellSpec(named ?? scenario, subject === undefined ? {} : { subject }));
      assert.deepEqual(notGreen(result), [...red].sort());
      for (const [id, message] of Object.entries(says)) {
        const check = checkNamed(result, id);
        assert.match(check.message, message);
        for (const seq of check.evidence) assert.ok(result.trace.events[seq], `${id} rests on event ${seq}`);
      }
    });
  }
}
