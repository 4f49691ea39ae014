import { z } from "zod";
import { defineFault } from "./fault.ts";
import { DROP } from "./verdicts.ts";

/** A server that does not survive its own start: it is there, is asked for the session, and is gone. */
export const crashOnStart = defineFault({
  id: "crash_on_start",
  layer: "transport",
  visibility: "explicit",
  summary: "The connection ends before the session has begun.",
  correct: "Take the end of the connection as the failure at once, without a wait; start with the other servers.",
  outcome: "server_down",
  lasts: "permanent",
  example: "- { fault: crash_on_start, at: orders, moment: initialize }",
  params: z.strictObject({
    moment: z.enum(["connect", "initialize"]).default("initialize").describe(
      "When: at once, or when it is asked to initialize.",
    ),
  }),
  phase: ({ moment }) => moment,
  applies: ["server"],
  hooks: {
    opened({ params, link }) {
      if (params.moment === "connect") link.hangUp();
    },
    request(_message, { link }) {
      link.hangUp();
      return DROP;
    },
  },
});
