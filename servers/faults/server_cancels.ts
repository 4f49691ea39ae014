import { z } from "zod";
import { defineFault } from "./fault.ts";
import { DROP } from "./verdicts.ts";

/** A server that calls the client's own request off, which it has no right to. */
export const serverCancels = defineFault({
  id: "server_cancels",
  layer: "protocol",
  visibility: "explicit",
  summary: "The server cancels the call that it was asked, and never answers it.",
  correct: "Take it for what it says, or wait for the deadline; the call has failed in any case.",
  outcome: "timeout",
  params: z.strictObject({}),
  hooks: {
    reply({ id }, { link }) {
      link.notify("notifications/cancelled", { requestId: id, reason: "the server has changed its mind" });
      return DROP;
    },
  },
});
