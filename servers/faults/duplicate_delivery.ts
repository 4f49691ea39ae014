import { z } from "zod";
import { defineFault } from "./fault.ts";

/** A request that the network delivers twice: the server acts twice, and the caller asked once. */
export const duplicateDelivery = defineFault({
  id: "duplicate_delivery",
  layer: "concurrency",
  visibility: "implicit",
  summary: "The server sees the call twice; its second answer is lost.",
  correct: "Send an idempotency key with whatever has an effect, so that there is one effect.",
  outcome: "ok",
  example: "- { fault: duplicate_delivery, at: refunds.issue_refund }",
  params: z.strictObject({}),
  hooks: { request: (message, { link }) => link.repeat(message) },
});
