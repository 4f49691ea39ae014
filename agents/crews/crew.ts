/** A crew: a named team, its servers, what stands in when a part fails, and who is asked. Data, not code. */
import type { FailureCode, Strategy } from "../../core/mod.ts";

/** One specialist of a crew. */
export type Specialist = {
  /** Name, by which the plan asks for it. */
  name: string;
  /** What it is for; the planner's prompt lists it. */
  role: string;
  /** The tools that exist for it: allowlist entries, as in a packet. */
  toolAllow: string[];
  /** How many model calls a packet may cost. */
  maxSteps: number;
  /** How long a packet may take, in milliseconds. */
  deadlineMs: number;
  /** What is to come back, in words. */
  returnContract: string;
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
  /** How long a whole run may take, in milliseconds. */
  deadlineMs: number;
};
