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
  /** The id that the model gives it, where that matters; one of its own if left out. */
  id: z.string().min(1).optional(),
});

/** What a turn does; exactly one of these keys. */
const DEEDS = ["call", "calls", "say", "final", "report_from"] as const;

/** One turn of a scripted model: `call` (or `calls`), or `say` (a planner's reply), or `final` (a worker's note). */
export const Turn = z.strictObject({
  call: z.string().min(1).optional(),
  with: z.record(z.string(), JsonValue).optional(),
  calls: z.array(ScriptCall).min(1).optional(),
  say: z.string().optional(),
  final: z.string().optional(),
  /** A worker's report, in JSON: made of the results of these tools, as this conversation has seen them. */
  report_from: z.array(z.string().min(1)).min(1).optional(),
  /** Why the model stopped, where it is not the usual reason. */
  finish: z.enum(["stop", "length", "content_filter", "refusal"]).optional(),
  /** What the model says beside its calls. */
  saying: z.string().min(1).optional(),
  /** How long the model takes. */
  takes: duration.optional(),
}).superRefine((turn, context) => {
  const deeds = DEEDS.filter((key) => turn[key] !== undefined);
  if (deeds.length !== 1) {
    context.addIssue(`a turn has exactly one of ${DEEDS.join(", ")}; this one has ${deeds.join(" and ") || "none"}`);
  }
  if (turn.with !== undefined && turn.call === undefined) context.addIssue("`with` belongs to `call`");
  if (turn.saying !== undefined && turn.call === undefined && turn.calls === undefined) {
    context.addIssue("`saying` goes with `call` or `calls`");
  }
});

/** What the operator of a scenario decides on one call, in the order in which the calls come for each tool. */
export const Approval = z.strictObject({
  /** `server.tool`. */
  tool: z.string().min(1),
  /** What is decided. */
  decision: z.enum(["approve", "deny"]),
  /** Why. */
  because: z.string().min(1).optional(),
  /** How long the operator takes. */
  takes: duration.optional(),
  /** What the operator was shown, where it is not what would be sent: arguments that differ. */
  seen: z.record(z.string(), JsonValue).optional(),
});

/** A person with authority over the crew. */
export const OperatorScript = z.strictObject({
  /** Decisions on calls. */
  approvals: z.array(Approval).default([]),
  /** What is said in place of specialists that failed, by specialist; `null` declines. */
  takeovers: z.record(z.string(), z.string().min(1).nullable()).default({}),
});

/** What the user says when a worker has to know more, by specialist, in order; `null` says nothing. */
export const UserScript = z.strictObject({
  answers: z.record(z.string(), z.array(z.string().min(1).nullable()).min(1)).default({}),
});

/** A kill of the subject in the middle of its run, after which it is started again and goes on. */
export const Interrupt = z.strictObject({
  /** Type of the event after which it is killed. */
  after: z.string().min(1),
  /** At which occurrence of that type; counted over the whole run. */
  nth: z.int().positive().default(1),
});

/** An effect that the servers' own record must show. */
export const ExpectedEffect = z.strictObject({
  /** The server. */
  server: z.string().min(1),
  /** What was done, such as `refund_issued`. */
  kind: z.string().min(1),
  /** Members that its detail must have, among others. */
  detail: z.record(z.string(), JsonValue).default({}),
  /** How often. */
  times: z.int().positive().default(1),
});

/** What the user may put in place of a part of the world: a text file, which becomes data of a server. */
export const Input = z.strictObject({
  /** The server. */
  server: z.string().min(1),
  /** The member of its data that is replaced: a map of texts by path, with the file as its only entry. */
  files: z.string().min(1),
  /** The member that takes the text of a `.diff` or a `.patch`; such files are no input if it is left out. */
  diff: z.string().min(1).optional(),
});

/** What must be true of the plan. */
export const ExpectedPlan = z.strictObject({
  /** Task ids that are dispatched, in the plan's order. */
  nodes: z.array(z.string()),
  /** Pairs [before, after]. */
  edges: z.array(z.tuple([z.string(), z.string()])).default([]),
  /**
   * Tasks that the request needs, and for which there are no packets: whoever split it has left them out. Each with the words
   * by which the answer must tell of it.
   */
  left_out: z.record(z.string().min(1), z.string().min(1)).exactOptional(),
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
  substituted: z.record(
    z.string(),
    z.union([
      z.strictObject({ by: z.literal("cached"), as_of: z.string() }),
      z.strictObject({ by: z.literal("human") }),
    ]),
  ).default({}),
  /** Each specialist that failed first and met its objective live in the end, with the strategy that did it. */
  recovered: z.record(z.string(), z.enum(["retry", "extend", "reassign", "clarify"])).optional(),
  /** What the check of each specialist's claims must come to: of its worst claim. Those not named may come to anything. */
  notes: z.record(z.string(), z.enum(["supported", "unsupported", "undetermined"])).optional(),
  /** Every effect that there may be, by the servers' own record, in any order. Not given: there may be none. */
  effects: z.array(ExpectedEffect).optional(),
  /** Decisions on calls, in order, as the subject's audit log must have them. Not given: not looked at. */
  approvals: z.array(z.strictObject({ tool: z.string(), decision: z.enum(["approved", "denied"]) })).optional(),
  /** Who hands over to whom, in order; for the topology `peer`. Not given: not looked at. */
  handoffs: z.array(z.tuple([z.string(), z.string()])).optional(),
  plan: ExpectedPlan.optional(),
  answer: z.strictObject({
    /** Values that the answer must state, with the tool whose result is their source. */
    says: z.array(z.strictObject({ from: z.string(), value: z.string().min(1) })).default([]),
    /** Texts that the answer must not contain, whatever their case. */
    never: z.array(z.string().min(1)).default([]),
    /** Texts that the answer must have, in this order. */
    order: z.array(z.string().min(1)).optional(),
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
  /** The operator; nobody if left out. */
  operator: OperatorScript.optional(),
  /** The user, for questions; nobody if left out. */
  user: UserScript.optional(),
  /** Kills of the subject, in order. */
  interrupts: z.array(Interrupt).optional(),
  /**
   * In `wire` models are reached over HTTP, at the project's own endpoint, streamed; for faults of those bytes. `http`: by
   * OpenAI's protocol; `anthropic`: by Anthropic's. In `sim`, and in `wire` if left out, they are called in the process.
   */
  model_via: z.enum(["http", "anthropic"]).optional(),
  /** What differs from the crew, member by member, such as `{ budget: { steps: 4 } }`. */
  crew_overrides: z.record(z.string(), JsonValue).optional(),
  expect: Expect,
};

/** A variant: what differs from its scenario. Script and servers are replaced key by key, the rest as a whole. */
export const Variant = z.strictObject({
  story: z.string().optional(),
  servers: z.record(z.string(), z.record(z.string(), JsonValue)).optional(),
  script: z.record(z.string(), z.array(Turn)).optional(),
  faults: z.array(faultEntrySchema).optional(),
  /** `null`: nobody. */
  operator: OperatorScript.nullable().optional(),
  /** `null`: nobody. */
  user: UserScript.nullable().optional(),
  interrupts: z.array(Interrupt).optional(),
  model_via: z.enum(["http", "anthropic"]).optional(),
  crew_overrides: z.record(z.string(), JsonValue).optional(),
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
  /** How the crew's agents work together. */
  topology: z.enum(["supervisor", "peer"]).default("supervisor"),
  /** A file beside this one with `servers` and `canaries` that several scenarios share. */
  world: z.string().optional(),
  /** Secrets planted in the world, by id; they may be in no artifact. */
  secrets: z.record(z.string(), z.string().min(6)).default({}),
  /** Whether it belongs to the small set that a bare `bench` also runs in the wire lane. */
  smoke: z.boolean().default(false),
  /**
   * By what an agent is known that does not give its name, for subjects that are not told of agents: one of these texts
   * stands in its system prompt or first message, whatever its case.
   */
  match: z.record(z.string(), z.array(z.string().min(1)).min(1)).optional(),
  /** What the user may give (`--input NAME=FILE`), by name. */
  input: z.record(Name, Input).optional(),
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
  /**
   * The gold plan of the scenario that this is a variant of, where nobody has written any ground truth: what the request
   * needs, whatever fails.
   */
  gold: ExpectedPlan.exactOptional(),
  /** What the user has given: the names of the files, by the names of the inputs. */
  given: z.record(Name, z.string()).exactOptional(),
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
