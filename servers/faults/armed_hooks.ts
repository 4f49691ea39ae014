/** Hooks with their parameters filled in. */
import type { Reply, RpcRequest } from "../jsonrpc.ts";
import type {
  Circumstances,
  ConnectVerdict,
  FaultHooks,
  LinkCircumstances,
  Phase,
  ReplyVerdict,
  RequestVerdict,
  Step,
  Verdict,
} from "./hooks.ts";
import { type ArmedModelHooks, armModelHooks } from "./model_hooks.ts";

/** A fault's {@linkcode FaultHooks} with its parameters filled in. */
export interface ArmedHooks extends ArmedModelHooks {
  /** What its occasions are. */
  readonly phase: Phase;
  /** See {@linkcode FaultHooks.connect}. */
  connect?(ctx: Circumstances): Verdict<ConnectVerdict>;
  /** See {@linkcode FaultHooks.opened}. */
  opened?(ctx: LinkCircumstances): void | Promise<void>;
  /** See {@linkcode FaultHooks.initialize}. */
  initialize?(reply: Reply, ctx: LinkCircumstances): Verdict<ReplyVerdict>;
  /** See {@linkcode FaultHooks.list}. */
  list?(reply: Reply, ctx: LinkCircumstances): Verdict<ReplyVerdict>;
  /** See {@linkcode FaultHooks.request}. */
  request?(message: RpcRequest, ctx: LinkCircumstances): Verdict<RequestVerdict>;
  /** See {@linkcode FaultHooks.reply}. */
  reply?(reply: Reply, ctx: LinkCircumstances): Verdict<ReplyVerdict>;
  /** See {@linkcode FaultHooks.bytes}. */
  bytes?(line: Uint8Array, ctx: LinkCircumstances): Iterable<Step> | void;
  /** See {@linkcode FaultHooks.close}. */
  close?(ctx: Circumstances): void | Promise<void>;
}

/** Fills in the parameters. */
export function armHooks<Params>(hooks: FaultHooks<Params>, params: Params, phase: Phase): ArmedHooks {
  const { connect, opened, initialize, list, request, reply, bytes, close } = hooks;
  return {
    phase,
    ...armModelHooks(hooks, params),
    ...(connect && { connect: (ctx) => connect({ ...ctx, params }) }),
    ...(opened && { opened: (ctx) => opened({ ...ctx, params }) }),
    ...(initialize && { initialize: (message, ctx) => initialize(message, { ...ctx, params }) }),
    ...(list && { list: (message, ctx) => list(message, { ...ctx, params }) }),
    ...(request && { request: (message, ctx) => request(message, { ...ctx, params }) }),
    ...(reply && { reply: (message, ctx) => reply(message, { ...ctx, params }) }),
    ...(bytes && { bytes: (line, ctx) => bytes(line, { ...ctx, params }) }),
    ...(close && { close: (ctx) => close({ ...ctx, params }) }),
  };
}

/** The phase that a fault's hooks are about, where it does not say so itself. */
export function defaultPhase<Params>(hooks: FaultHooks<Params>): Phase {
  const { connect, opened, initialize, list, request, reply, bytes, close, ask, turn, wire } = hooks;
  if (ask !== undefined || turn !== undefined || wire !== undefined) return "model";
  if (request !== undefined || reply !== undefined || bytes !== undefined) return "call";
  if (list !== undefined) return "list";
  if (initialize !== undefined) return "initialize";
  if (connect !== undefined || opened !== undefined) return "connect";
  return close === undefined ? "call" : "close";
}
