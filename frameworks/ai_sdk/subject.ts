/**
 * The AI SDK's orchestrator and workers, as its documentation has them: a plan as structured output, and `Promise.all` over
 * one ToolLoopAgent a task.
 */
import type { Subject } from "../../agents/mod.ts";
import { textAnswer } from "../bridge/answer.ts";
import { bridgeModel } from "../bridge/ai_sdk.ts";
import { Desk } from "../bridge/desk.ts";
import { type Done, PlannedTasks, planningPrompt, ready } from "../bridge/plan.ts";
import { generateText, Output } from "../deps/ai_sdk.ts";
import { summary, work } from "./worker.ts";

/** See the file. */
export const subject: Subject = {
  name: "ai-sdk",
  summary: "Vercel AI SDK: a planner with structured output, one ToolLoopAgent a task.",
  shows: ["agents"],
  async run(world) {
    await using desk = await Desk.open(world);
    const { crew, signal, request } = world;
    const { output: { tasks } } = await generateText({
      model: bridgeModel(desk.seat("planner"), signal),
      output: Output.object({ schema: PlannedTasks }),
      instructions: planningPrompt(crew),
      prompt: request,
      abortSignal: signal,
    });
    const done: Done[] = [];
    for (let next = ready(tasks, done); next.length > 0; next = ready(tasks, done)) {
      done.push(...await Promise.all(next.map(async (task) => ({ task, text: await work(desk, task, done) }))));
    }
    return textAnswer(await summary(desk, done.map(({ text }) => text).join("\n\n")));
  },
};
