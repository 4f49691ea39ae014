/** The hooks of a fault on the way between a hub and a server: what they are given, and what they may answer. */
import type { Clock, Random } from "../../core/mod.ts";
import type { Fields, Reply, RpcRequest } from "../jsonrpc.ts";
import type { ModelHooks } from "./model_hooks.ts";

/**
 * What the occasions of a fault are, which its schedule counts: attempts to `connect`, requests to `initialize`, requests
 * to `list` tools, `call`s of tools, lines of the whole `stream` from server to hub, `close`s by the hub, or calls of a
 * `model`.
 */
export type Phase = "connect" | "initialize" | "list" | "call" | "stream" | "close" | "model";

/** What a hook knows besides the message. */
export interface FaultContext<Params> {
  /** Its parameters, parsed. */
  readonly params: Params;
  /** The cell's clock, the only thing to wait on. */
  readonly clock: Clock;
  /** Numbers that depend on the cell's seed, the fault and the call, and on nothing else that happens. */
  readonly random: Random;
  /** The number of this call among the calls of its tool, from 1; otherwise the number of the occasion in its phase. */
  readonly call: number;
  /** The server's name. */
  readonly server: string;
  /** The tool's name; `undefined` where none was called. */
  readonly tool: string | undefined;
  /** Aborts when the connection ends. Every wait takes it. */
  readonly signal: AbortSignal;
}

/** What a hook knows once a connection stands. */
export interface LinkContext<Params> extends FaultContext<Params> {
  /** What is on its way. */
  readonly phase: Phase;
  /** The request that passes, or that the reply answers; `undefined` for what no request of the hub's brought about. */
  readonly request: RpcRequest | undefined;
  /** The connection, for what is more than one message changed. */
  readonly link: LinkControl;
  /** Resolves when the hub calls the request off; never, if it does not. */
  cancelled(): Promise<void>;
  /** Whether the fault's place covers this tool of the server. */
  covers(tool: string): boolean;
}

/** What a fault can do to a connection in the server's name. Each use counts as fired. */
export interface LinkControl {
  /** Sends the hub a notification. */
  notify(method: string, params?: Fields): void;
  /** Sends the hub a request, and resolves with its reply, of which the server never hears. */
  ask(method: string, params?: Fields): Promise<Fields>;
  /** Sends the server a request once more, under an id of its own. The hub never sees the reply. */
  repeat(request: RpcRequest): void;
  /** Ends the connection, as if the server had. What was sent before still arrives. */
  hangUp(): void;
}

/** A step of a script on the bytes from server to hub: bytes, a pause in milliseconds, or the end of the connection. */
export type Step = Uint8Array | { readonly wait: number } | "hang_up";

/** `replace` goes on with another message, `answer` replies in the server's stead, `drop` loses the message. */
export type RequestVerdict =
  | { readonly do: "replace"; readonly message: RpcRequest }
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

/**
 * The transform itself.
 *
 * A fault has one {@linkcode Phase}, whose occasions its schedule counts; `request`, `reply` and `bytes` are about the
 * messages of that phase. Hooks that are named after another phase run on each of its messages, uncounted: so a fault
 * of calls can change what the server is from then on.
 */
export interface FaultHooks<Params> extends ModelHooks<Params> {
  /** Before a connection to the server is made. */
  connect?(ctx: FaultContext<Params>): Verdict<ConnectVerdict>;
  /** Once a connection stands. Goes on by itself as long as it likes; fires when it uses the link. */
  opened?(ctx: LinkContext<Params>): void | Promise<void>;
  /** Before the hub sees the reply to `initialize`. */
  initialize?(reply: Reply, ctx: LinkContext<Params>): Verdict<ReplyVerdict>;
  /** Before the hub sees the reply to `tools/list`. */
  list?(reply: Reply, ctx: LinkContext<Params>): Verdict<ReplyVerdict>;
  /** Before the server sees a request. */
  request?(message: RpcRequest, ctx: LinkContext<Params>): Verdict<RequestVerdict>;
  /** Before the hub sees the reply to a request. */
  reply?(reply: Reply, ctx: LinkContext<Params>): Verdict<ReplyVerdict>;
  /**
   * Instead of the bytes of a reply's line, newline included: a script, which may have no end. No other bytes come
   * between its steps. If an earlier fault has made a script of the line, this one is given each piece of it.
   */
  bytes?(line: Uint8Array, ctx: LinkContext<Params>): Iterable<Step> | void;
  /** Before the hub's close goes through. */
  close?(ctx: FaultContext<Params>): void | Promise<void>;
}

/** A {@linkcode FaultContext} before the parameters are known. */
export type Circumstances = Omit<FaultContext<unknown>, "params">;

/** A {@linkcode LinkContext} before the parameters are known. */
export type LinkCircumstances = Omit<LinkContext<unknown>, "params">;
