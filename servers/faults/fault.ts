/**
 * What a fault is: data that a person can read, and one small transform. One file a fault, listed in `registry.ts`.
 */
import { z } from "zod";
import type { Clock, FailureCode, Random } from "../../core/mod.ts";
import type { Reply, ToolCall } from "../jsonrpc.ts";
import { type Schedule, scheduleSchema } from "./schedule.ts";

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

/** What a hook knows besides the message. */
export interface FaultContext<Params> {
  /** Its parameters, parsed. */
  readonly params: Params;
  /** The cell's clock, the only thing to wait on. */
  readonly clock: Clock;
  /** Numbers that depend on the cell's seed, the fault and the call, and on nothing else that happens. */
  readonly random: Random;
  /** The number of this call among the calls of its tool, from 1; of this attempt, when connecting. */
  readonly call: number;
  /** The server's name. */
  readonly server: string;
  /** The tool's name; `undefined` when connecting. */
  readonly tool: string | undefined;
  /** Aborts when the connection ends. Every wait takes it. */
  readonly signal: AbortSignal;
}

/** `replace` goes on with another message, `answer` replies in the server's stead, `drop` loses the message. */
export type RequestVerdict =
  | { readonly do: "replace"; readonly message: ToolCall }
  | { readonly do: "answer"; readonly reply: Reply }
  | { readonly do: "drop" };

/** `replace` goes on with another reply, `drop` loses it. */
export type ReplyVerdict =
  | { readonly do: "replace"; readonly reply: Reply }
  | { readonly do: "drop" };

/** `refuse` lets no connection come about. */
export type ConnectVerdict = { readonly do: "refuse"; readonly reason: string };

/**
 * What a hook gives back. Nothing lets the message pass; nothing *at once* also means that the fault found nothing to
 * do, and it does not count as fired. A promise delays, and counts.
 */
export type Verdict<V> = V | void | Promise<V | void>;

/** The transform itself. */
export interface FaultHooks<Params> {
  /** Before a connection to the server is made. */
  connect?(ctx: FaultContext<Params>): Verdict<ConnectVerdict>;
  /** Before the server sees a call. */
  request?(message: ToolCall, ctx: FaultContext<Params>): Verdict<RequestVerdict>;
  /** Before the hub sees the reply to a call. */
  reply?(reply: Reply, ctx: FaultContext<Params>): Verdict<ReplyVerdict>;
}

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
  /** Whether it can be had in each lane, or why not. */
  readonly lanes: { readonly sim: LaneSupport; readonly wire: LaneSupport };
  /** A strict object, each field with a default, its unit in its description. Checks belong to fields, not to the object. */
  readonly params: Params;
  /** The transform. */
  readonly hooks: FaultHooks<z.output<Params>>;
}

/** A hook's context before its parameters are known. */
export type Circumstances = Omit<FaultContext<unknown>, "params">;

/** A fault's {@linkcode FaultHooks} with its parameters filled in. */
export type ArmedHooks = {
  connect?(ctx: Circumstances): Verdict<ConnectVerdict>;
  request?(message: ToolCall, ctx: Circumstances): Verdict<RequestVerdict>;
  reply?(reply: Reply, ctx: Circumstances): Verdict<ReplyVerdict>;
};

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
  /** `server`, or `server.tool`. */
  readonly at: string;
  /** When it strikes; every time if not given. */
  readonly when?: Schedule | undefined;
  /** Its parameters, whose names depend on the fault. */
  readonly [param: string]: unknown;
}

/** A fault of the catalogue. */
export interface Fault extends Omit<FaultSpec<z.ZodObject>, "hooks"> {
  /** Whether it strikes the making of a connection, so that a cell that has it needs fresh ones. */
  readonly ofConnection: boolean;
  /** The schema of its line in a scenario. */
  readonly entry: EntrySchema;
  /**
   * Fills in the parameters.
   *
   * @throws {z.ZodError} If they do not fit.
   */
  arm(params: Readonly<Record<string, unknown>>): ArmedHooks;
}

const AT_SERVER = z.string().regex(/^[^.\s]+$/, "a fault of the connection is at a server, without a tool");
const AT_CALL = z.string().regex(/^[^.\s]+(\.\S+)?$/, 'a place is "server" or "server.tool"');

/**
 * Makes a fault.
 *
 * @throws {RangeError} If its id or a parameter's name cannot be used.
 * @throws {z.ZodError} If a parameter has no default.
 */
export function defineFault<Params extends z.ZodObject>(spec: FaultSpec<Params>): Fault {
  if (!/^[a-z]+(_[a-z]+)*$/.test(spec.id)) throw new RangeError(`fault id ${spec.id}: use lower_case_words`);
  for (const name of ["fault", "at", "when"]) {
    if (Object.hasOwn(spec.params.shape, name)) {
      throw new RangeError(`fault ${spec.id}: no parameter may be called ${name}`);
    }
  }
  spec.params.parse({});
  const { connect, request, reply } = spec.hooks;
  return {
    ...spec,
    ofConnection: connect !== undefined,
    entry: z.strictObject({
      fault: z.literal(spec.id),
      at: connect !== undefined && request === undefined && reply === undefined ? AT_SERVER : AT_CALL,
      when: scheduleSchema.optional(),
      ...spec.params.shape,
    }),
    arm(raw) {
      const params = spec.params.parse(raw);
      return {
        ...(connect && { connect: (ctx) => connect({ ...ctx, params }) }),
        ...(request && { request: (message, ctx) => request(message, { ...ctx, params }) }),
        ...(reply && { reply: (message, ctx) => reply(message, { ...ctx, params }) }),
      };
    },
  };
}
