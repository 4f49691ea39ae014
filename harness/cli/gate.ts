/** `bench gate`: compares a fresh run with the goldens, the thresholds and the expected failures. */
import { resolve } from "node:path/posix";
import { executeGate } from "../gate/gate.ts";
import { PROJECT } from "../gate/place.ts";
import { SUBJECTS } from "../gate/subjects.ts";
import type { CliIo } from "./io.ts";
import { wholeNumber } from "./options.ts";

/** Options of `gate`, and of `golden`. */
export interface GateFlags {
  /** `--jobs`. */
  readonly jobs: string;
  /** `--json`. */
  readonly json?: true;
  /** `--subject`, of `gate` alone. */
  readonly subject?: string;
  /** `--output`, each time it is given; of `gate` alone. */
  readonly output?: readonly string[];
}

/** See {@linkcode CommandModule}. */
export async function execute(selectors: readonly string[], flags: GateFlags, io: CliIo): Promise<number> {
  const { jobs, json = false, subject, output = [] } = flags;
  return await executeGate({
    selectors,
    jobs: wholeNumber("--jobs", jobs, 1, 1024),
    json,
    place: PROJECT,
    subjects: SUBJECTS,
    outputs: output.map((path) => resolve(io.cwd, path)),
    ...(subject === undefined ? {} : { subject }),
  }, io);
}
