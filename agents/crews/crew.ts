/** A crew: a named team, its servers, what stands in when a part fails, and who is asked. Data, not code. */
import type { FailureCode, Strategy } from "../../core/mod.ts";

/** One specialist of a crew. */
export type Specialist = {
  /** Name, by which the plan asks for it. */
  name: string;
  /** What it is for; the planner's prompt lists it. */
  role: string;
  /** Id of its prompt, as in `billing@1`; the general worker's prompt if left out. */
  prompt?: string;
  /** The tools that exist for it: allowlist entries, as in a packet. */
  toolAllow: string[];
  /** How many model calls a packet may cost. */
  maxSteps: number;
  /** How many tokens a packet may cost, in and out together. No limit of its own if left out. */
  maxTokens?: number;
  /** How many US dollars a packet may cost. No limit of its own if left out. */
  maxCostUsd?: number;
  /** How long a packet may take, in milliseconds. */
  deadlineMs: number;
  /** How long one call may take whatever it reports, in milliseconds. The hub's limit if left out. */
  callTimeoutMs?: number;
  /** How long a call may show no sign of life, in milliseconds. The hub's limit if left out. */
  idleTimeoutMs?: number;
  /** What is to come back, in words. */
  returnContract: string;
  /** `findings`: a list of findings as JSON, each with its severity. A note in prose if left out. */
  returns?: "note" | "findings";
  /** Specialists whose objectives it can meet, too, with its own tools. */
  standsInFor?: string[];
};

/** What is known from earlier, for when a specialist fails. It is always disclosed. */
export type Fallback = {
  /** The specialist that it stands in for. */
  specialist: string;
  /** When it was true, for example `2026-07`. */
  asOf: string;
  /** Where it comes from. */
  source: string;
  /** What it says. */
  text: string;
  /** A value that occurs in this fallback and nowhere else. */
  canary: string;
};

/** A task of the plan that is used when the planner gives none. */
export type FallbackTask = {
  /** Who does it. */
  specialist: string;
  /** What is to be done, complete in itself. */
  objective: string;
};

/** Limits of a whole run, over all packets. What is left out has no limit. */
export type Budget = {
  /** Model calls of workers. */
  steps?: number;
  /** Tokens of all model calls, in and out together. */
  tokens?: number;
  /** US dollars. */
  costUsd?: number;
};

/** How much is done about failures before they are disclosed. */
export type Recovery = {
  /** Strategies tried for one packet, at most. */
  maxPerPacket: number;
  /** Strategies tried in a whole run, at most. */
  maxPerRun: number;
  /** The wait before the first retry of a packet, in milliseconds; twice as long before each further one. */
  backoffMs: number;
};

/**
 * A rule about calls. A call that some rule covers is made if all of these let it pass; otherwise a person is asked, or,
 * by `deny`, nobody is. `tools` are allowlist entries. `amount` names the argument that is added up or compared; a call
 * in which it is no number is not let pass.
 */
export type ApprovalRule =
  | {
    /** Somebody is asked each time. */
    rule: "ask";
    /** Which calls. */
    tools: string[];
  }
  | {
    /** Nobody may. */
    rule: "deny";
    /** Which calls. */
    tools: string[];
  }
  | {
    /** Passes up to an amount a call. */
    rule: "limit";
    /** Which calls. */
    tools: string[];
    /** Name of the argument. */
    amount: string;
    /** The greatest amount that passes. */
    max: number;
  }
  | {
    /** Passes as long as all amounts together stay within a total. */
    rule: "total";
    /** Which calls. */
    tools: string[];
    /** Name of the argument. */
    amount: string;
    /** The greatest total that passes. */
    max: number;
    /** One total for each value of this argument; one for all if left out. */
    per?: string;
    /** One total for each period of this length, in milliseconds of the run's clock; one for the run if left out. */
    periodMs?: number;
  };

/** A crew. */
export type Crew = {
  /** Name on the command line and in scenarios. */
  name: string;
  /** What it is for, in one line. */
  title: string;
  /** Names of the servers that it talks to. */
  servers: string[];
  /** The team. */
  specialists: Specialist[];
  /** At most one for each specialist. */
  fallbacks: Fallback[];
  /** The plan when the planner fails twice. */
  fallbackPlan: FallbackTask[];
  /** Routes that differ from the default of `FAILURES`, by failure code. */
  routes: { [K in FailureCode]?: Strategy[] };
  /** How much is done about failures. A default that the supervisor documents if left out. */
  recovery?: Recovery;
  /** Limits of a whole run. None if left out. */
  budget?: Budget;
  /** Rules about calls. Every allowed call passes if left out. */
  approval?: ApprovalRule[];
  /** `severity`: the answer has the worst finding first. The plan's order if left out. */
  order?: "plan" | "severity";
  /** Whether a model writes a summary above the parts. None if left out. */
  synthesizer?: boolean;
  /** How long the workers of one superstep may take, in milliseconds. No limit of its own if left out. */
  superstepMs?: number;
  /** How long a whole run may take, in milliseconds. */
  deadlineMs: number;
};
