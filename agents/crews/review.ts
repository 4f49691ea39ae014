import type { Crew, Specialist } from "./crew.ts";

/** A reviewer: it reads the code and has one inspection, its own. What the others look for it cannot see. */
function reviewer(name: string, role: string): Specialist {
  return {
    name,
    role: `${role} Input: file, if only one file is meant.`,
    prompt: `${name}@1`,
    toolAllow: ["code.read", `code.${name}`],
    maxSteps: 3,
    deadlineMs: 3000,
    returnContract:
      "Findings, each with file, line, what is wrong and the line; or how much was inspected, if nothing is wrong.",
    returns: "findings",
  };
}

/** A code review: four reviewers look at the same code at the same time, each for something else. */
export const review: Crew = {
  name: "review",
  title: "Code review: security, performance, maintainability, documentation",
  servers: ["code"],
  specialists: [
    reviewer("security", "Finds what an attacker can use in the code under review."),
    reviewer("performance", "Finds what is slow in the code under review."),
    reviewer("maintainability", "Finds what is hard to change in the code under review."),
    reviewer("docs", "Finds what is not documented in the code under review."),
  ],
  // A review of other code stands in for nothing.
  fallbacks: [],
  fallbackPlan: [
    { specialist: "security", objective: "Review the code for security." },
    { specialist: "performance", objective: "Review the code for performance." },
    { specialist: "maintainability", objective: "Review the code for maintainability." },
    { specialist: "docs", objective: "Review the code for documentation." },
  ],
  routes: {},
  order: "severity",
  deadlineMs: 30_000,
};
