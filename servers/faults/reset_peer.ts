import { z } from "zod";
import { defineFault } from "./fault.ts";
import { DROP } from "./verdicts.ts";

/** A connection that is reset in the middle of a request. Whether the server has acted on it nobody can tell. */
export const resetPeer = defineFault({
  id: "reset_peer",
  layer: "transport",
  visibility: "explicit",
  summary: "The connection is reset while a call is on its way; a new one works.",
  correct: "Repeat the call over a new connection if it may be repeated; otherwise its outcome is unknown.",
  outcome: "server_down",
  lasts: "transient",
  example: "- { fault: reset_peer, at: orders.find_order, seen: true, when: { first: 1 } }",
  params: z.strictObject({
    seen: z.boolean().default(false).describe("Whether the server has seen the call and acted on it."),
  }),
  hooks: {
    request(_message, { params, link }) {
      if (params.seen) return undefined;
      link.hangUp();
      return DROP;
    },
    reply(_reply, { link }) {
      link.hangUp();
      return DROP;
    },
  },
});
