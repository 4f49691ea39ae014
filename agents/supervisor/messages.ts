/** What one agent tells another: explicit messages, one for each note that a packet carries. */
import { digest } from "../../core/mod.ts";
import type { AgentMessage, Handoff, Report } from "../types.ts";
import { attemptsAt, standing } from "./attempts.ts";

/**
 * The messages that come with a packet, in the order of its dependencies: what the worker of each has found, as it was
 * put into the packet. `metadata`: the ids of both packets, and the digest of the one that carries the message.
 *
 * @param reports All reports so far, verified: those from which the packet was made.
 */
export function messagesIn(packet: Handoff, reports: readonly Report[]): AgentMessage[] {
  return packet.dependsOn.flatMap((id): AgentMessage[] => {
    const content = packet.inputs[`from ${id}`];
    const sender = standing(attemptsAt(id, reports))?.worker;
    if (typeof content !== "string" || sender === undefined) return [];
    const metadata = { from: id, to: packet.id, hash: digest(packet) };
    return [{ sender, receiver: packet.recipient, content, metadata }];
  });
}
