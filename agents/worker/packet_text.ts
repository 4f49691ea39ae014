import type { Handoff } from "../types.ts";
import { FINDINGS_FORM } from "./reply.ts";

/** A packet as its worker's model reads it. */
export function renderPacket(packet: Handoff, returns: "note" | "findings" = "note"): string {
  const inputs = Object.entries(packet.inputs).map(([key, value]) => `- ${key}: ${JSON.stringify(value)}`);
  return [
    `Objective: ${packet.objective}`,
    ...(inputs.length === 0 ? [] : ["Inputs:", ...inputs]),
    `Report: ${packet.returnContract}`,
    ...(returns === "findings" ? [`Reply with one JSON object and nothing else: ${FINDINGS_FORM}`] : []),
    `You may reply at most ${packet.maxSteps} times, tool calls included.`,
  ].join("\n");
}
