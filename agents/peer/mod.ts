/**
 * Peers: the topology in which control moves to a specialist and does not come back.
 *
 * @module
 */
export { type Asked, canonicalTask, ENTRY, HANDOFF, MAX_HANDOFFS, type Refusal, type Refused } from "./handoff.ts";
export { refuseNames } from "./outcome.ts";
export type { ControlTools } from "./control.ts";
export type { Turn, Turns } from "./turn.ts";
export { peers, type PeerTools } from "./peer.ts";
export { TRIAGE_STEPS } from "./triage.ts";
