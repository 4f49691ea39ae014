/** Where the gate's files are. */
import { join } from "node:path/posix";
import { fileURLToPath } from "node:url";

/** Folders and files, absolute, and how people call those that are written about. */
export interface GatePlace {
  /** What paths are called by: the project. */
  readonly base: string;
  /** The folder of scenarios. */
  readonly scenarios: string;
  /** The folder of goldens. */
  readonly goldens: string;
  /** The file of thresholds. */
  readonly thresholds: string;
  /** The folder of expected failures, one file a subject. */
  readonly expected: string;
}

/** The place of a project. */
export function placeIn(base: string): GatePlace {
  return {
    base,
    scenarios: join(base, "scenarios"),
    goldens: join(base, "reports/golden"),
    thresholds: join(base, "reports/thresholds.yaml"),
    expected: join(base, "reports/expected_failures"),
  };
}

/** This project's. */
export const PROJECT: GatePlace = placeIn(fileURLToPath(new URL("../../", import.meta.url)));
