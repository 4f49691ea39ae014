/** Prints report and traces of a sample of the `sim` lane: run by its test in another place. */
import { simLane } from "../lanes/sim.ts";
import { OUTPUT_EXTENSIONS } from "../cli/options.ts";
import { rendererOf } from "../report/render.ts";
import { makeReport } from "../report/report.ts";
import { runCells } from "../runner/run.ts";
import { SCENARIOS } from "../testing/all_scenarios.ts";
import { cellSpec } from "../testing/cells.ts";
import { writeTrace } from "../trace/jsonl.ts";

/** Every third scenario, of each crew, by the alphabet. The gate of CI holds all of them against their goldens. */
const SAMPLE = SCENARIOS.filter((_, i) => i % 3 === 0);

/** The report in each of its forms, and the traces, of the sample in `sim`, as they are written. */
export async function sampleOfSim(jobs: number, reuse = true): Promise<string> {
  const specs = SAMPLE.map((scenario) => cellSpec(scenario));
  const results = await runCells(specs, { jobs, openLane: () => simLane({ reuse }) });
  const report = makeReport(results);
  const forms = OUTPUT_EXTENSIONS.map(async (extension) => {
    const text = (await rendererOf(`report${extension}`))(report);
    return typeof text === "string" ? text : [...text].join("");
  });
  return [...await Promise.all(forms), ...results.map(({ trace }) => writeTrace(trace))].join("\0");
}

if (import.meta.main) {
  // Its test wants to see that this place is another one.
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  await Deno.stderr.write(new TextEncoder().encode(`${timeZone} ${locale} ${Deno.cwd()}\n`));
  const bytes = new TextEncoder().encode(await sampleOfSim(2));
  for (let done = 0; done < bytes.length;) done += await Deno.stdout.write(bytes.subarray(done));
}
