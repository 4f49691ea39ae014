/** `createSupervisor` as the package's README has it. */
import type { Subject } from "../../agents/mod.ts";
import { textAnswer } from "../bridge/answer.ts";
import { Desk } from "../bridge/desk.ts";
import { team } from "./team.ts";

/** See the file. */
export const subject: Subject = {
  name: "langgraph-supervisor",
  summary: "createSupervisor of @langchain/langgraph-supervisor over one agent a specialist.",
  shows: ["agents"],
  async run(world) {
    await using desk = await Desk.open(world);
    const { request, signal } = world;
    const app = team(desk, { parallel: true }).compile();
    const { messages } = await app.invoke({ messages: [{ role: "user", content: request }] }, { signal });
    return textAnswer(messages.at(-1)?.text ?? "");
  },
};
