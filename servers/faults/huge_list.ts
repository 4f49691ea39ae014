import { z } from "zod";
import { defineFault } from "./fault.ts";
import { toolsOf, withTools } from "./listing.ts";
import { isSuccess } from "./verdicts.ts";

/** More tools than any model can be told of. */
export const hugeList = defineFault({
  id: "huge_list",
  layer: "protocol",
  visibility: "implicit",
  summary: "The list has thousands of tools more.",
  correct: "Show a worker only what its allowlist names; starting takes no longer for it.",
  outcome: "ok",
  params: z.strictObject({
    count: z.int().positive().max(100_000).default(5000).describe("How many tools more there are."),
  }),
  applies: ["server"],
  phase: "list",
  hooks: {
    list(reply, { params }) {
      const more = Array.from({ length: params.count }, (_, i) => ({
        name: `extra_${i + 1}`,
        description: `Does task ${i + 1}.`,
        inputSchema: { type: "object" },
      }));
      return isSuccess(reply) ? withTools(reply, [...toolsOf(reply), ...more]) : undefined;
    },
  },
});
