import { z } from "zod";
import { defineFault } from "../fault.ts";
import { failed } from "./say.ts";
import { decodeEvent, encodeEvent } from "./sse.ts";
import { rewired } from "./wire.ts";

const half = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, bytes.length >> 1);

/** The status says success, and the bytes are not the protocol. */
export const malformedModelReply = defineFault({
  id: "malformed_model_reply",
  layer: "model_api",
  visibility: "explicit",
  summary: "The body, or an event early in the stream, breaks off in the middle of its JSON.",
  correct: "Fail the call as malformed and retry within a bound; nothing of it is used.",
  outcome: "model_error",
  params: z.strictObject({}),
  hooks: {
    turn: () => failed({ status: 502, message: "the reply is not JSON", code: "model_error" }),
    wire(reply, { fired }) {
      async function* broken() {
        let done = false;
        let events = 0;
        for await (const chunk of reply.chunks) {
          const event = decodeEvent(chunk);
          const struck: boolean = !done && (!reply.streamed || events++ > 0 && event.event !== "ping");
          if (struck) fired();
          done ||= struck;
          if (!struck) yield chunk;
          else if (!reply.streamed) yield half(chunk);
          else yield encodeEvent({ ...event, data: event.data.slice(0, event.data.length >> 1) });
        }
      }
      return rewired(reply, broken());
    },
  },
});
