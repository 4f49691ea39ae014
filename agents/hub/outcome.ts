/** How a tool call can end. */
import type { FailureCode, Json } from "../../core/mod.ts";

/**
 * What came of a call, by our own reading and never by the SDK's error classes: there an abort and a timeout share a
 * code, and an error found on this side looks like the server's.
 *
 * `answered`: a result. `tool_error`: a result that says it is an error. `rpc_error`: a protocol error from the server.
 * `malformed`: a reply that is no reply. `timeout`: nothing in time. `aborted`: called off by the caller.
 * `closed`: the connection is gone. `refused`: not on the allowlist, never sent. `unknown_tool`: no such tool here.
 */
export type OutcomeKind =
  | "answered"
  | "tool_error"
  | "rpc_error"
  | "malformed"
  | "timeout"
  | "aborted"
  | "closed"
  | "refused"
  | "unknown_tool";

/** The result of a call. Never an exception. */
export interface CallOutcome {
  /** How it ended. */
  readonly kind: OutcomeKind;
  /** The result's text, or what went wrong, for the model and for people. */
  readonly text: string;
  /** The failure code, where it failed. */
  readonly code?: FailureCode;
  /** Structured content, where the server sent it. */
  readonly structured?: Json;
}

/** The failure code of each way to fail. */
export const OUTCOME_CODES: Readonly<Record<Exclude<OutcomeKind, "answered">, FailureCode>> = {
  tool_error: "tool_error",
  rpc_error: "tool_error",
  malformed: "malformed_result",
  timeout: "timeout",
  aborted: "cancelled",
  closed: "server_down",
  refused: "denied",
  unknown_tool: "denied",
};

/** A failed outcome with the code of its kind. */
export function failed(kind: Exclude<OutcomeKind, "answered">, text: string): CallOutcome {
  return { kind, text, code: OUTCOME_CODES[kind] };
}
