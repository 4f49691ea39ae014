import { z } from "zod";
import { defineFault } from "./fault.ts";
import { isSuccess, replaceResult } from "./verdicts.ts";

/** A server of another age: it agrees to a version of the protocol that nobody has asked for. */
export const versionMismatch = defineFault({
  id: "version_mismatch",
  layer: "protocol",
  visibility: "explicit",
  summary: "The server offers a version of the protocol that the client does not know.",
  correct: "Refuse the server, run without it, and disclose.",
  outcome: "server_down",
  params: z.strictObject({
    version: z.string().min(1).default("1999-01-01").describe("The version that it offers."),
  }),
  hooks: {
    initialize: (reply, { params }) =>
      isSuccess(reply) ? replaceResult(reply, { ...reply.result, protocolVersion: params.version }) : undefined,
  },
});
