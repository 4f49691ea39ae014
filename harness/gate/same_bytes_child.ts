/** Writes goldens of a project that lies elsewhere, then gates it: run by its test in another place. */
import { processIo } from "../cli/io.ts";
import { executeGate } from "./gate.ts";
import { placeIn } from "./place.ts";
import { SUBJECTS } from "./subjects.ts";
import { executeGolden } from "./update.ts";

if (import.meta.main) {
  const [base = ".", jobs = "1"] = Deno.args;
  // Its test wants to see that this place is another one.
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  processIo().err(`${timeZone} ${locale} ${(1234.5).toLocaleString()} ${Deno.cwd()}\n`);
  const options = { selectors: [], jobs: Number(jobs), json: false, place: placeIn(base), subjects: SUBJECTS };
  const code = await executeGolden(options, processIo());
  Deno.exit(code === 0 ? await executeGate(options, processIo()) : code);
}
