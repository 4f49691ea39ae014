import type { Crew } from "./crew.ts";

/** The refund desk: what happened on an order, what the policy says, what to tell the customer. */
export const support: Crew = {
  name: "support",
  title: "Refund desk: what was charged, what the policy says, what to tell the customer",
  servers: ["orders", "kb", "policy"],
  specialists: [
    {
      name: "billing",
      role: "Establishes what was charged on an order and whether a refund exists. Input: order_id.",
      toolAllow: ["orders."],
      maxSteps: 3,
      deadlineMs: 3000,
      returnContract: "One or two sentences on charges and refunds, with the order's reference.",
    },
    {
      name: "policy",
      role: "States what the refund policy says on a topic. Input: topic.",
      toolAllow: ["policy."],
      maxSteps: 2,
      deadlineMs: 3000,
      returnContract: "One or two sentences on the policy, with the date from which it holds.",
    },
    {
      name: "comms",
      role: "Finds wording for the customer in the knowledge base. Input: query.",
      toolAllow: ["kb."],
      maxSteps: 2,
      deadlineMs: 3000,
      returnContract: "One or two sentences that can be said to the customer.",
    },
  ],
  fallbacks: [
    {
      specialist: "policy",
      asOf: "2026-07",
      source: "policy snapshot",
      text: "Refunds for duplicate charges are automatic within 5 business days; goodwill credit beyond that " +
        "(snapshot SNAP-2607-Q4).",
      canary: "SNAP-2607-Q4",
    },
  ],
  fallbackPlan: [{ specialist: "comms", objective: "Find what can be said to the customer about the request." }],
  routes: {},
  deadlineMs: 30_000,
};
