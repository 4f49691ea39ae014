/** A specialist as an agent of the AI SDK's, and the crew's synthesizer. */
import { bridgeModel, sdkTools } from "../bridge/ai_sdk.ts";
import type { Desk } from "../bridge/desk.ts";
import { before, type Done, instructionsOf, type PlannedTask, taskText } from "../bridge/plan.ts";
import { generateText, isStepCount, ToolLoopAgent } from "../deps/ai_sdk.ts";

/**
 * Has a specialist do a task.
 *
 * @returns Its text; empty if it ended at its step limit with a call.
 * @throws {Error} If the crew has no such specialist, or a model call fails.
 */
export async function work(desk: Desk, task: PlannedTask, done: readonly Done[]): Promise<string> {
  const { signal } = desk.world;
  const specialist = desk.specialist(task.specialist);
  if (specialist === undefined) throw new Error(`there is no specialist ${task.specialist}`);
  const seat = desk.seat(specialist.name);
  const agent = new ToolLoopAgent({
    model: bridgeModel(seat, signal),
    instructions: instructionsOf(specialist),
    tools: sdkTools(seat, signal),
    stopWhen: isStepCount(specialist.maxSteps),
  });
  const { text } = await agent.generate({ prompt: taskText(task, before(task, done)), abortSignal: signal });
  return text;
}

/** What a crew's synthesizer makes of the results; the results themselves if it has none. */
export async function summary(desk: Desk, results: string): Promise<string> {
  const { crew, signal, request } = desk.world;
  if (crew.synthesizer !== true) return results;
  const { text } = await generateText({
    model: bridgeModel(desk.seat("synthesizer"), signal),
    instructions: "Answer the user's request from the specialists' results.",
    prompt: `${request}\n\n${results}`,
    abortSignal: signal,
  });
  return text;
}
