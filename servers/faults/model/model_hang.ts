import { z } from "zod";
import { defineFault } from "../fault.ts";
import { LOST } from "./say.ts";

/** The call is taken, and nothing ever comes back, not even a header. */
export const modelHang = defineFault({
  id: "model_hang",
  layer: "model_api",
  visibility: "implicit",
  summary: "The model call is never answered.",
  correct: "Give it a deadline, go on without it, and disclose the timeout.",
  outcome: "timeout",
  params: z.strictObject({}),
  hooks: {
    ask: () => LOST,
  },
});
