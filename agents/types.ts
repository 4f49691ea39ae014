/**
 * What passes between the parts of an orchestrator: packets, reports, the answer. Plain JSON, so that every one of them
 * can be written to a trace and read back. `contracts.ts` holds the same as schemas, and does not compile if the two
 * ever differ.
 */
import type { FailureCode, Json } from "../core/mod.ts";

/** A code, what happened here, and whether the same attempt may succeed when it is made again. */
export type ReportedFailure = {
  /** One of the closed set. Routers read this. */
  code: FailureCode;
  /** What happened, for people. May quote servers and models: untrusted. */
  detail: string;
  /** Whether the same attempt may succeed when it is made again. */
  retryable: boolean;
  /** How long whoever refused asked to be left alone, in milliseconds. */
  retryAfterMs?: number;
};

/** Where a section or a report comes from. Anything but `live` is disclosed in the answer. */
export type Provenance =
  | {
    /** From this run's own observations. */
    kind: "live";
  }
  | {
    /** From earlier, in place of a live result. */
    kind: "cached";
    /** When it was true, for example `2026-07`. */
    asOf: string;
    /** What it was taken from. */
    source: string;
  }
  | {
    /** A person said so. */
    kind: "human";
  };

/** What a worker used. */
export type Usage = {
  /** Model calls. */
  steps: number;
  /** Tokens that the model read. */
  inputTokens: number;
  /** Tokens that the model wrote. */
  outputTokens: number;
  /** US dollars; `null` where no price is known. */
  costUsd: number | null;
};

/** A packet: all that a worker gets. */
export type Handoff = {
  /** The task's id in the plan. */
  id: string;
  /** Who sends it. */
  sender: string;
  /** The specialist that it is for. */
  recipient: string;
  /** What is to be found out or done, complete in itself. */
  objective: string;
  /** Facts that the plan resolved for this worker, and the notes of the tasks that it depends on. */
  inputs: { [key: string]: Json };
  /** Allowlist entries: a server, or a server and a tool, matched by whole dot-separated parts. */
  toolAllow: string[];
  /** How many times the worker's model may be called. */
  maxSteps: number;
  /** Tokens, in and out together, that its model calls may use. No limit of its own if left out. */
  maxTokens?: number;
  /** US dollars that its model calls may cost. No limit of its own if left out. */
  maxCostUsd?: number;
  /** Milliseconds until the report must exist. No limit of its own if left out. */
  deadlineMs?: number;
  /** Ids of the packets whose reports had to exist first. */
  dependsOn: string[];
  /** What is to come back, in words. */
  returnContract: string;
  /** Which attempt at the task this is, from 2 on; the first one does not say. */
  attempt?: number;
};

/** A tool result as the worker saw it, with the call that made it. */
export type Observation = {
  /** Structural id of the call. */
  id: string;
  /** `server.tool`. */
  tool: string;
  /** The call's arguments. */
  args: Json;
  /** The result's text. Untrusted. */
  text: string;
};

/** How bad what was found is, worst first. */
export type Severity = "critical" | "high" | "medium" | "low";

/** What a check against observations has come to. */
export type ClaimVerdict = "supported" | "unsupported" | "undetermined";

/** A claim, and the observations that it rests on. */
export type Finding = {
  /** What is claimed. */
  claim: string;
  /** What it rests on. */
  observations: Observation[];
  /** How bad it is, where the claim is about something bad. */
  severity?: Severity;
  /** What the supervisor's check has come to; not there before the check. */
  verdict?: ClaimVerdict;
};

/** A call that has had an effect, or may have had one. */
export type Effect = {
  /** The call, with what showed the effect: its own result, or a later one. */
  observation: Observation;
  /**
   * `done`: its tool says that it acts, and it has. `possible`: it was answered, and its tool does not say whether it
   * acts. `unknown`: nobody knows whether it was carried out.
   */
  state: "done" | "possible" | "unknown";
};

/** A message from one agent to another: explicit, and all that the receiver learns from it. */
export type AgentMessage = {
  /** Who says it. */
  sender: string;
  /** Who is told. */
  receiver: string;
  /** What is said. Model output: untrusted. */
  content: string;
  /** What goes with it: ids, versions, when. */
  metadata: { [key: string]: Json };
};

/** A report: all that comes back from a worker. Times are milliseconds of the run's clock. */
export type Report = {
  /** The specialist. */
  worker: string;
  /** Id of the packet that it answers. */
  packetId: string;
  /** The packet's objective. */
  objective: string;
  /** `partial`: some findings stand, and the failure says what is missing. */
  status: "ok" | "partial" | "failed" | "needs_clarification";
  /** Why it is not `ok`. */
  failure?: ReportedFailure;
  /** What was found. */
  findings: Finding[];
  /**
   * Its calls that had or may have had an effect, in call order. Not there if all of its tools claim to change nothing.
   * The supervisor states those that no claim tells of.
   */
  effects?: Effect[];
  /** The worker's note. The supervisor passes on the findings' claims, never this alone. */
  note: string;
  /** Where it comes from. */
  provenance: Provenance;
  /** What has to be known first, where the status is `needs_clarification`. */
  question?: string;
  /** What was used. */
  usage: Usage;
  /** When the work began. */
  startedAt: number;
  /** When the report was made. */
  endedAt: number;
};

/** One part of an answer, by one worker. */
export type Section = {
  /** The specialist. */
  worker: string;
  /** What it found, as it was said. Model output: untrusted. */
  text: string;
  /** Where it comes from. */
  provenance: Provenance;
  /** Sentences of the text that the worker's observations neither bear out nor contradict; the prose marks them. */
  unconfirmed?: string[];
};

/** A failure as the answer states it. */
export type AnswerFailure = {
  /** Who failed. For a specialist that does not exist, the name that the plan gave: untrusted. */
  specialist: string;
  /** One of the closed set. */
  code: FailureCode;
  /** What happened, for people. Untrusted. */
  detail: string;
  /** What it means for the answer. */
  effect: string;
  /** What stands in for the missing part, if anything does. */
  substituted?: Provenance;
};

/**
 * The final answer. `complete`: every part is live and supported. `degraded`: some part is missing or substituted.
 * `failed`: no part is live.
 */
export type Answer = {
  /** How much of the request is answered. */
  status: "complete" | "degraded" | "failed";
  /** The answer in prose, rendered from the rest. */
  text: string;
  /** Its parts, in the plan's order. */
  sections: Section[];
  /** Everything that failed, in the plan's order. */
  failures: AnswerFailure[];
  /** A model's summary of the sections, each sentence of which they bear out. Model output: untrusted. */
  summary?: string;
};
