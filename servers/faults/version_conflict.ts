import { z } from "zod";
import { defineFault } from "./fault.ts";
import { answerError } from "./verdicts.ts";

/** Somebody else was faster. */
export const versionConflict = defineFault({
  id: "version_conflict",
  layer: "concurrency",
  visibility: "explicit",
  summary: "The call is answered with 409: what it wants to change has changed meanwhile.",
  correct: "Read anew, decide anew, and write once more at most; never overwrite blindly.",
  outcome: "conflict",
  lasts: "transient",
  example: "- { fault: version_conflict, at: notes.write, when: { first: 1 } }",
  params: z.strictObject({
    message: z.string().min(1).default("409 Conflict: version 3 expected, version 4 found").describe(
      "The error's message.",
    ),
  }),
  hooks: {
    request: (message, { params }) =>
      answerError(message, { code: -32000, message: params.message, data: { status: 409 } }),
  },
});
