/** `bench golden`: writes the goldens anew and tells what has changed. */
import { PROJECT } from "../gate/place.ts";
import { executeGolden } from "../gate/update.ts";
import { execute as executeGate, type GateFlags } from "./gate.ts";
import type { CliIo } from "./io.ts";
import { wholeNumber } from "./options.ts";

/** Options of `golden`. */
export interface GoldenFlags extends Omit<GateFlags, "subject" | "output"> {
  /** `--check`. */
  readonly check?: true;
}

/** See {@linkcode CommandModule}. */
export async function execute(selectors: readonly string[], flags: GoldenFlags, io: CliIo): Promise<number> {
  const { check, jobs, json = false } = flags;
  if (check) return await executeGate(selectors, flags, io);
  return await executeGolden({
    selectors,
    jobs: wholeNumber("--jobs", jobs, 1, 1024),
    json,
    place: PROJECT,
  }, io);
}
