import { z } from "zod";
import { defineFault } from "./fault.ts";
import { answerError } from "./verdicts.ts";

/** A server with a quota, and the quota is used up: not too fast, but too much. */
export const quotaExhausted = defineFault({
  id: "quota_exhausted",
  layer: "budget",
  visibility: "explicit",
  summary: "After so many calls, every further one is answered with 429 and no time to wait for.",
  correct: "Stop cleanly, do not wait, and list what was not asked any more.",
  outcome: "rate_limited",
  lasts: "permanent",
  example: "- { fault: quota_exhausted, at: orders, calls: 1 }",
  params: z.strictObject({
    calls: z.int().nonnegative().default(1).describe("How many calls the quota has."),
  }),
  hooks: () => {
    let used = 0;
    return {
      request: (message, { params }) =>
        ++used > params.calls
          ? answerError(message, { code: -32000, message: "429 quota exceeded for this month", data: { status: 429 } })
          : undefined,
    };
  },
});
