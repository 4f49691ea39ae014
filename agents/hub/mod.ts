/**
 * The hub: many MCP servers behind one surface, with an allowlist and typed outcomes.
 *
 * @module
 */
export { isAllowed, serverOf } from "./allowlist.ts";
export {
  type CallOptions,
  Hub,
  type HubOptions,
  type ServerPort,
  type ServerStatus,
  type SessionPool,
  type ToolHub,
} from "./hub.ts";
export { inBandError } from "./in_band.ts";
export { fromSafeName, safeName } from "./names.ts";
export { answered } from "./reading.ts";
export { type CallOutcome, OUTCOME_CODES, type OutcomeKind } from "./outcome.ts";
export { type ListedTool, Session } from "./session.ts";
