/** What plans are scored on: plain nodes, so that a planner's reply and a trace's packets are scored alike. */
import type { Json } from "../../core/mod.ts";

/** One task of the plan that is scored. */
export interface PlanNode {
  /** Its id. Untrusted, and not always unique. */
  readonly id: string;
  /** Who does it. */
  readonly specialist: string;
  /** What it is to do. */
  readonly objective: string;
  /** The facts that it gets, those of the whole plan included. */
  readonly inputs: { readonly [key: string]: Json };
  /** Ids of the nodes that come before it. */
  readonly dependsOn: readonly string[];
  /** Allowlist entries that it is granted; left out where nothing says. */
  readonly tools?: readonly string[];
  /** Calls that it makes; left out where a plan does not name them. */
  readonly calls?: readonly PlannedCall[];
}

/** A call, as far as it makes another one needless. */
export interface PlannedCall {
  /** `server.tool`. */
  readonly tool: string;
  /** Its arguments. */
  readonly args: Json;
}

/** One task of the gold plan. What is left out is not known and not scored. */
export interface GoldNode {
  /** Its id. */
  readonly id: string;
  /** Who has to do it. Without it, a node matches by id alone. */
  readonly specialist?: string;
  /** What has to be done. Without it, a node matches by id alone. */
  readonly objective?: string;
  /** The facts that it must get. */
  readonly inputs: { readonly [key: string]: Json };
  /** Names of inputs that are neither wanted nor wrong. */
  readonly optional?: readonly string[];
  /** Ids of the nodes whose results it needs. */
  readonly dependsOn: readonly string[];
  /** How long it takes, in milliseconds. */
  readonly durationMs?: number;
  /** Allowlist entries that it needs. */
  readonly tools?: readonly string[];
}

/** Something that the request asks for, and what meets it. */
export interface RequestPart {
  /** What it is, in words. */
  readonly part: string;
  /** Met if the plan has all of these gold nodes. */
  readonly nodes?: readonly string[];
  /** Met if all of these words are in one task. */
  readonly keywords?: readonly string[];
}

/** What the plan should be. */
export interface GoldPlan {
  /** Its nodes: ids unique, no cycle. */
  readonly nodes: readonly GoldNode[];
  /** What the request asks for; empty where nobody has said. */
  readonly parts: readonly RequestPart[];
}
