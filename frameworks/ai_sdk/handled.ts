/**
 * The orchestrator of `subject.ts` with what the AI SDK and its documentation have for failures: JSON taken out of its fence,
 * one more attempt at a plan that does not fit its schema, errors of workers caught, and a worker that ended without a word
 * noticed.
 */
import type { Subject } from "../../agents/mod.ts";
import { textAnswer } from "../bridge/answer.ts";
import { bridgeModel } from "../bridge/ai_sdk.ts";
import { Desk } from "../bridge/desk.ts";
import {
  type Done,
  failureText,
  type PlannedTask,
  PlannedTasks,
  planningPrompt,
  ready,
  reasonOf,
} from "../bridge/plan.ts";
import {
  extractJsonMiddleware,
  generateText,
  NoObjectGeneratedError,
  Output,
  wrapLanguageModel,
} from "../deps/ai_sdk.ts";
import { summary, work } from "./worker.ts";

/** See the file. */
export const subject: Subject = {
  name: "ai-sdk-handled",
  summary: "The same with errors of workers caught, JSON extracted, and ends without a word noticed.",
  shows: ["agents"],
  async run(world) {
    await using desk = await Desk.open(world);
    let tasks: readonly PlannedTask[];
    try {
      tasks = await plan(desk);
    } catch (error) {
      if (world.signal.aborted) throw error;
      return textAnswer(`planner failed: ${reasonOf(error)}. Nothing was done.`);
    }
    const done: Done[] = [];
    for (let next = ready(tasks, done); next.length > 0; next = ready(tasks, done)) {
      done.push(...await Promise.all(next.map((task) => attempt(desk, task, done))));
    }
    return textAnswer(await summary(desk, done.map(({ text }) => text).join("\n\n")));
  },
};

/** Asks for a plan, and once more if the reply is none. */
async function plan(desk: Desk): Promise<readonly PlannedTask[]> {
  const { crew, signal, request } = desk.world;
  const model = wrapLanguageModel({
    model: bridgeModel(desk.seat("planner"), signal),
    middleware: extractJsonMiddleware(),
  });
  const ask = async () => {
    const { output } = await generateText({
      model,
      output: Output.object({ schema: PlannedTasks }),
      instructions: planningPrompt(crew),
      prompt: request,
      abortSignal: signal,
    });
    return output.tasks;
  };
  try {
    return await ask();
  } catch (error) {
    if (!NoObjectGeneratedError.isInstance(error)) throw error;
    return await ask();
  }
}

/** A task with its failure in place of its result. */
async function attempt(desk: Desk, task: PlannedTask, done: readonly Done[]): Promise<Done> {
  const { specialist } = task;
  const { crew, signal } = desk.world;
  try {
    const text = await work(desk, task, done);
    return { task, text: text === "" ? failureText(specialist, "it ran out of steps", crew) : text };
  } catch (error) {
    if (signal.aborted) throw error;
    return { task, text: failureText(specialist, reasonOf(error), crew) };
  }
}
