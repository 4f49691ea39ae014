import { z } from "zod";
import { defineFault } from "./fault.ts";

/** An outage, the plainest of all faults: there is nothing to connect to. */
export const serverDown = defineFault({
  id: "server_down",
  layer: "transport",
  visibility: "explicit",
  summary: "The connection is refused.",
  correct: "Fail at once, start with the servers that are there, and disclose what cannot be known without this one.",
  outcome: "server_down",
  lanes: { sim: true, wire: true },
  params: z.strictObject({
    reason: z.string().min(1).default("connection refused").describe("What the refusal says."),
  }),
  hooks: { connect: ({ params }) => ({ do: "refuse", reason: params.reason }) },
});
