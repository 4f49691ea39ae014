import { z } from "zod";
import { defineFault } from "../fault.ts";
import { duration } from "../duration.ts";
import { failed } from "./say.ts";

/** Too many requests; when to come again is in a header. */
export const modelRateLimited = defineFault({
  id: "model_rate_limited",
  layer: "model_api",
  visibility: "explicit",
  summary: "The model call is refused with 429 and Retry-After.",
  correct: "Wait as long as it says, within the deadline and a bound, then disclose if it did not help.",
  outcome: "rate_limited",
  params: z.strictObject({
    retryAfter: duration.default(2000).describe("After what time to come again, in milliseconds."),
    as: z.enum(["seconds", "date", "milliseconds"]).default("seconds").describe("How the header is written."),
  }),
  hooks: {
    ask: (_request, { params: { retryAfter, as } }) =>
      failed({
        status: 429,
        message: "Rate limit reached",
        code: "rate_limited",
        retryAfterMs: retryAfter,
        retryAfterAs: as,
      }),
  },
});
