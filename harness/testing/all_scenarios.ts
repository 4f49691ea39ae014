/** The project's scenarios, all of them: for the tests that go through every one. To read them takes a second of each file's tests. */
import { scenariosNamed, type WrittenScenario } from "./cells.ts";

/** Every scenario and variant of the project that is written out, in order. */
export const SCENARIOS: readonly WrittenScenario[] = (await scenariosNamed()).map((scenario): WrittenScenario => {
  if (scenario.expect === undefined) throw new Error(`${scenario.name} has no ground truth`);
  return { ...scenario, expect: scenario.expect };
});
