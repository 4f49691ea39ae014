import { z } from "zod";
import { defineFault } from "../fault.ts";
import { firstPart, rawCall, turned } from "./say.ts";

/** The arguments of a call are cut off. Taken as {} they would still be a call. */
export const truncatedArguments = defineFault({
  id: "truncated_arguments",
  layer: "model_output",
  visibility: "explicit",
  summary: "The last tool call ends in the middle of its arguments.",
  correct: "Never execute it: tell the model that it was cut, or fail.",
  outcome: "model_error",
  params: z.strictObject({
    fraction: z.number().gt(0).lt(1).default(0.5).describe("The share of the arguments that is left."),
    told: z.boolean().default(true).describe("Whether the turn says that it was cut (finish: length)."),
  }),
  hooks: {
    turn(reply, { params }) {
      const last = reply.calls.at(-1);
      if (last === undefined) return;
      const json = last.rawArguments ?? JSON.stringify(last.args);
      const calls = [...reply.calls.slice(0, -1), rawCall(last, firstPart(json, params.fraction))];
      return turned(reply, { calls, finish: params.told ? "length" : reply.finish });
    },
  },
});
