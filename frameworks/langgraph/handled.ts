/**
 * The graph of `subject.ts` with what LangGraph has for failures: a retry policy and an error handler on each node, an agent
 * whose model limit ends in an error, and a planner that is told once what was wrong with its reply.
 */
import type { Subject } from "../../agents/mod.ts";
import { textAnswer } from "../bridge/answer.ts";
import { Desk } from "../bridge/desk.ts";
import { BridgeChatModel } from "../bridge/langchain.ts";
import { type Done, failureText, PlannedTasks, planningPrompt, ready, reasonOf } from "../bridge/plan.ts";
import { isWorthRetrying } from "../bridge/retry.ts";
import {
  Command,
  END,
  MemorySaver,
  modelCallLimit,
  Send,
  START,
  StateGraph,
  StructuredOutputParser,
} from "../deps/langchain.ts";
import { work } from "./agent.ts";
import { join, summary } from "./parts.ts";
import { State } from "./state.ts";

/** See the file. */
export const subject: Subject = {
  name: "langgraph-handled",
  summary: "The same with LangGraph's retry policy and error handler on every node, and limits that end in errors.",
  shows: ["agents"],
  async run(world) {
    await using desk = await Desk.open(world);
    const { crew, signal, request } = world;
    const parser = StructuredOutputParser.fromZodSchema(PlannedTasks);
    const planner = desk.seat("planner");
    const plan = new BridgeChatModel(planner, signal).pipe(parser);
    const retryPolicy = { maxAttempts: 2, initialInterval: 100, retryOn: isWorthRetrying, logWarning: false };
    const limits = (runLimit: number) => [modelCallLimit({ runLimit, exitBehavior: "error" })];
    const isMissing = ({ text }: Done) => text.trim() === "";
    const fanOut = ({ tasks, done }: State) => {
      const next = ready(tasks, done);
      if (next.length > 0) return next.map((task) => new Send("worker", { task, done }));
      return done.some(isMissing) ? "recover" : "synthesize";
    };
    const graph = new StateGraph(State)
      .addNode(
        "plan",
        async ({ request }) => ({
          tasks: (await plan.invoke([["system", planningPrompt(crew)], ["user", request]])).tasks,
        }),
        {
          // Once more: a reply that is no plan is often followed by one.
          retryPolicy: { maxAttempts: 2, initialInterval: 100, retryOn: () => true, logWarning: false },
          errorHandler: (_: State, { error }: { readonly error: unknown }) =>
            new Command({ update: { answer: `planner failed: ${reasonOf(error)}. Nothing was done.` }, goto: END }),
          ends: [END],
        },
      )
      .addNode(
        "worker",
        async ({ task, done }: State) => ({ done: [{ task, text: await work(desk, task, done, limits) }] }),
        {
          retryPolicy,
          errorHandler: ({ task }: State, { error }: { readonly error: unknown }) =>
            new Command({ update: { done: [{ task, text: "", error: reasonOf(error) }] }, goto: "collect" }),
          ends: ["collect"],
        },
      )
      // Where the fan-out comes together again: an edge that is asked after one worker sees that worker's result alone.
      // Deferred: a handler's result comes a superstep later.
      .addNode("collect", () => ({}), { defer: true })
      .addNode(
        "recover",
        ({ done }) => ({
          recovery: done.filter(isMissing).map(({ task, error = "" }) => ({
            task,
            text: failureText(task.specialist, error, crew),
          })),
        }),
      )
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
