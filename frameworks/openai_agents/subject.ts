/**
 * The OpenAI Agents SDK with its defaults: a manager with agents as tools where the scenario has a plan, handoffs where it
 * has peers. Tracing is off.
 */
import type { Subject } from "../../agents/mod.ts";
import { textAnswer } from "../bridge/answer.ts";
import { Desk } from "../bridge/desk.ts";
import { Runner } from "../deps/openai_agents.ts";
import { entry, manager } from "./crew.ts";

/** See the file. */
export const subject: Subject = {
  name: "openai-agents",
  summary: "OpenAI Agents SDK: a manager with agents as tools; among peers, handoffs.",
  shows: ["agents"],
  async run(world) {
    await using desk = await Desk.open(world);
    const { request, signal, topology } = world;
    const runner = new Runner({ tracingDisabled: true });
    const first = topology === "peer" ? entry(desk) : manager(desk);
    const { finalOutput } = await runner.run(first, request, { signal });
    return textAnswer(finalOutput ?? "");
  },
};
