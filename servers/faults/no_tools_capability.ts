import { z } from "zod";
import { isFields } from "../jsonrpc.ts";
import { defineFault } from "./fault.ts";
import { isSuccess, replaceByError, replaceResult } from "./verdicts.ts";

/** A server that says that it has no tools, and means it. */
export const noToolsCapability = defineFault({
  id: "no_tools_capability",
  layer: "protocol",
  visibility: "explicit",
  summary: "The server does not declare tools, and does not know tools/list.",
  correct: "Do not ask it for tools; disclose what cannot be known without them.",
  outcome: "server_down",
  params: z.strictObject({}),
  phase: "initialize",
  hooks: {
    initialize(reply) {
      if (!isSuccess(reply) || !isFields(reply.result.capabilities)) return undefined;
      const { tools: _, ...capabilities } = reply.result.capabilities;
      return replaceResult(reply, { ...reply.result, capabilities });
    },
    list: (reply) => replaceByError(reply, { code: -32601, message: "Method not found" }),
  },
});
