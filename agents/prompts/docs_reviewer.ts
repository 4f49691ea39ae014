import type { Prompt } from "./prompt.ts";
import { REVIEWING_RULES } from "./reviewer.ts";

/** What nobody is told. */
export const DOCS_REVIEWER: Prompt = {
  id: "docs@1",
  text:
    `You review code for documentation, and for nothing else: public functions and classes that nothing is said about.

${REVIEWING_RULES}`,
};
