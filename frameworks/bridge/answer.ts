/** An answer of which the bench reads the text alone. */
import type { Answer } from "../../agents/mod.ts";

/**
 * What a framework came to. It has no structure, and says so (`shows`): status, sections and failures are not judged.
 */
export function textAnswer(text: string): Answer {
  return { status: "complete", text, sections: [], failures: [] };
}
