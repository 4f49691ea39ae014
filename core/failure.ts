/**
 * The closed set of ways in which a part can fail. Routing reads these codes and never a message.
 */
import { inspect } from "node:util";
import { DeadlineExceeded } from "./clock.ts";

/** What a router does first with a failure, unless a crew says otherwise. */
export type Strategy = "retry" | "extend" | "reassign" | "fallback" | "clarify" | "escalate" | "disclose";

/** What is known of a failure code: why it happens and what may be done about it. */
export interface FailureKind {
  /** What has gone wrong, in one sentence a person can act on. */
  readonly cause: string;
  /** Whether the same attempt can succeed when it is made again. */
  readonly retryable: boolean;
  /** Strategies in the order in which they are tried. Every route ends in `disclose`. */
  readonly route: readonly Strategy[];
}

/** Every failure code with its cause, whether it is retryable, and its default route. */
export const FAILURES = {
  budget_steps: {
    cause: "The worker was getting somewhere when its steps ran out.",
    retryable: true,
    route: ["extend", "reassign", "fallback", "disclose"],
  },
  budget_tokens: {
    cause: "The worker's tokens ran out with work left.",
    retryable: true,
    route: ["extend", "reassign", "fallback", "disclose"],
  },
  budget_cost: {
    cause: "The money set aside for the worker ran out with work left.",
    retryable: false,
    route: ["fallback", "disclose"],
  },
  timeout: {
    cause: "No answer came before the deadline.",
    retryable: true,
    route: ["reassign", "fallback", "disclose"],
  },
  tool_error: {
    cause: "Every observation of the worker was a failed call.",
    retryable: false,
    route: ["reassign", "fallback", "disclose"],
  },
  server_down: {
    cause: "A server that the work needs could not be reached, or went away.",
    retryable: false,
    route: ["reassign", "fallback", "disclose"],
  },
  rate_limited: {
    cause: "A server or a model provider asked to be called less often.",
    retryable: true,
    route: ["retry", "reassign", "fallback", "disclose"],
  },
  unauthorized: {
    cause: "A server or a model provider refused the credentials.",
    retryable: false,
    route: ["reassign", "fallback", "disclose"],
  },
  malformed_result: {
    cause: "A reply did not follow the protocol, so its content could not be read.",
    retryable: true,
    route: ["reassign", "fallback", "disclose"],
  },
  empty_result: {
    cause: "The worker, or the tools it used, returned nothing: not a list without entries, but no content at all.",
    retryable: true,
    route: ["reassign", "fallback", "disclose"],
  },
  ambiguous: {
    cause: "The objective can be read in more than one way.",
    retryable: false,
    route: ["clarify", "disclose"],
  },
  refused: {
    cause: "The model declined the work.",
    retryable: false,
    route: ["disclose"],
  },
  model_error: {
    cause: "The model call itself failed.",
    retryable: true,
    route: ["retry", "reassign", "fallback", "disclose"],
  },
  unknown_specialist: {
    cause: "The plan names a specialist that the crew does not have.",
    retryable: false,
    route: ["disclose"],
  },
  plan_malformed: {
    cause: "The planner's reply held no plan that could be used.",
    retryable: true,
    route: ["disclose"],
  },
  unverified: {
    cause: "The worker's claims rest on nothing that it observed.",
    retryable: false,
    route: ["reassign", "fallback", "disclose"],
  },
  denied: {
    cause: "An operator, a policy or the allowlist refused the call.",
    retryable: false,
    route: ["disclose"],
  },
  conflict: {
    cause: "Somebody else changed the same thing first.",
    retryable: true,
    route: ["retry", "disclose"],
  },
  cancelled: {
    cause: "The work was called off from outside before it had ended.",
    retryable: false,
    route: ["disclose"],
  },
  not_started: {
    cause: "The work was planned and never begun.",
    retryable: false,
    route: ["disclose"],
  },
  outcome_unknown: {
    cause: "A call may have had its effect, and no answer says whether it did. It is never repeated blindly.",
    retryable: false,
    route: ["escalate", "disclose"],
  },
  internal: {
    cause: "The orchestrator's own code failed.",
    retryable: false,
    route: ["fallback", "disclose"],
  },
} as const satisfies Record<string, FailureKind>;

/** One of the closed set of failure codes. */
export type FailureCode = keyof typeof FAILURES;

/** All failure codes, in the order in which they are documented. */
export const FAILURE_CODES: readonly FailureCode[] = Object.keys(FAILURES) as FailureCode[];

/** A failure that has been given its code. */
export interface Failure {
  /** What kind of failure it is. Routers read this. */
  readonly code: FailureCode;
  /** What happened here, for people. Never read by code. */
  readonly detail: string;
}

/**
 * An error that knows its failure code, for code that has to throw.
 *
 * @example
 * ```ts
 * import { CodedError, toFailure } from "./mod.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(toFailure(new CodedError("timeout", "no answer in 2000 ms")).code, "timeout");
 * assert.equal(toFailure(new TypeError("x is not a function")).code, "internal");
 * ```
 */
export class CodedError extends Error implements Failure {
  /** `CodedError` */
  override readonly name = "CodedError";
  /**
   * An error with its code.
   *
   * @param code The failure's code.
   * @param detail What happened, for people.
   */
  constructor(readonly code: FailureCode, readonly detail: string, options?: ErrorOptions) {
    super(detail, options);
  }
}

/** Gives whatever was thrown a code: its own if it has one, `timeout` for a deadline, `internal` otherwise. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof CodedError) return { code: thrown.code, detail: thrown.detail };
  if (thrown instanceof DeadlineExceeded) return { code: "timeout", detail: thrown.message };
  if (thrown instanceof Error) return { code: "internal", detail: `${thrown.name}: ${thrown.message}` };
  return { code: "internal", detail: typeof thrown === "string" ? thrown : inspect(thrown) };
}
