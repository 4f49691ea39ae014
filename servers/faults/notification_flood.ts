import { z } from "zod";
import { defineFault } from "./fault.ts";

/** More notifications than anybody wants, all at once. */
export const notificationFlood = defineFault({
  id: "notification_flood",
  layer: "protocol",
  visibility: "implicit",
  summary: "A flood of log notifications comes before the reply.",
  correct: "Drop what nobody reads, and lose neither the reply nor the time.",
  outcome: "ok",
  params: z.strictObject({
    count: z.int().positive().max(1_000_000).default(1000).describe("How many there are."),
  }),
  hooks: {
    reply(_reply, { params, server, link }) {
      for (let i = 1; i <= params.count; i++) {
        link.notify("notifications/message", { level: "debug", logger: server, data: `step ${i}` });
      }
    },
  },
});
