import { z } from "zod";
import { defineFault } from "./fault.ts";
import { DROP } from "./verdicts.ts";

/** A call that has its effect and is never answered. To the caller it looks like a call that never arrived. */
export const actsThenHangs = defineFault({
  id: "acts_then_hangs",
  layer: "semantic",
  visibility: "implicit",
  summary: "The server acts on the call, and its answer is lost.",
  correct: "Unless the call only reads, its outcome is unknown: read the state before repeating it.",
  outcome: "timeout",
  example: "- { fault: acts_then_hangs, at: refunds.issue_refund, when: { calls: [1] } }",
  params: z.strictObject({}),
  hooks: { reply: () => DROP },
});
