import { z } from "zod";
import { sleep } from "../../core/mod.ts";
import { duration } from "./duration.ts";
import { defineFault } from "./fault.ts";

/** A server that ends by itself some time after it was connected to, whatever it was doing. */
export const diesIdle = defineFault({
  id: "dies_idle",
  layer: "transport",
  visibility: "explicit",
  summary: "The server ends the connection some time after it came about.",
  correct: "Notice the end when it happens, mark the server degraded, and reconnect at most a bounded number of times.",
  outcome: "server_down",
  example: "- { fault: dies_idle, at: kb, after: 2s }",
  params: z.strictObject({
    after: duration.default(2000).describe("How long the connection lives, in milliseconds."),
  }),
  hooks: {
    async opened({ params, clock, signal, link }) {
      await sleep(clock, params.after, signal);
      link.hangUp();
    },
  },
});
