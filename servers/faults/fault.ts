/**
 * What a fault is: data that a person can read, and one small transform. One file a fault, listed in `registry.ts`.
 */
import { z } from "zod";
import type { FailureCode } from "../../core/mod.ts";
import { type ArmedHooks, armHooks, defaultPhase } from "./armed_hooks.ts";
import type { FaultHooks, Phase } from "./hooks.ts";
import { AT_AGENT } from "./model_hooks.ts";
import { type Persistence, persistence, type Schedule, scheduleSchema } from "./schedule.ts";

export type { ArmedHooks } from "./armed_hooks.ts";
export type {
  Circumstances,
  ConnectVerdict,
  FaultContext,
  FaultHooks,
  LinkCircumstances,
  LinkContext,
  LinkControl,
  Phase,
  ReplyVerdict,
  RequestVerdict,
  Step,
  Verdict,
} from "./hooks.ts";

/** Where in the stack a fault sits. */
export type Layer =
  | "transport"
  | "protocol"
  | "result"
  | "semantic"
  | "plan"
  | "model_output"
  | "model_api"
  | "security"
  | "budget"
  | "concurrency";

/** `explicit`: the caller is told. `implicit`: what it gets looks like success, or like nothing at all. */
export type Visibility = "explicit" | "implicit";

/** What a correct hub makes of a call that the fault has struck: a failure's code, or `ok`. */
export type Outcome = FailureCode | "ok";

/** `true`, or the reason why the fault cannot be had in this lane. */
export type LaneSupport = true | string;

/** What a fault can be at: a whole `server` (or `*`), one `tool` of it, or an `agent` whose model it strikes. */
export type Place = "server" | "tool" | "agent";

/**
 * What has to be there for a fault to find something to do: more than one call in flight at the fault's place, or a
 * successful result: one whose text is JSON, with a number, a date, a list, or an argument given back in
 * it, one with letters beyond ASCII, or one with structured content.
 */
export type Need =
  | "concurrent_calls"
  | "json_result"
  | "unpromised_json"
  | "number"
  | "date"
  | "list"
  | "echoed_argument"
  | "non_ascii"
  | "structured_content";

/** A fault as it is written down. */
export interface FaultSpec<Params extends z.ZodObject> {
  /** Its name in scenarios: lower case, words joined by underscores. */
  readonly id: string;
  /** Where in the stack it sits. */
  readonly layer: Layer;
  /** Whether the caller is told. */
  readonly visibility: Visibility;
  /** What goes wrong, in one sentence. */
  readonly summary: string;
  /** What a correct orchestrator does. */
  readonly correct: string;
  /** What a correct hub makes of a call that it has struck. */
  readonly outcome: Outcome;
  /**
   * How it stands in a scenario: a list item in YAML.
   *
   * @default The fault with its parameters left out.
   */
  readonly example?: string;
  /**
   * Whether it can be had in each lane, or why not.
   *
   * @default It can be had in both.
   */
  readonly lanes?: { readonly sim: LaneSupport; readonly wire: LaneSupport };
  /**
   * What its occasions are.
   *
   * @default The phase of its hooks; `call` for `request`, `reply` and `bytes`.
   */
  readonly phase?: Phase | ((params: z.output<Params>) => Phase);
  /**
   * Where it makes sense, for expansions of a scenario over all faults.
   *
   * @default `agent` for a model's fault, `server` and `tool` for one of calls or lists, `server` for the others.
   */
  readonly applies?: readonly Place[];
  /** What it needs to find something to do. Without it, it does not fire. */
  readonly needs?: Need;
  /** Whether it stays, where a scenario has no schedule for it. */
  readonly lasts?: Persistence;
  /** A strict object, each field with a default, its unit in its description. Checks belong to fields, not to the object. */
  readonly params: Params;
  /** The transform; a function if it keeps a state, which begins anew in each cell. */
  readonly hooks: FaultHooks<z.output<Params>> | (() => FaultHooks<z.output<Params>>);
}

/** The schema of a fault's line in a scenario: `fault`, `at`, `when`, and the parameters beside them. */
export type EntrySchema = z.ZodObject<{
  fault: z.ZodLiteral<string>;
  at: z.ZodString;
  when: z.ZodOptional<z.ZodType<Schedule>>;
}, z.core.$strict>;

/** A fault in a scenario, parsed. Its parameters stand beside these three. */
export interface FaultEntry {
  /** The fault's id. */
  readonly fault: string;
  /** `server`, `server.tool`, or `*` for every server; `agent:<name>` or `agent:*` for a fault of the model. */
  readonly at: string;
  /** When it strikes; every time if not given. */
  readonly when?: Schedule | undefined;
  /** Its parameters, whose names depend on the fault. */
  readonly [param: string]: unknown;
}

/** A fault of the catalogue. */
export interface Fault
  extends
    Required<Omit<FaultSpec<z.ZodObject>, "hooks" | "phase" | "needs" | "lasts">>,
    Pick<FaultSpec<z.ZodObject>, "needs"> {
  /** Whether it strikes how a connection comes about or ends, so that a cell that has it needs fresh ones. */
  readonly ofConnection: boolean;
  /** The schema of its line in a scenario. */
  readonly entry: EntrySchema;
  /** Whether trying again can get past it, under this schedule. */
  persistence(when?: Schedule): Persistence;
  /**
   * Fills in the parameters, with a state of its own.
   *
   * @throws {z.ZodError} If they do not fit.
   */
  arm(params: Readonly<Record<string, unknown>>): ArmedHooks;
}

const AT_SERVER = z.string().regex(/^(?!agent:)[^.\s]+$/, "a fault of the connection is at a server, without a tool");
const AT_CALL = z.string().regex(/^(?!agent:)[^.\s]+(\.\S+)?$/, 'a place is "server" or "server.tool"');

/**
 * Makes a fault.
 *
 * @throws {RangeError} If its id or a parameter's name cannot be used.
 * @throws {z.ZodError} If a parameter has no default.
 */
export function defineFault<Params extends z.ZodObject>(spec: FaultSpec<Params>): Fault {
  if (!/^[a-z]+(_[a-z0-9]+)*$/.test(spec.id)) throw new RangeError(`fault id ${spec.id}: use lower_case_words`);
  for (const name of ["fault", "at", "when"]) {
    if (Object.hasOwn(spec.params.shape, name)) {
      throw new RangeError(`fault ${spec.id}: no parameter may be called ${name}`);
    }
  }
  spec.params.parse({});
  const { hooks: written, phase: ofPhase, lasts, ...rest } = spec;
  const hooks = typeof written === "function" ? written() : written;
  const fixed = typeof ofPhase === "function" ? undefined : ofPhase ?? defaultPhase(hooks);
  const applies = spec.applies ?? placesOf(fixed);
  return {
    ...rest,
    lanes: spec.lanes ?? { sim: true, wire: true },
    applies,
    example: spec.example ?? `- { fault: ${spec.id}, at: ${EXAMPLES[applies.at(-1) ?? "server"]} }`,
    ofConnection: (fixed !== "call" && fixed !== "model") ||
      [hooks.connect, hooks.opened, hooks.initialize, hooks.list, hooks.close].some((hook) => hook !== undefined),
    entry: z.strictObject({
      fault: z.literal(spec.id),
      at: fixed === "model" ? AT_AGENT : applies.includes("tool") ? AT_CALL : AT_SERVER,
      when: scheduleSchema.optional(),
      ...spec.params.shape,
    }),
    persistence: (when) => when === undefined && lasts !== undefined ? lasts : persistence(when),
    arm(raw) {
      const params = spec.params.parse(raw);
      const phase = typeof ofPhase === "function" ? ofPhase(params) : ofPhase ?? defaultPhase(hooks);
      return armHooks(typeof written === "function" ? written() : written, params, phase);
    },
  };
}

const EXAMPLES: Readonly<Record<Place, string>> = {
  server: "orders",
  tool: "orders.find_order",
  agent: "agent:billing",
};

function placesOf(phase: Phase | undefined): readonly Place[] {
  if (phase === "model") return ["agent"];
  return phase === undefined || phase === "call" || phase === "list" ? ["server", "tool"] : ["server"];
}
