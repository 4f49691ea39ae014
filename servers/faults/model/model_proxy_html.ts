import { z } from "zod";
import { defineFault } from "../fault.ts";
import { failed } from "./say.ts";
import { bodyOf } from "./wire.ts";

const PAGE = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";

/** A page from something between the caller and the provider. */
export const modelProxyHtml = defineFault({
  id: "model_proxy_html",
  layer: "model_api",
  visibility: "explicit",
  summary: "The model call is answered by an HTML page with status 502.",
  correct: "Treat it as a failed call and retry within a bound; the page reaches neither the answer nor a prompt.",
  outcome: "model_error",
  params: z.strictObject({}),
  hooks: {
    turn: () => failed({ status: 502, message: PAGE, code: "model_error" }),
    wire(reply, { fired }) {
      fired();
      const headers = { "content-type": "text/html" };
      return { do: "replace", reply: { ...reply, status: 502, headers, streamed: false, chunks: bodyOf(PAGE) } };
    },
  },
});
