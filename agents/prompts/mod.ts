/**
 * Every prompt, by its id. Crews name those of their specialists here; the trace carries the digest of what was sent.
 *
 * @module
 */
import { ANALYST } from "./analyst.ts";
import { BILLING } from "./billing.ts";
import { COMMS } from "./comms.ts";
import { DOCS_REVIEWER } from "./docs_reviewer.ts";
import { FACT_CHECKER } from "./fact_checker.ts";
import { MAINTAINABILITY_REVIEWER } from "./maintainability_reviewer.ts";
import { PERFORMANCE_REVIEWER } from "./performance_reviewer.ts";
import { PLANNER } from "./planner.ts";
import { POLICY } from "./policy.ts";
import type { Prompt } from "./prompt.ts";
import { RESEARCHER } from "./researcher.ts";
import { REPLANNER } from "./replanner.ts";
import { SECURITY_REVIEWER } from "./security_reviewer.ts";
import { SYNTHESIZER } from "./synthesizer.ts";
import { TRIAGE } from "./triage.ts";
import { WORKER } from "./worker.ts";
import { WRITER } from "./writer.ts";

const ALL: readonly Prompt[] = [
  PLANNER,
  REPLANNER,
  SYNTHESIZER,
  WORKER,
  TRIAGE,
  // support
  BILLING,
  POLICY,
  COMMS,
  // review
  SECURITY_REVIEWER,
  PERFORMANCE_REVIEWER,
  MAINTAINABILITY_REVIEWER,
  DOCS_REVIEWER,
  // research and brief
  RESEARCHER,
  ANALYST,
  FACT_CHECKER,
  WRITER,
];

/** All prompts by id. */
export const PROMPTS: ReadonlyMap<string, Prompt> = new Map(ALL.map((prompt) => [prompt.id, prompt]));

/** The prompt of an id; the general worker's for none, and for one that there is not. */
export function promptOf(id: string | undefined): Prompt {
  return (id === undefined ? undefined : PROMPTS.get(id)) ?? WORKER;
}
