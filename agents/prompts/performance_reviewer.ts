import type { Prompt } from "./prompt.ts";
import { REVIEWING_RULES } from "./reviewer.ts";

/** What is slow. */
export const PERFORMANCE_REVIEWER: Prompt = {
  id: "performance@1",
  text:
    `You review code for performance, and for nothing else: what is slow once there is much data. A query in a loop, columns
that nobody needs.

${REVIEWING_RULES}`,
};
