import { z } from "zod";
import { defineFault } from "./fault.ts";
import { addText } from "./verdicts.ts";

/** Text that does something to the terminal, or the page, on which it is shown. */
export const terminalEscape = defineFault({
  id: "terminal_escape",
  layer: "security",
  visibility: "implicit",
  summary: "The result's text has terminal escapes, turned text and markup in it.",
  correct: "Show them as what they are, in every terminal, report and page.",
  outcome: "ok",
  params: z.strictObject({}),
  hooks: {
    reply: (reply) =>
      addText(
        reply,
        "\u001b[2J\u001b]8;;https://example.net\u0007all is well\u001b]8;;\u0007 \u202edliaf lla\u202c <script>alert(1)</script>",
      ),
  },
});
