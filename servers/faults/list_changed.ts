import { z } from "zod";
import { defineFault } from "./fault.ts";

/** A server that says all the time that its tools have changed. They have not. */
export const listChanged = defineFault({
  id: "list_changed",
  layer: "protocol",
  visibility: "implicit",
  summary: "Before the reply come many notifications that the list of tools has changed.",
  correct: "List anew once, not once for each, and go on with the call.",
  outcome: "ok",
  params: z.strictObject({
    count: z.int().positive().default(20).describe("How many there are."),
  }),
  hooks: {
    reply(_reply, { params, link }) {
      for (let i = 0; i < params.count; i++) link.notify("notifications/tools/list_changed");
    },
  },
});
