import { z } from "zod";
import { defineFault } from "../fault.ts";
import { failed } from "./say.ts";

/** The provider has too much to do. */
export const modelOverloaded = defineFault({
  id: "model_overloaded",
  layer: "model_api",
  visibility: "explicit",
  summary: "The model call fails with 529, overloaded.",
  correct: "Retry with a bounded backoff, then disclose that the model could not be asked.",
  outcome: "model_error",
  params: z.strictObject({}),
  hooks: {
    ask: () => failed({ status: 529, message: "Overloaded", code: "model_error" }),
  },
});
