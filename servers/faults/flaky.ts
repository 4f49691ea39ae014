import { z } from "zod";
import { defineFault } from "./fault.ts";
import { replaceResult, textResult } from "./verdicts.ts";

/** A tool that fails a few times and then works, as a cold cache or a restarting replica does. */
export const flaky = defineFault({
  id: "flaky",
  layer: "result",
  visibility: "explicit",
  summary: "The first calls of the tool fail, and the later ones succeed.",
  correct: "Repeat the call a bounded number of times; once it has succeeded, claim no failure.",
  outcome: "tool_error",
  lasts: "transient",
  example: "- { fault: flaky, at: kb.search_kb, fails: 1 }",
  params: z.strictObject({
    fails: z.int().positive().default(1).describe("How many calls of each tool fail."),
    message: z.string().min(1).default("temporarily unavailable, try again").describe("The text of the error."),
  }),
  hooks: {
    reply: (reply, { params, call }) =>
      call <= params.fails ? replaceResult(reply, textResult(params.message, true)) : undefined,
  },
});
