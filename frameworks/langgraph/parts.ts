/** What both graphs do with results. */
import type { Desk } from "../bridge/desk.ts";
import { BridgeChatModel } from "../bridge/langchain.ts";
import type { Done, PlannedTask } from "../bridge/plan.ts";

/** The results in the plan's order; of several for one task, the first. */
export function join(tasks: readonly PlannedTask[], results: readonly Done[]): string {
  return tasks.flatMap((task) => results.find((one) => one.task.id === task.id)?.text ?? []).join("\n\n");
}

/** What a crew's synthesizer makes of the results; the results themselves if it has none. */
export async function summary(desk: Desk, request: string, results: string): Promise<string> {
  const { crew, signal } = desk.world;
  if (crew.synthesizer !== true) return results;
  const model = new BridgeChatModel(desk.seat("synthesizer"), signal);
  const { text } = await model.invoke([
    ["system", "Answer the user's request from the specialists' results."],
    ["user", `${request}\n\n${results}`],
  ]);
  return text;
}
