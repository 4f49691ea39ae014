import { z } from "zod";
import { defineFault } from "../fault.ts";
import type { ModelFailure } from "../model_hooks.ts";
import { errorBody } from "./api_error.ts";
import { failed } from "./say.ts";
import { encodeEvent } from "./sse.ts";
import { bodyOf, collect, rewired } from "./wire.ts";

const OVERLOADED: ModelFailure = { status: 529, message: "Overloaded", code: "model_error" };

/** The status was 200, and the error comes in the stream. */
export const overloadInStream = defineFault({
  id: "overload_in_stream",
  layer: "model_api",
  visibility: "explicit",
  summary: "An overload error arrives inside a stream that began well; without a stream, instead of the reply.",
  correct: "Retry only if nothing was used of what came before it; otherwise a typed failure, never a short success.",
  outcome: "model_error",
  params: z.strictObject({
    content: z.enum(["before", "after"]).default("after").describe(
      "Whether it comes before any content, or after some.",
    ),
  }),
  hooks: {
    turn: () => failed(OVERLOADED),
    wire(reply, { params, fired }) {
      if (!reply.streamed) {
        fired();
        const headers = { "content-type": "application/json" };
        const chunks = bodyOf(errorBody(reply.api, OVERLOADED));
        return { do: "replace", reply: { ...reply, status: OVERLOADED.status, headers, chunks } };
      }
      const error = encodeEvent({
        ...(reply.api === "anthropic" && { event: "error" }),
        data: errorBody(reply.api, OVERLOADED),
      });
      async function* failing() {
        const events = params.content === "before" ? [] : await collect(reply.chunks);
        yield* events.slice(0, Math.ceil(events.length / 2));
        fired();
        yield error;
      }
      return rewired(reply, failing());
    },
  },
});
