import type { Prompt } from "./prompt.ts";
import { REVIEWING_RULES } from "./reviewer.ts";

/** What an attacker can use. */
export const SECURITY_REVIEWER: Prompt = {
  id: "security@1",
  text:
    `You review code for security, and for nothing else: what somebody could use who means harm. A value in the text of a
statement, a secret in the code, text that is run as code, a check that is switched off.

${REVIEWING_RULES}`,
};
