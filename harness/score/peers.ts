/** What is different where peers hand control over: who sees the request, and which calls are no tool's. */
import { ENTRY, HANDOFF } from "../../agents/mod.ts";
import type { TraceView } from "./view.ts";

/** Whether an agent is the one that sees the user's request: no specialist, and not judged as one. */
export function isEntry(agent: string, { trace }: Pick<TraceView, "trace">): boolean {
  return agent === (isPeer(trace) ? ENTRY : "planner");
}

/** Whether an agent works on packets, and is judged by what it saw of them: not who plans, and not who sums up. */
export function isWorker(agent: string, view: Pick<TraceView, "trace">): boolean {
  const { crew } = view.trace;
  const sums = agent === "synthesizer" && crew.synthesizer === true;
  return !isEntry(agent, view) && !(sums && !crew.specialists.some(({ name }) => name === agent));
}

/** Whether a call hands control over. It reaches no server. */
export function isHandoff(tool: string, { trace }: Pick<TraceView, "trace">): boolean {
  return isPeer(trace) && tool.startsWith(HANDOFF);
}

/** The specialists that an agent's turn hands control to, if it does. */
export function handedTo(tools: readonly string[], view: Pick<TraceView, "trace">): string[] {
  return tools.filter((tool) => isHandoff(tool, view)).map((tool) => tool.slice(HANDOFF.length));
}

const isPeer = ({ scenario }: TraceView["trace"]): boolean => scenario.topology === "peer";
