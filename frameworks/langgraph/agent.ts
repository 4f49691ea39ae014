/** A specialist as an agent of LangChain's. */
import type { Done, PlannedTask } from "../bridge/plan.ts";
import { before, instructionsOf, taskText } from "../bridge/plan.ts";
import type { Desk } from "../bridge/desk.ts";
import { BridgeChatModel, langchainTools } from "../bridge/langchain.ts";
import { createAgent, type Middleware } from "../deps/langchain.ts";

/**
 * Has a specialist do a task.
 *
 * @param limits Middleware of the agent. Without any the graph's own limit holds, two supersteps for each model call.
 * @returns What it said last.
 * @throws {Error} If the crew has no such specialist, or the agent throws.
 */
export async function work(
  desk: Desk,
  task: PlannedTask,
  done: readonly Done[],
  limits: (maxSteps: number) => Middleware[] = () => [],
): Promise<string> {
  const { signal } = desk.world;
  const specialist = desk.specialist(task.specialist);
  if (specialist === undefined) throw new Error(`there is no specialist ${task.specialist}`);
  const seat = desk.seat(specialist.name);
  const middleware = limits(specialist.maxSteps);
  const agent = createAgent({
    model: new BridgeChatModel(seat, signal),
    tools: langchainTools(seat, signal),
    systemPrompt: instructionsOf(specialist),
    middleware,
  });
  const { messages } = await agent.invoke(
    { messages: [{ role: "user", content: taskText(task, before(task, done)) }] },
    middleware.length === 0 ? { signal, recursionLimit: 2 * specialist.maxSteps } : { signal },
  );
  return messages.at(-1)?.text ?? "";
}
