import { z } from "zod";
import { defineFault } from "../fault.ts";
import type { ModelFailure } from "../model_hooks.ts";
import { errorBody, errorEvent } from "./api_error.ts";
import { failed } from "./say.ts";
import { decodeEvent, encodeEvent } from "./sse.ts";
import { bodyOf, collect, fieldsOf, isFields, rewired } from "./wire.ts";

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
      async function* failing() {
        const events = params.content === "before" ? [] : await collect(reply.chunks);
        const passed = events.slice(0, Math.ceil(events.length / 2));
        yield* passed;
        fired();
        yield encodeEvent(errorEvent(reply.api, OVERLOADED, passed.length));
        if (reply.api === "responses") yield* failedResponse(passed);
      }
      return rewired(reply, failing());
    },
  },
});

/** A response that has begun is said to have failed, too. */
function* failedResponse(passed: readonly Uint8Array[]): Generator<Uint8Array> {
  const begun = passed.map((chunk) => fieldsOf(decodeEvent(chunk))?.response).find(isFields);
  if (begun === undefined) return;
  const type = "response.failed";
  const error = { code: "server_error", message: OVERLOADED.message };
  const response = { ...begun, status: "failed", error };
  yield encodeEvent({ event: type, data: JSON.stringify({ type, sequence_number: passed.length + 1, response }) });
}
