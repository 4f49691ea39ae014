import { z } from "zod";
import type { RpcId } from "../jsonrpc.ts";
import { defineFault } from "./fault.ts";

/** Replies in another order than the calls, which the protocol allows. */
export const outOfOrder = defineFault({
  id: "out_of_order",
  layer: "concurrency",
  visibility: "implicit",
  summary: "A reply is held back until one to another call has overtaken it.",
  correct: "Merge by id and not by arrival: the answer is the same in every order.",
  outcome: "ok",
  needs: "concurrent_calls",
  params: z.strictObject({}),
  hooks: () => {
    const flying = new Set<RpcId>();
    let release: (() => void) | undefined;
    const letGo = () => {
      release?.();
      release = undefined;
    };
    return {
      request({ id }, { cancelled }) {
        flying.add(id);
        // Nobody is left to overtake a reply that waits for this one.
        void cancelled().then(() => {
          flying.delete(id);
          letGo();
        });
      },
      reply({ id }) {
        flying.delete(id);
        if (release !== undefined) return letGo();
        if (flying.size === 0) return undefined;
        return new Promise<void>((resolve) => release = resolve);
      },
    };
  },
});
