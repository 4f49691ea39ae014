/** How much the scenarios cover: enough of them, of every crew, and no two that come to the same. */
import assert from "node:assert/strict";
import { CREWS } from "../../agents/mod.ts";
import { canonicalJson } from "../../core/mod.ts";
import { SCENARIOS } from "../testing/all_scenarios.ts";
import { scenariosNamed, type WrittenScenario } from "../testing/cells.ts";

const nameOf = ({ name, variant }: WrittenScenario) => variant === null ? name : `${name}/${variant}`;
const bases = SCENARIOS.filter(({ variant }) => variant === null);

Deno.test("no two scenarios, variants included, share both faults and expectations", () => {
  // Through JSON, so that what is left out and what is undefined are the same.
  const said = (scenario: WrittenScenario) =>
    canonicalJson(JSON.parse(JSON.stringify({ faults: scenario.faults, expect: scenario.expect })));
  const alike = [...Map.groupBy(SCENARIOS, said).values()].filter(({ length }) => length > 1);
  assert.deepEqual(alike.map((pair) => pair.map(nameOf)), []);
});

Deno.test("there are at least 60 scenarios over the four crews, and more than half have variants", async () => {
  assert.ok(bases.length >= 60, `${bases.length} scenarios`);
  assert.deepEqual([...new Set(bases.map(({ crew }) => crew))].sort(), ["brief", "research", "review", "support"]);
  assert.deepEqual([...CREWS.keys()].sort(), ["brief", "research", "review", "support"]);
  const groups = await scenariosNamed("*/*");
  const varied = new Set(groups.map(({ name }) => name));
  assert.ok(varied.size * 2 > bases.length, `${varied.size} of ${bases.length} scenarios have variants`);
});

Deno.test("each crew has a run in which nothing goes wrong, and runs that degrade and that fail", () => {
  for (const crew of CREWS.keys()) {
    const own = SCENARIOS.filter((scenario) => scenario.crew === crew);
    const healthy = own.filter(({ faults, expect }) =>
      faults.length === 0 && expect.status === "complete" && Object.keys(expect.recovered ?? {}).length === 0
    );
    assert.ok(healthy.length > 0, `${crew} has no healthy run`);
    for (const status of ["degraded", "failed"] as const) {
      assert.ok(own.some(({ expect }) => expect.status === status), `${crew} has no run that is ${status}`);
    }
    assert.ok(own.filter(({ faults }) => faults.length > 0).length >= 5, `${crew} has too few faults`);
  }
});
