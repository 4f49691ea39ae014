/** The supervisor of `subject.ts`, one handoff at a time, with LangGraph's retry policy and error handler on every node. */
import type { Subject } from "../../agents/mod.ts";
import { textAnswer } from "../bridge/answer.ts";
import { Desk } from "../bridge/desk.ts";
import { failureText, reasonOf } from "../bridge/plan.ts";
import { isWorthRetrying } from "../bridge/retry.ts";
import { AIMessage, Command, END } from "../deps/langchain.ts";
import { team } from "./team.ts";

/** See the file. */
export const subject: Subject = {
  name: "langgraph-supervisor-handled",
  summary: "The same with one handoff at a time, and LangGraph's retry policy and error handler on every node.",
  shows: ["agents"],
  async run(world) {
    await using desk = await Desk.open(world);
    const { request, signal } = world;
    const app = team(desk, { parallel: false, withoutDown: true }).setNodeDefaults({
      retryPolicy: { maxAttempts: 2, initialInterval: 100, retryOn: isWorthRetrying, logWarning: false },
      errorHandler: (_, { node, error }) => {
        const content = failureText(node, reasonOf(error), world.crew);
        const update = { messages: [new AIMessage({ name: node, content })] };
        // An agent's failure is for the supervisor to deal with; the supervisor's own ends the run.
        return new Command({ update, goto: node === "supervisor" ? END : "supervisor" });
      },
    }).compile();
    const { messages } = await app.invoke({ messages: [{ role: "user", content: request }] }, { signal });
    return textAnswer(messages.at(-1)?.text ?? "");
  },
};
