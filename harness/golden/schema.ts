/** What a golden holds: the canonical report of one scenario and its variants, for a person to read in a pull request. */
import * as z from "zod";
import { Name } from "../scenario/schema.ts";

/** Version of the format; a reader refuses any other. */
export const GOLDEN_SCHEMA = 1;

const Lines = z.array(z.string());

/** A score and its components. */
export const GoldenScore = z.strictObject({
  /** To 4 places; `null` where the cell says nothing about it. */
  value: z.number().nullable(),
  /** What it counts. */
  unit: z.string(),
  /** What a person would say of it. */
  message: z.string(),
  /** Components that there is something to count of, by id; to 4 places. */
  components: z.record(z.string(), z.number()),
});

/** One cell. Times are virtual milliseconds. */
export const GoldenCell = z.strictObject({
  /** Name of the variant; `null` for the scenario itself. */
  variant: z.string().nullable(),
  story: z.string(),
  /** The worst outcome of its checks. */
  outcome: z.enum(["pass", "fail", "error", "untestable"]),
  /** How the run ended. */
  ended: z.string(),
  makespan: z.number().nullable(),
  /** As `fault at place`. */
  faults: Lines,
  /** Packets in the order of dispatch. */
  plan: Lines,
  /** What each worker came to. */
  workers: Lines,
  /** Tool calls that left the hub, in order. */
  calls: Lines,
  /** What was done about each failure, in order. */
  routes: Lines,
  /** Who failed, with which code, and what stands in. */
  lost: z.string(),
  /** Status and text of the answer; `null` if there is none. */
  answer: z.strictObject({ status: z.string(), text: Lines }).nullable(),
  scores: z.record(z.string(), GoldenScore),
  checks: z.strictObject({
    /** How many there are. */
    count: z.int(),
    /** What is checked, and how often; see `kindLines`. */
    kinds: Lines,
    /** Start of the SHA-256 of all ids. */
    digest: z.string(),
    /** As `outcome id: message`; none for a sound reference. */
    red: Lines,
  }),
  trace: z.strictObject({
    /** SHA-256 of the canonical trace. */
    sha256: z.string(),
    /** One short digest an event, in the order of the trace. They say where traces part, and prove nothing. */
    events: Lines,
  }),
});

/** One file: a scenario with its variants that are written out. */
export const Golden = z.strictObject({
  schema: z.literal(GOLDEN_SCHEMA, `the format's version must be ${GOLDEN_SCHEMA}`),
  scenario: Name,
  crew: Name,
  /** SHA-256 of everything else in the file: who edits it by hand is found out. */
  sha256: z.string(),
  cells: z.array(GoldenCell).min(1),
});

/** See {@linkcode GoldenScore}. */
export type GoldenScore = z.infer<typeof GoldenScore>;
/** See {@linkcode GoldenCell}. */
export type GoldenCell = z.infer<typeof GoldenCell>;
/** See {@linkcode Golden}. */
export type Golden = z.infer<typeof Golden>;
