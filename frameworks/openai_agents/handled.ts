/** The crew of `subject.ts` with what the SDK has for failures: error handlers, and unknown tools told to the model. */
import type { Subject } from "../../agents/mod.ts";
import { textAnswer } from "../bridge/answer.ts";
import { Desk } from "../bridge/desk.ts";
import { failureText, reasonOf } from "../bridge/plan.ts";
import { Runner } from "../deps/openai_agents.ts";
import { entry, manager } from "./crew.ts";

/** See the file. */
export const subject: Subject = {
  name: "openai-agents-handled",
  summary: "The same with the SDK's error handlers, and unknown tools told to the model.",
  shows: ["agents"],
  async run(world) {
    await using desk = await Desk.open(world);
    const { crew, request, signal, topology } = world;
    const runner = new Runner({ tracingDisabled: true, toolNotFoundBehavior: "return_error_to_model" });
    const outOfTurns = ({ name }: { readonly name: string }) => failureText(name, "it ran out of turns", crew);
    const first = topology === "peer"
      ? entry(desk, { withoutDown: true, withoutTools: true })
      : manager(desk, { outOfTurns, withoutDown: true });
    const { finalOutput } = await runner.run(first, request, {
      signal,
      errorHandlers: {
        default: ({ error, runData: { lastAgent } }) => ({
          finalOutput: failureText(lastAgent?.name ?? "The desk", reasonOf(error), crew),
        }),
      },
    });
    return textAnswer(finalOutput ?? "");
  },
};
