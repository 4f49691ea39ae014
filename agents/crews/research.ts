import type { Crew } from "./crew.ts";

/** A research desk. Which of its specialists work is decided by the plan, request by request. */
export const research: Crew = {
  name: "research",
  title: "Research desk: what sources say, what the numbers are, whether claims hold",
  servers: ["library", "web", "quotes"],
  specialists: [
    {
      name: "researcher",
      role: "Finds what the library and the web say on a question. Input: query.",
      prompt: "researcher@1",
      toolAllow: ["library.", "web."],
      maxSteps: 5,
      deadlineMs: 3000,
      returnContract: "One to three sentences, each with its source, its date and its reference.",
    },
    {
      name: "analyst",
      role: "Gives prices with their date, and works out numbers. Input: symbol.",
      prompt: "analyst@1",
      toolAllow: ["quotes.", "library."],
      maxSteps: 4,
      deadlineMs: 3000,
      returnContract: "One or two sentences with each value, its unit, as of when it holds and its reference.",
      standsInFor: ["fact_checker"],
    },
    {
      name: "fact_checker",
      role: "Checks claims against what is on the web. Input: claim.",
      prompt: "fact_checker@1",
      toolAllow: ["web."],
      maxSteps: 4,
      deadlineMs: 3000,
      returnContract: "One sentence a claim: confirmed, contradicted or unchecked, with source, date and reference.",
    },
  ],
  fallbacks: [
    {
      specialist: "analyst",
      asOf: "2026-10-30",
      source: "closing list",
      text: "HRBR closed at 17.95 EUR (closing list CLOSE-1030-HR).",
      canary: "CLOSE-1030-HR",
    },
  ],
  fallbackPlan: [{ specialist: "researcher", objective: "Find what the library has on the Harbour Line." }],
  routes: {},
  deadlineMs: 30_000,
};
