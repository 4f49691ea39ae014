/** How a tool call can end. */
import type { FailureCode, Json } from "../../core/mod.ts";

/**
 * How a call ended, by our own reading and never by the SDK's error classes: there an abort and a timeout share a code,
 * and an error found on this side looks like the server's.
 *
 * `answered`: a result. `tool_error`: a result that says it is an error. `rpc_error`: a protocol error from the server.
 * `malformed`: a reply that is no reply, or a result that is not this call's or not what its tool has promised.
 * `timeout`: nothing in time. `aborted`: called off by the caller. `closed`: the connection is gone. `circuit_open`: not
 * sent, because the server has not been answering. `refused`: not on the allowlist, never sent. `denied`: not sent, because
 * a person or a policy has said no. `unknown_tool`: no such tool here. `unlisted`: not sent, because the server no longer lists the tool, or lists it in no form that can be used.
 */
export type OutcomeKind =
  | "answered"
  | "tool_error"
  | "rpc_error"
  | "malformed"
  | "timeout"
  | "aborted"
  | "closed"
  | "circuit_open"
  | "refused"
  | "denied"
  | "unknown_tool"
  | "unlisted";

/** The result of a call. Never an exception. */
export interface CallOutcome {
  /** How it ended. */
  readonly kind: OutcomeKind;
  /** The result's text, or what went wrong, for the model and for people. */
  readonly text: string;
  /**
   * The failure code, where it failed: that of its kind, or a more exact one. A call that was `answered` has failed, too,
   * where the answer is empty or is an error in the clothes of a success.
   */
  readonly code?: FailureCode;
  /** What failed, where `text` is the result as it came. */
  readonly detail?: string;
  /** For how long the server asks to be left alone, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Structured content, where the server sent it. */
  readonly structured?: Json;
  /** Structural ids of earlier calls that were in doubt, and of which this result shows that they had their effect. */
  readonly settles?: readonly string[];
}

/** The failure code of each way to fail, where nothing more exact is known. */
export const OUTCOME_CODES: Readonly<Record<Exclude<OutcomeKind, "answered">, FailureCode>> = {
  tool_error: "tool_error",
  rpc_error: "tool_error",
  malformed: "malformed_result",
  timeout: "timeout",
  aborted: "cancelled",
  closed: "server_down",
  circuit_open: "server_down",
  refused: "denied",
  denied: "denied",
  unknown_tool: "denied",
  unlisted: "tool_error",
};

/**
 * A failed outcome with the code of its kind.
 *
 * @param exact What is known more exactly.
 */
export function failed(
  kind: Exclude<OutcomeKind, "answered">,
  text: string,
  exact?: { readonly code?: FailureCode; readonly retryAfterMs?: number },
): CallOutcome {
  return { kind, text, code: OUTCOME_CODES[kind], ...exact };
}
