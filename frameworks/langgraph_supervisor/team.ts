/** What both supervisors have in common: the agents, and the supervisor's model. */
import type { Desk, Voice } from "../bridge/desk.ts";
import { BridgeChatModel, langchainTools } from "../bridge/langchain.ts";
import { EntryLead, Lead, transferCall } from "../bridge/lead.ts";
import { instructionsOf, planningPrompt } from "../bridge/plan.ts";
import { createAgent, createSupervisor, modelCallLimit } from "../deps/langchain.ts";

/** How a team differs from the plain one. */
export interface TeamOptions {
  /**
   * Whether the supervisor's model may hand over to several agents in one turn. The package turns that off for OpenAI's
   * models, and leaves it on for all others.
   */
  readonly parallel: boolean;
  /** Whether agents whose server is down are left out; if not, nothing begins. */
  readonly withoutDown?: boolean;
}

/** A supervisor over one agent for each specialist, not compiled yet. */
export function team(desk: Desk, { parallel, withoutDown = false }: TeamOptions) {
  const { crew, signal, topology } = desk.world;
  const agents = crew.specialists.filter((one) => !withoutDown || desk.isReachable(one)).map((specialist) => {
    const seat = desk.seat(specialist.name);
    return createAgent({
      model: new BridgeChatModel(seat, signal),
      tools: langchainTools(seat, signal),
      name: specialist.name,
      description: specialist.role,
      systemPrompt: instructionsOf(specialist),
      middleware: [modelCallLimit({ runLimit: specialist.maxSteps })],
    }).graph;
  });
  const lead: Voice = topology === "peer" ? new EntryLead(desk) : new Lead(desk, { callOf: transferCall, parallel });
  return createSupervisor({ agents, llm: new BridgeChatModel(lead, signal), prompt: planningPrompt(crew) });
}
