/** Writes goldens of a project that lies elsewhere, then gates it: run by its test in another place. */
import { processIo } from "../cli/io.ts";
import { executeGate } from "./gate.ts";
import { placeIn } from "./place.ts";
import { SUBJECTS } from "./subjects.ts";
import { executeGolden } from "./update.ts";

if (import.meta.main) {
  const [base = ".", jobs = "1"] = Deno.args;
  const options = { selectors: [], jobs: Number(jobs), json: false, place: placeIn(base), subjects: SUBJECTS };
  const code = await executeGolden(options, processIo());
  Deno.exit(code === 0 ? await executeGate(options, processIo()) : code);
}
