import { z } from "zod";
import { bare, encode } from "./bytes.ts";
import { defineFault } from "./fault.ts";
import { ON, onPhase } from "./on.ts";

/** A line that is no JSON, though it was meant to be a reply. */
export const badFrame = defineFault({
  id: "bad_frame",
  layer: "protocol",
  visibility: "explicit",
  summary: "The reply's line is not JSON.",
  correct: "Fail the call at once, and not the calls beside it; never wait for its deadline.",
  outcome: "malformed_result",
  example: "- { fault: bad_frame, at: orders.find_order, as: trailing_comma }",
  params: z.strictObject({
    as: z.enum(["truncated", "trailing_comma", "single_quotes", "nan", "prose"]).default("truncated").describe(
      "What is wrong with it; `prose` has nothing of a reply in it.",
    ),
    on: ON,
  }),
  phase: onPhase,
  hooks: {
    bytes(line, { params }) {
      const text = new TextDecoder().decode(bare(line));
      const made = {
        truncated: text.slice(0, text.length >> 1),
        trailing_comma: `${text.slice(0, -1)},}`,
        single_quotes: text.replaceAll('"', "'"),
        nan: `${text.slice(0, -1)},"took":NaN}`,
        prose: "Internal Server Error",
      };
      return [encode(`${made[params.as]}\n`)];
    },
  },
});
