import { z } from "zod";
import { nearest } from "../../core/mod.ts";
import { blackHole } from "./black_hole.ts";
import { errorInBand } from "./error_in_band.ts";
import type { EntrySchema, Fault, FaultEntry } from "./fault.ts";
import { latency } from "./latency.ts";
import { serverDown } from "./server_down.ts";
import { toolError } from "./tool_error.ts";

/** The catalogue, by layer. A new fault is added here and nowhere else. */
const CATALOGUE: readonly [Fault, ...Fault[]] = [
  // transport
  serverDown,
  blackHole,
  latency,
  // result
  toolError,
  errorInBand,
];

/** Every fault by its id. */
export const FAULTS: ReadonlyMap<string, Fault> = new Map(CATALOGUE.map((fault) => [fault.id, fault]));

const [first, ...rest] = CATALOGUE;
const entries: [EntrySchema, ...EntrySchema[]] = [first.entry, ...rest.map(({ entry }) => entry)];

/** A fault's line in a scenario: `{ fault, at, when?, ...parameters }`, strict, chosen by `fault`. */
export const faultEntrySchema: z.ZodType<FaultEntry> = z.discriminatedUnion("fault", entries, {
  error: ({ input }) => {
    const fault = typeof input === "object" && input !== null && "fault" in input ? input.fault : undefined;
    const near = typeof fault === "string" ? nearest(fault, FAULTS.keys()) : undefined;
    if (near !== undefined) return `unknown fault "${fault}" (did you mean "${near}"?)`;
    return `unknown fault ${JSON.stringify(fault)}: there are ${[...FAULTS.keys()].join(", ")}`;
  },
});
