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
  type ToolContext,
  ToolFailure,
  type ToolListing,
  type ToolMaker,
  type ToolSpec,
} from "./fixture.ts";
export { FixtureServer, type FixtureState, NONCE, RESET } from "./fixture_server.ts";
export { FIXTURES } from "./fixtures/registry.ts";
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
  type Outcome,
  type ReplyVerdict,
  type RequestVerdict,
  type Verdict,
  type Visibility,
} from "./faults/fault.ts";
export { duration } from "./faults/duration.ts";
export { faultEntrySchema, FAULTS } from "./faults/registry.ts";
export { type Occasion, persistence, type Schedule, scheduleSchema, strikes } from "./faults/schedule.ts";
export { ConnectionRefusedError, FaultLink, type FaultLinkOptions } from "./injector.ts";
export type { ErrorReply, Fields, Reply, ResultReply, RpcError, RpcId, ToolCall } from "./jsonrpc.ts";
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
