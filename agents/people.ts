/** The people whom an orchestrator may ask: an operator who decides and takes over, and the user. */
import type { Json } from "../core/mod.ts";
import type { ReportedFailure } from "./types.ts";

/** A call that waits for a decision. */
export interface ApprovalRequest {
  /** Structural id of the call. */
  readonly callId: string;
  /** Who wants to make it. */
  readonly worker: string;
  /** The tool, as `server.tool`. */
  readonly tool: string;
  /** The arguments that would be sent. Model output: untrusted. */
  readonly args: { readonly [key: string]: Json };
  /** SHA-256 of call id, tool and arguments in canonical JSON: what a decision is bound to. */
  readonly binding: string;
  /** Why it does not pass by itself. */
  readonly reasons: readonly string[];
}

/** What an operator has decided. It is worth something for the call with this binding alone. */
export interface ApprovalDecision {
  /** Whether the call may be made. */
  readonly decision: "approve" | "deny";
  /** The binding of what the operator has seen. */
  readonly binding: string;
  /** Why, in the operator's words. */
  readonly because?: string;
}

/** A piece of work that nobody else could do. */
export interface EscalationRequest {
  /** Id of the packet. */
  readonly packetId: string;
  /** The specialist that failed. */
  readonly worker: string;
  /** The packet's objective. */
  readonly objective: string;
  /** Why it failed. */
  readonly failure: ReportedFailure;
}

/** A person with authority over the crew. Whoever asks passes a signal, after which nobody waits for the answer. */
export interface Operator {
  /** Decides on a call. */
  approve(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>;
  /** Meets an objective in place of a specialist; `undefined` if that is declined. */
  takeOver(request: EscalationRequest, signal: AbortSignal): Promise<string | undefined>;
}

/** What a worker has to know first. */
export interface Question {
  /** Id of the packet. */
  readonly packetId: string;
  /** Who asks. */
  readonly worker: string;
  /** What is asked. Model output: untrusted. */
  readonly question: string;
}

/** The person whose request it is. */
export interface User {
  /** Answers a question; `undefined` if there is nothing to say. */
  answer(question: Question, signal: AbortSignal): Promise<string | undefined>;
}
