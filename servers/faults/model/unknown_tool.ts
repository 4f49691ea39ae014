import { z } from "zod";
import { defineFault } from "../fault.ts";
import { onFirstCall } from "./say.ts";

/** A call of a tool that was never offered. */
export const unknownTool = defineFault({
  id: "unknown_tool",
  layer: "model_output",
  visibility: "explicit",
  summary: "The first tool call names a tool that does not exist.",
  correct: "Refuse it at execution, tell the model which tools there are, and go on.",
  outcome: "denied",
  params: z.strictObject({
    name: z.string().min(1).default("admin.lookup").describe("The tool that is called."),
  }),
  hooks: {
    turn: (reply, { params }) => onFirstCall(reply, (call) => ({ ...call, name: params.name })),
  },
});
