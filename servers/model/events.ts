/**
 * What really happened between the agents and their models, seen from the world's side. No times and no secrets: the
 * receiver stamps events with its clock, and no header of a request is ever in one.
 */
import type { ModelApi, ModelFinish, ModelMessage, ModelReply, ModelToolCall } from "../faults/model_hooks.ts";

/** Which call an event belongs to. */
export type OfModelCall = {
  readonly agent: string;
  /** The number of the call among the calls of its agent, from 1 in each cell. */
  readonly call: number;
};

/** A fault took effect. At most one event for each fault and call. */
export type ModelFaultEvent = OfModelCall & {
  readonly type: "model_fault";
  /** Which fault. */
  readonly fault: string;
  /** Its place, as the scenario has it. */
  readonly at: string;
  /** Its number among the faults of its kind at its place, if it is not the first. */
  readonly rank?: number;
};

/** A fault's own code threw: an error of the bench, which makes the cell worthless. The call went on without it. */
export type ModelFaultBrokeEvent = Omit<ModelFaultEvent, "type"> & {
  readonly type: "model_fault_broke";
  readonly message: string;
};

/** An agent asked its model over HTTP. */
export type ModelRequestEvent = OfModelCall & {
  readonly type: "model_request";
  readonly api: ModelApi;
  /** The model that was asked for. */
  readonly model: string;
  /** Whether a stream was asked for. */
  readonly streamed: boolean;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** Names of the tools that were offered. */
  readonly tools: readonly string[];
};

/** An agent was answered over HTTP; this is what a correct client makes of the bytes that it was given. */
export type ModelReplyEvent = OfModelCall & {
  readonly type: "model_reply";
  readonly status: number;
  readonly text: string;
  readonly calls: readonly ModelToolCall[];
  /** Why the model stopped; not there if the reply does not say. */
  readonly finish?: ModelFinish;
  /** Tokens, cached ones among the input; not there if the reply does not say. */
  readonly usage?: ModelReply["usage"];
  /** What the provider says went wrong, before or inside the stream. */
  readonly error?: string;
  /** `whole`, `cut` by a fault or an upstream, or `cancelled` when the caller went away or the endpoint was closed. */
  readonly ended: "whole" | "cut" | "cancelled";
};

/** A request was refused before any model was asked: it is not authorised, not valid, or for nobody. */
export type ModelRejectedEvent = {
  readonly type: "model_rejected";
  readonly status: number;
  /** What was wrong with it. */
  readonly message: string;
};

/** An event on the world's side of the models. */
export type ModelEvent =
  | ModelFaultEvent
  | ModelFaultBrokeEvent
  | ModelRequestEvent
  | ModelReplyEvent
  | ModelRejectedEvent;

/** Told of each event as it happens. Must not throw. */
export type ModelObserver = (event: ModelEvent) => void;
