import { z } from "zod";
import { defineFault } from "../fault.ts";
import { onFirstCall, rawCall } from "./say.ts";

/** A call whose arguments are no arguments. */
export const badToolCall = defineFault({
  id: "bad_tool_call",
  layer: "model_api",
  visibility: "explicit",
  summary: "The first tool call has arguments that are not a JSON object.",
  correct: "Never execute it, not with {} either: tell the model what is wrong once, then fail.",
  outcome: "model_error",
  params: z.strictObject({
    how: z.enum(["invalid_json", "array", "double_encoded", "no_text"]).default("invalid_json").describe(
      "What they are.",
    ),
  }),
  hooks: {
    turn: (reply, { params }) =>
      onFirstCall(reply, (call) => {
        const json = JSON.stringify(call.args);
        return rawCall(
          call,
          {
            invalid_json: `{'args': ${json}`,
            array: `[${json}]`,
            double_encoded: JSON.stringify(json),
            no_text: "",
          }[params.how],
        );
      }),
  },
});
