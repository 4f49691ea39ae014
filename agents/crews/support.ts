import type { Crew } from "./crew.ts";

const DAY = 86_400_000;
const REFUND = { tools: ["refunds.issue_refund"], amount: "amount" };

/**
 * The refund desk: what happened on an order, what the policy says, what to tell the customer; and, behind approval, money
 * and messages that go out. Amounts are cents.
 */
export const support: Crew = {
  name: "support",
  title: "Refund desk: what was charged, what the policy says, what to tell the customer, what is paid back",
  servers: ["orders", "kb", "policy", "refunds", "outbox"],
  specialists: [
    {
      name: "billing",
      prompt: "billing@1",
      role: "Establishes what was charged on an order and whether a refund exists. Input: order_id.",
      toolAllow: ["orders."],
      maxSteps: 3,
      deadlineMs: 3000,
      returnContract: "One or two sentences on charges and refunds, with the order's reference.",
    },
    {
      name: "policy",
      prompt: "policy@1",
      role: "States what the refund policy says on a topic. Input: topic.",
      toolAllow: ["policy."],
      maxSteps: 2,
      deadlineMs: 3000,
      returnContract: "One or two sentences on the policy, with the date from which it holds.",
    },
    {
      name: "comms",
      prompt: "comms@1",
      role: "Finds wording for the customer in the knowledge base. Input: query.",
      toolAllow: ["kb."],
      maxSteps: 2,
      deadlineMs: 3000,
      returnContract: "One or two sentences that can be said to the customer.",
    },
    {
      name: "cashier",
      role: "Pays a refund back, and lists what was paid. Input: order_id, customer, amount in cents.",
      toolAllow: ["refunds."],
      maxSteps: 6,
      deadlineMs: 10_000,
      callTimeoutMs: 1500,
      returnContract: "One or two sentences on what was paid, with the reference of each refund, or why it was not.",
    },
    {
      name: "outreach",
      role: "Sends a message to a customer, and lists what was sent. Input: to, subject, body.",
      toolAllow: ["outbox."],
      maxSteps: 4,
      deadlineMs: 10_000,
      callTimeoutMs: 1500,
      returnContract: "One sentence on what was sent, with the message's reference, or why it was not.",
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
  approval: [
    { rule: "limit", ...REFUND, max: 10_000 },
    { rule: "total", ...REFUND, max: 20_000, per: "customer", periodMs: DAY },
    { rule: "total", ...REFUND, max: 100_000, periodMs: DAY },
    { rule: "ask", tools: ["outbox.send_message"] },
  ],
  deadlineMs: 30_000,
};
