/** From an accepted handoff to what its receiver gets: a message and a packet, by value, and no transcript. */
import { clip, oneLine } from "../../core/mod.ts";
import type { Crew } from "../crews/crew.ts";
import type { AgentMessage, Finding, Handoff, Observation, Report } from "../types.ts";
import { type Asked, ENTRY } from "./handoff.ts";

/** Id of the packet of a handoff, counted from 1. */
export const packetId = (n: number): string => `h${n}`;

/**
 * What the sender says: the objective, its inputs, and what it has found itself, by value. Of what failed only the code
 * goes along: a server's words of error are nothing that a peer has to read.
 *
 * @param n Which handoff of the run it is, from 1.
 * @param report The sender's verified report; none from the first agent.
 */
export function messageOf({ from, to, objective, inputs }: Asked, n: number, report: Report | undefined): AgentMessage {
  const found = (report?.findings ?? []).map(({ claim }) => claim);
  const metadata: AgentMessage["metadata"] = {
    packetId: packetId(n),
    inputs,
    ...(found.length === 0 ? {} : { found }),
    ...(report?.failure === undefined ? {} : { failed: report.failure.code }),
  };
  return { sender: from, receiver: to, content: objective, metadata };
}

/**
 * The packet that a message becomes, with its receiver's tools and limits.
 *
 * @throws {RangeError} If the crew has no such specialist; the desk has refused such handoffs.
 */
export function packetOf(message: AgentMessage, asked: Asked, n: number, crew: Crew): Handoff {
  const specialist = crew.specialists.find(({ name }) => name === message.receiver);
  if (specialist === undefined) throw new RangeError(`no specialist ${message.receiver} in crew ${crew.name}`);
  const { found, failed } = message.metadata;
  const { maxTokens, maxCostUsd } = specialist;
  return {
    id: packetId(n),
    sender: message.sender,
    recipient: specialist.name,
    objective: asked.objective,
    inputs: {
      ...asked.inputs,
      ...(found === undefined ? {} : { [`found by ${message.sender}`]: found }),
      ...(failed === undefined ? {} : { [`not done by ${message.sender}`]: failed }),
    },
    toolAllow: [...specialist.toolAllow],
    maxSteps: specialist.maxSteps,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
    deadlineMs: Math.min(specialist.deadlineMs, crew.superstepMs ?? Infinity),
    // What it has been told, it has from there.
    dependsOn: message.sender === ENTRY ? [] : [packetId(n - 1)],
    returnContract: specialist.returnContract,
  };
}

const QUOTE = 300;

/** What was observed, in the tools' own words: for an agent that has handed over without a word of its own. */
export function quoted(observed: readonly Observation[]): Finding[] {
  return observed.map((one) => ({
    claim: `${one.tool} answered: ${clip(oneLine(one.text), QUOTE)}`,
    observations: [one],
    verdict: "supported",
  }));
}
