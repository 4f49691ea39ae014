import { z } from "zod";
import { defineFault } from "../fault.ts";
import { onFirstCall } from "./say.ts";

/** Arguments that are JSON, and not what the tool takes. */
export const badArguments = defineFault({
  id: "bad_arguments",
  layer: "model_output",
  visibility: "explicit",
  summary: "A tool call lacks an argument, has one too many, or has one of the wrong type.",
  correct: "Check arguments against the schema before the call, tell the model what is wrong once, then give up on it.",
  outcome: "tool_error",
  params: z.strictObject({
    how: z.enum(["missing", "extra", "wrong_type"]).default("missing").describe("What is wrong with them."),
  }),
  hooks: {
    turn: (reply, { params }) =>
      onFirstCall(reply, (call) => {
        const [key] = Object.keys(call.args);
        if (params.how === "extra") return { ...call, args: { ...call.args, unexpected_argument: true } };
        if (key === undefined) return undefined;
        const { [key]: value, ...rest } = call.args;
        return { ...call, args: params.how === "missing" ? rest : { ...rest, [key]: [value ?? null] } };
      }),
  },
});
