/** Prints report and traces of the whole `sim` lane: run by its test in another place. */
import { simLane } from "../lanes/sim.ts";
import { renderJson } from "../report/json.ts";
import { makeReport } from "../report/report.ts";
import { runCells } from "../runner/run.ts";
import { cellSpec, SCENARIOS } from "../testing/cells.ts";
import { writeTrace } from "../trace/jsonl.ts";

/** The report and the traces of the whole `sim` lane, as they are written. */
export async function wholeLane(jobs: number, reuse = true): Promise<string> {
  const specs = SCENARIOS.map((scenario) => cellSpec(scenario));
  const results = await runCells(specs, { jobs, openLane: () => simLane({ reuse }) });
  return [renderJson(makeReport(results)), ...results.map(({ trace }) => writeTrace(trace))].join("\0");
}

if (import.meta.main) {
  const bytes = new TextEncoder().encode(await wholeLane(2));
  for (let done = 0; done < bytes.length;) done += await Deno.stdout.write(bytes.subarray(done));
}
