/**
 * The world: MCP fixtures, the fault catalogue, and the injector that stands between a hub and a server.
 *
 * @module
 */
export {
  type Caller,
  defineFixture,
  type Fixture,
  type FixtureInstance,
  type FixtureSpec,
  type JsonObject,
  type Tool,
  type ToolAnnotations,
  type ToolContext,
  ToolFailure,
  type ToolListing,
  type ToolMaker,
  type ToolSpec,
} from "./fixture.ts";
export { FixtureHost, FixtureServer, type FixtureState, LEDGER, NONCE, RESET, SPAN } from "./fixture_server.ts";
export { type CallOutcome, type Effect, type LedgerEntry, type RepeatedEffect, repeatedEffects } from "./ledger.ts";
export { FIXTURES } from "./fixtures/registry.ts";
export { ArmedFault, armFaults } from "./faults/armed.ts";
export {
  type ArmedHooks,
  type Circumstances,
  type ConnectVerdict,
  defineFault,
  type EntrySchema,
  type Fault,
  type FaultContext,
  type FaultEntry,
  type FaultHooks,
  type FaultSpec,
  type LaneSupport,
  type Layer,
  type LinkCircumstances,
  type LinkContext,
  type LinkControl,
  type Need,
  type Outcome,
  type Phase,
  type Place,
  type ReplyVerdict,
  type RequestVerdict,
  type Step,
  type Verdict,
  type Visibility,
} from "./faults/fault.ts";
export {
  type ArmedModelHooks,
  type AskVerdict,
  type ModelApi,
  type ModelCall,
  type ModelCircumstances,
  type ModelContext,
  type ModelFailure,
  type ModelFinish,
  type ModelHooks,
  type ModelMessage,
  type ModelReply,
  type ModelTool,
  type ModelToolCall,
  type TurnVerdict,
  type WireCircumstances,
  type WireContext,
  type WireReply,
  type WireVerdict,
} from "./faults/model_hooks.ts";
export { duration } from "./faults/duration.ts";
export { faultEntrySchema, FAULTS } from "./faults/registry.ts";
export {
  type Occasion,
  type Persistence,
  persistence,
  type Schedule,
  scheduleSchema,
  strikes,
} from "./faults/schedule.ts";
export { ConnectionRefusedError, FaultLink, type FaultLinkOptions } from "./injector.ts";
export type { ErrorReply, Fields, Reply, ResultReply, RpcError, RpcId, RpcRequest, ToolCall } from "./jsonrpc.ts";
export type { LinkBinding } from "./link_cell.ts";
export type {
  BadLineEvent,
  CallEvent,
  CancelledEvent,
  CloseEvent,
  ConnectEvent,
  FaultBrokeEvent,
  FaultEvent,
  Observer,
  ReplyEvent,
  RequestEvent,
  WorldEvent,
} from "./world_event.ts";
export { main as serve } from "./serve.ts";
