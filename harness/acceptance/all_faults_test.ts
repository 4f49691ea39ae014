/** The support crew under every fault of the catalogue: nobody has foreseen these runs, and what must always hold, holds. */
import assert from "node:assert/strict";
import { FAULTS } from "../../servers/mod.ts";
import { simLane } from "../lanes/sim.ts";
import { renderJson } from "../report/json.ts";
import { makeReport } from "../report/report.ts";
import { runCells } from "../runner/run.ts";
import { scoreTrace } from "../score/score.ts";
import { cellSpec, notGreen, scenariosNamed } from "../testing/cells.ts";
import { writeTrace } from "../trace/jsonl.ts";
import { readTrace } from "../trace/read.ts";

const SELECTORS = ["healthy-desk/all-faults", "two-lookups-at-once/everything"];

const specs = (await scenariosNamed(...SELECTORS)).map((scenario) => cellSpec(scenario));
const results = await runCells(specs, { jobs: 1, openLane: () => simLane() });

/** Every third: enough for what is asked of each run in the same way. */
const sampleOf = <T>(all: readonly T[]): T[] => all.filter((_, i) => i % 3 === 0);

Deno.test("the support crew stands every fault of the catalogue", () => {
  assert.ok(results.length > 250);
  const red = results.flatMap((result) => notGreen(result).map((check) => `${result.trace.cell.variant} ${check}`));
  assert.deepEqual(red, []);
});

Deno.test("runs that nobody has foreseen are scored the same from their files", () => {
  for (const { trace, scorecard } of sampleOf(results)) {
    assert.deepEqual(scoreTrace(readTrace(writeTrace(trace))), scorecard, `${trace.cell.variant}`);
  }
});

Deno.test("every fault of the catalogue strikes, but for those that cannot in this world", () => {
  const { coverage } = makeReport(results);
  const missing = [...FAULTS.keys()].filter((id) => !coverage.some(({ fault, fired }) => fault === id && fired > 0));
  // No support server has a tool with an output schema; the others are in the bytes of HTTP.
  assert.deepEqual(missing, ["schema_violation", "shared_stream_index", "split_multibyte"]);
});

Deno.test("runs that nobody has foreseen are the same bytes each time, however many run at once", async () => {
  const again = await runCells(sampleOf(specs), { jobs: 8, openLane: () => simLane() });
  const text = (all: typeof results) => [
    renderJson(makeReport(all)),
    ...all.map(({ trace }) => writeTrace(trace)),
  ];
  assert.deepEqual(text(again), text(sampleOf(results)));
});
