/**
 * What a scenario may say. Everything is strict: an unknown key is an error.
 */
import * as z from "zod";
import { Code, JsonValue } from "../../agents/contracts.ts";
import { duration, faultEntrySchema } from "../../servers/mod.ts";

/** What stands for one variant for each fault of the catalogue that applies. */
export const ALL_FAULTS = "all-faults";

/** A name of a scenario, a variant or a crew. */
export const Name = z.string().regex(/^[a-z0-9][a-z0-9-]*$/, "a name is lower-case letters, digits and dashes");

/** A tool call in a script. */
export const ScriptCall = z.strictObject({
  /** `server.tool`. */
  call: z.string().min(1),
  /** Arguments. */
  with: z.record(z.string(), JsonValue).default({}),
});

/** What a turn does; exactly one of these keys. */
const DEEDS = ["call", "calls", "say", "final"] as const;

/** One turn of a scripted model: `call` (or `calls`), or `say` (a planner's reply), or `final` (a worker's note). */
export const Turn = z.strictObject({
  call: z.string().min(1).optional(),
  with: z.record(z.string(), JsonValue).optional(),
  calls: z.array(ScriptCall).min(1).optional(),
  say: z.string().optional(),
  final: z.string().optional(),
  /** Why the model stopped, where it is not the usual reason. */
  finish: z.enum(["stop", "length", "content_filter", "refusal"]).optional(),
  /** How long the model takes. */
  takes: duration.optional(),
}).superRefine((turn, context) => {
  const deeds = DEEDS.filter((key) => turn[key] !== undefined);
  if (deeds.length !== 1) {
    context.addIssue(`a turn has exactly one of ${DEEDS.join(", ")}; this one has ${deeds.join(" and ") || "none"}`);
  }
  if (turn.with !== undefined && turn.call === undefined) context.addIssue("`with` belongs to `call`");
});

/** What must be true of the plan. */
export const ExpectedPlan = z.strictObject({
  /** Task ids that are dispatched, in the plan's order. */
  nodes: z.array(z.string()),
  /** Pairs [before, after]. */
  edges: z.array(z.tuple([z.string(), z.string()])).default([]),
  /** Facts that a task's packet must carry. */
  facts: z.record(z.string(), z.record(z.string(), JsonValue)).default({}),
});

/** Ground truth about a run. */
export const Expect = z.strictObject({
  /** Status of the answer. */
  status: z.enum(["complete", "degraded", "failed"]),
  /** Each specialist that fails and is not recovered, with its code. Nobody else may fail. */
  failed: z.record(z.string(), Code).default({}),
  /** Each failed specialist that something stands in for. */
  substituted: z.record(z.string(), z.strictObject({ by: z.literal("cached"), as_of: z.string() })).default({}),
  plan: ExpectedPlan.optional(),
  answer: z.strictObject({
    /** Values that the answer must state, with the tool whose result is their source. */
    says: z.array(z.strictObject({ from: z.string(), value: z.string().min(1) })).default([]),
    /** Texts that the answer must not contain, whatever their case. */
    never: z.array(z.string().min(1)).default([]),
  }).prefault({}),
  /** How long the run takes, exactly. Checked in `sim` only. */
  makespan: duration.optional(),
});

/** Keys that a variant may replace. */
const replaceable = {
  /** Data of the servers, by server; what is not given is the fixture's default. */
  servers: z.record(z.string(), z.record(z.string(), JsonValue)).default({}),
  /** Values that occur in one place only, with the tool in whose result they occur. */
  canaries: z.record(z.string().min(6), z.string()).default({}),
  /** Turns of the scripted model, by agent. */
  script: z.record(z.string(), z.array(Turn)),
  /** Faults, in the order in which they are applied. */
  faults: z.array(faultEntrySchema).default([]),
  expect: Expect,
};

/** A variant: what differs from its scenario. Script and servers are replaced key by key, the rest as a whole. */
export const Variant = z.strictObject({
  story: z.string().optional(),
  servers: z.record(z.string(), z.record(z.string(), JsonValue)).optional(),
  script: z.record(z.string(), z.array(Turn)).optional(),
  faults: z.array(faultEntrySchema).optional(),
  expect: Expect.optional(),
});

/** What a map of variants holds under a name: one variant, or one for each fault. */
const Variants = z.record(Name, z.union([z.literal(ALL_FAULTS), Variant]));

/** A scenario file. */
export const ScenarioFile = z.strictObject({
  name: Name,
  /** One sentence: what goes wrong, or that nothing does. */
  story: z.string().min(1),
  crew: Name,
  /** What the user asks. */
  request: z.string().min(1),
  /** A file beside this one with `servers` and `canaries` that several scenarios share. */
  world: z.string().optional(),
  /** Secrets planted in the world, by id; they may be in no artifact. */
  secrets: z.record(z.string(), z.string().min(6)).default({}),
  /** Whether it belongs to the small set that a bare `bench` also runs in the wire lane. */
  smoke: z.boolean().default(false),
  ...replaceable,
  variants: z.union([z.literal(ALL_FAULTS), Variants]).default({}),
});

/** A file that a scenario's `world` names. */
export const WorldFile = z.strictObject({
  servers: replaceable.servers,
  canaries: replaceable.canaries,
});

/** A scenario with its world and one of its variants resolved: what a cell runs, and what its trace embeds. */
export const Scenario = ScenarioFile.omit({ world: true, variants: true, expect: true }).extend({
  /** Name of the variant, or `null` for the scenario itself; `group.fault_id` for one of many that a word stands for. */
  variant: z.string().regex(/^[a-z0-9][a-z0-9-]*(\.[a-z0-9_]+)?$/).nullable(),
  /** Ground truth; not there where nobody has written any, and only what holds for every run is judged. */
  expect: Expect.exactOptional(),
  /** How the scripts are played, if not strictly; see `ScriptedModel`. */
  playback: z.literal("lenient").exactOptional(),
});

/** See {@linkcode Variant}. */
export type Variant = z.infer<typeof Variant>;
/** See {@linkcode Turn}. */
export type Turn = z.infer<typeof Turn>;
/** See {@linkcode Expect}. */
export type Expect = z.infer<typeof Expect>;
/** See {@linkcode WorldFile}. */
export type WorldFile = z.infer<typeof WorldFile>;
/** See {@linkcode ScenarioFile}. */
export type ScenarioFile = z.infer<typeof ScenarioFile>;
/** See {@linkcode Scenario}. */
export type Scenario = z.infer<typeof Scenario>;
