/**
 * The way from agents to their models, with faults in it.
 *
 * @module
 */
export type {
  ModelEvent,
  ModelFaultBrokeEvent,
  ModelFaultEvent,
  ModelObserver,
  ModelRejectedEvent,
  ModelReplyEvent,
  ModelRequestEvent,
  OfModelCall,
} from "./events.ts";
export { type BegunCall, type ModelBinding, ModelLink, type ModelLinkOptions, type NextTurn } from "./link.ts";
export { ModelPassage, type PassageOptions } from "./passage.ts";
export {
  type AskVerdict,
  type ModelApi,
  type ModelCall,
  ModelCallError,
  type ModelContext,
  type ModelFailure,
  type ModelFinish,
  type ModelHooks,
  type ModelMessage,
  type ModelReply,
  type ModelTool,
  type ModelToolCall,
  type TurnVerdict,
  type WireContext,
  WireCut,
  type WireReply,
  type WireVerdict,
} from "../faults/model_hooks.ts";
