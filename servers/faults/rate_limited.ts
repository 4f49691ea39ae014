import { z } from "zod";
import { duration } from "./duration.ts";
import { defineFault } from "./fault.ts";
import { ON, onPhase } from "./on.ts";
import { answerError } from "./verdicts.ts";

/**
 * A server that wants to be called less often. Over HTTP it is status 429 with a `Retry-After`; over stdio both stand in
 * the `data` of an error of the protocol.
 */
export const rateLimited = defineFault({
  id: "rate_limited",
  layer: "transport",
  visibility: "explicit",
  summary: "The request is answered with 429, and how long to wait.",
  correct: "Wait as long as it says, with a cap on waits and tries; disclose it if they are used up.",
  outcome: "rate_limited",
  lasts: "transient",
  example: "- { fault: rate_limited, at: kb.search_kb, retry_after: 2s, when: { first: 2 } }",
  params: z.strictObject({
    retry_after: duration.default(1000).describe("How long to wait, in milliseconds; told in seconds."),
    on: ON,
  }),
  phase: onPhase,
  hooks: {
    request: (message, { params }) =>
      answerError(message, {
        code: -32000,
        message: "429 Too Many Requests",
        data: { status: 429, retryAfter: params.retry_after / 1000 },
      }),
  },
});
