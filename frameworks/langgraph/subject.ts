/**
 * LangGraph.js as its documentation teaches it: the orchestrator and its workers, fanned out with `Send`, a list with a
 * reducer, a conditional edge to a recovery node, a checkpointer. A node that throws ends the run, as it does there.
 */
import type { Subject } from "../../agents/mod.ts";
import { textAnswer } from "../bridge/answer.ts";
import { Desk } from "../bridge/desk.ts";
import { BridgeChatModel } from "../bridge/langchain.ts";
import { type Done, failureText, PlannedTasks, planningPrompt, ready } from "../bridge/plan.ts";
import { END, MemorySaver, Send, START, StateGraph, StructuredOutputParser } from "../deps/langchain.ts";
import { join, summary } from "./parts.ts";
import { State } from "./state.ts";
import { work } from "./agent.ts";

/** See the file. */
export const subject: Subject = {
  name: "langgraph",
  summary: "LangGraph.js: a planner, Send to one agent a task, a reducer, a recovery edge, a checkpointer.",
  shows: ["agents"],
  async run(world) {
    await using desk = await Desk.open(world);
    const { crew, signal, request } = world;
    const parser = StructuredOutputParser.fromZodSchema(PlannedTasks);
    const plan = new BridgeChatModel(desk.seat("planner"), signal).pipe(parser);
    const isMissing = ({ text }: Done) => text.trim() === "";
    const fanOut = ({ tasks, done }: State) => {
      const next = ready(tasks, done);
      if (next.length > 0) return next.map((task) => new Send("worker", { task, done }));
      return done.some(isMissing) ? "recover" : "synthesize";
    };
    const graph = new StateGraph(State)
      .addNode("plan", async ({ request }) => {
        const { tasks } = await plan.invoke([["system", planningPrompt(crew)], ["user", request]]);
        return { tasks };
      })
      .addNode("worker", async ({ task, done }) => ({ done: [{ task, text: await work(desk, task, done) }] }))
      // Where the fan-out comes together again: an edge that is asked after one worker sees that worker's result alone.
      .addNode("collect", () => ({}))
      .addNode("recover", ({ done }) => ({
        recovery: done.filter(isMissing).map(({ task, error = "" }) => ({
          task,
          text: failureText(task.specialist, error, crew),
        })),
      }))
      .addNode("synthesize", async (state) => ({
        answer: await summary(desk, state.request, join(state.tasks, [...state.recovery, ...state.done])),
      }))
      .addEdge(START, "plan")
      .addConditionalEdges("plan", fanOut, ["worker", "recover", "synthesize"])
      .addEdge("worker", "collect")
      .addConditionalEdges("collect", fanOut, ["worker", "recover", "synthesize"])
      .addEdge("recover", "synthesize")
      .addEdge("synthesize", END)
      .compile({ checkpointer: new MemorySaver() });
    const { answer } = await graph.invoke({ request }, { signal, configurable: { thread_id: "run" } });
    return textAnswer(answer);
  },
};
