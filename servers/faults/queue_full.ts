import { z } from "zod";
import type { RpcId } from "../jsonrpc.ts";
import { duration } from "./duration.ts";
import { defineFault } from "./fault.ts";
import { answerError } from "./verdicts.ts";

/** A server that does so much at once and no more. */
export const queueFull = defineFault({
  id: "queue_full",
  layer: "concurrency",
  visibility: "explicit",
  summary: "A call above the server's limit of calls at once is answered with 503, and how long to wait.",
  correct: "Have fewer calls in flight, and repeat the refused ones after the wait.",
  outcome: "rate_limited",
  lasts: "transient",
  needs: "concurrent_calls",
  params: z.strictObject({
    limit: z.int().positive().default(1).describe("How many calls it takes at once."),
    retry_after: duration.default(1000).describe("How long to wait, in milliseconds; told in seconds."),
  }),
  hooks: () => {
    const flying = new Set<RpcId>();
    return {
      request(message, { params, cancelled }) {
        if (flying.size >= params.limit) {
          return answerError(message, {
            code: -32000,
            message: "503 server busy",
            data: { status: 503, retryAfter: params.retry_after / 1000 },
          });
        }
        flying.add(message.id);
        void cancelled().then(() => flying.delete(message.id));
        return undefined;
      },
      reply: ({ id }) => void flying.delete(id),
    };
  },
});
