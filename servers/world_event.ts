/**
 * What really happened between a hub and a server, seen from the world's side. No ids of the protocol and no times: the
 * receiver stamps events with its clock, and the same cell gives the same events in every lane.
 */
import type { Phase } from "./faults/fault.ts";
import type { Fields, RpcError } from "./jsonrpc.ts";

/** Which call an event belongs to. */
export type CallEvent = {
  readonly server: string;
  readonly tool: string;
  /** The number of the call among the calls of its tool, from 1 in each cell. */
  readonly call: number;
};

/** The hub asked for a connection. */
export type ConnectEvent = {
  readonly type: "connect";
  readonly server: string;
  /** The number of the attempt, from 1 in each cell. */
  readonly attempt: number;
  /** Whether it came about. */
  readonly ok: boolean;
};

/** A connection ended. */
export type CloseEvent = {
  readonly type: "close";
  readonly server: string;
  /** Who ended it. */
  readonly by: "hub" | "server" | "bench";
};

/** The hub called a tool. The server has seen the call unless a fault says otherwise. */
export type RequestEvent = CallEvent & {
  readonly type: "request";
  readonly args: Fields;
  /** The call's `_meta`, which carries the caller's span. */
  readonly meta: Fields;
};

/** The hub was given the reply to a call. Where a fault has broken its bytes or its id, there is no such event. */
export type ReplyEvent = CallEvent & {
  readonly type: "reply";
  /** Whether the result was flagged as an error, or was an error of the protocol. */
  readonly isError: boolean;
  /** The result's text blocks, one below the other, or the message of the protocol's error. */
  readonly text: string;
  /** The protocol's own error, if it was one. */
  readonly error?: RpcError;
};

/** The hub called a call off. */
export type CancelledEvent = CallEvent & {
  readonly type: "cancelled";
};

/** A fault took effect. */
export type FaultEvent = {
  readonly type: "fault";
  readonly server: string;
  /** Which fault. */
  readonly fault: string;
  /** Its place, as the scenario has it. */
  readonly at: string;
  /** Its number among the faults of its kind at its place, if it is not the first. */
  readonly rank?: number;
  /** The tool that was called; not there if the connection itself was struck. */
  readonly tool?: string;
  /** The number of the call, of the attempt to connect, or of the occasion in its phase. */
  readonly call: number;
  /** What was struck, if it was neither a call nor the making of a connection. */
  readonly phase?: Phase;
};

/** A line was not a JSON object. It was passed on as it was. */
export type BadLineEvent = {
  readonly type: "bad_line";
  readonly server: string;
  readonly from: "hub" | "server";
  /** Its beginning, at most 200 characters. */
  readonly head: string;
};

/** A fault's own code threw: an error of the bench, which makes the cell worthless. The message was passed on. */
export type FaultBrokeEvent = Omit<FaultEvent, "type"> & {
  readonly type: "fault_broke";
  readonly message: string;
};

/** An event on the world's side of one server's connection. */
export type WorldEvent =
  | ConnectEvent
  | CloseEvent
  | RequestEvent
  | ReplyEvent
  | CancelledEvent
  | FaultEvent
  | FaultBrokeEvent
  | BadLineEvent;

/** Told of each event as it happens. Must not throw. */
export type Observer = (event: WorldEvent) => void;
