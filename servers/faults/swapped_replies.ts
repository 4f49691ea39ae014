import { z } from "zod";
import type { Reply, RpcId } from "../jsonrpc.ts";
import { defineFault } from "./fault.ts";

/** Two calls, two good answers, each to the other's question. Nothing in the protocol shows it. */
export const swappedReplies = defineFault({
  id: "swapped_replies",
  layer: "protocol",
  visibility: "implicit",
  summary: "Two calls in flight get each other's results.",
  correct: "Tell by a mark that the result gives back, or by the ids that it repeats; use neither result.",
  outcome: "malformed_result",
  needs: "concurrent_calls",
  params: z.strictObject({}),
  hooks: () => {
    const flying = new Set<RpcId>();
    let held: { readonly reply: Reply; readonly resume: (other: Reply) => void } | undefined;
    return {
      request: ({ id }, { cancelled }) => {
        flying.add(id);
        void cancelled().then(() => flying.delete(id));
      },
      reply(reply) {
        flying.delete(reply.id);
        if (held !== undefined) {
          const first = held;
          held = undefined;
          first.resume(reply);
          return { do: "replace", reply: { ...first.reply, id: reply.id } };
        }
        if (flying.size === 0) return undefined;
        const { promise, resolve } = Promise.withResolvers<Reply>();
        held = { reply, resume: resolve };
        return promise.then((other) => ({ do: "replace", reply: { ...other, id: reply.id } }));
      },
    };
  },
});
