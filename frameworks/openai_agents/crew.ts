/** A crew in the OpenAI Agents SDK: its two patterns, a manager with agents as tools and peers with handoffs. */
import { ENTRY, type Specialist } from "../../agents/mod.ts";
import type { Desk } from "../bridge/desk.ts";
import { askCall, Lead } from "../bridge/lead.ts";
import { TRANSFER } from "../bridge/names.ts";
import { BridgeModel, functionTools } from "../bridge/openai_agents.ts";
import { instructionsOf, planningPrompt } from "../bridge/plan.ts";
import { Agent, handoff, removeAllTools } from "../deps/openai_agents.ts";

/** How a crew differs from the plain one. */
export interface CrewOptions {
  /** What a manager's agents may do about running out of turns; the SDK's default error if left out. */
  readonly outOfTurns?: (specialist: Specialist) => string;
  /** Whether agents whose server is down are left out; if not, nothing begins. */
  readonly withoutDown?: boolean;
  /** Whether peers are handed the conversation without calls and results, by the SDK's own filter. */
  readonly withoutTools?: boolean;
}

/** A manager who asks specialists as tools, and gets their reports. */
export function manager(desk: Desk, { outOfTurns, withoutDown }: CrewOptions = {}): Agent {
  const { crew, clock, signal } = desk.world;
  return Agent.create({
    name: "manager",
    instructions: planningPrompt(crew),
    model: new BridgeModel(new Lead(desk, { callOf: askCall }), clock, signal),
    tools: offered(desk, withoutDown).map((specialist) => {
      const maxTurns = specialist.maxSteps;
      const errorHandlers = outOfTurns === undefined ? {} : {
        errorHandlers: { maxTurns: () => ({ finalOutput: outOfTurns(specialist) }) },
      };
      return agentOf(desk, specialist).asTool({
        toolName: `ask_${specialist.name}`,
        toolDescription: specialist.role,
        runOptions: { maxTurns, ...errorHandlers },
      });
    }),
  });
}

/** Who has control first among peers, each of whom may hand it to any other. */
export function entry(desk: Desk, { withoutDown, withoutTools }: CrewOptions = {}): Agent {
  const { clock, signal } = desk.world;
  const agents = offered(desk, withoutDown).map((one) => agentOf(desk, one));
  const transfers = new Map(agents.map((agent) => [agent.name, transferTo(agent, withoutTools)]));
  for (const agent of agents) {
    agent.handoffs = [...transfers].filter(([name]) => name !== agent.name).map(([, transfer]) => transfer);
  }
  return Agent.create({
    name: ENTRY,
    instructions: "Hand control to the specialist who should begin.",
    model: new BridgeModel(desk.seat(ENTRY), clock, signal),
    handoffs: [...transfers.values()],
  });
}

function offered(desk: Desk, withoutDown = false): Specialist[] {
  return desk.world.crew.specialists.filter((one) => !withoutDown || desk.isReachable(one));
}

function agentOf(desk: Desk, specialist: Specialist): Agent {
  const { clock, signal } = desk.world;
  const seat = desk.seat(specialist.name);
  return new Agent({
    name: specialist.name,
    instructions: instructionsOf(specialist),
    model: new BridgeModel(seat, clock, signal),
    tools: functionTools(seat, signal),
  });
}

/** A handoff with what the scenarios' models say with it. */
function transferTo(agent: Agent, withoutTools = false) {
  return handoff(agent, {
    toolNameOverride: TRANSFER + agent.name,
    inputType: {
      type: "object",
      properties: { objective: { type: "string" }, inputs: { type: "object" } },
      required: ["objective"],
      additionalProperties: true,
    },
    onHandoff: () => {},
    ...(withoutTools ? { inputFilter: removeAllTools } : {}),
  });
}
