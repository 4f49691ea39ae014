import { z } from "zod";
import { encode } from "./bytes.ts";
import { defineFault } from "./fault.ts";
import { ON, onPhase } from "./on.ts";

/**
 * A proxy that answers for its server, in HTML. Over HTTP it is a reply 502 or 503 of type `text/html`; over stdio, where
 * there is neither, the page stands where the reply should.
 */
export const proxyHtml = defineFault({
  id: "proxy_html",
  layer: "transport",
  visibility: "explicit",
  summary: "Instead of a reply comes a proxy's page of HTML.",
  correct: "Never hand the page to a model as a result; fail the call at once.",
  outcome: "malformed_result",
  example: "- { fault: proxy_html, at: kb, status: 503 }",
  params: z.strictObject({
    status: z.int().min(400).max(599).default(502).describe("The HTTP status that the page speaks of."),
    on: ON,
  }),
  phase: onPhase,
  hooks: {
    bytes: (_line, { params: { status } }) => [
      encode(
        `<html>\r\n<head><title>${status} Error</title></head>\r\n<body>\r\n<center><h1>${status} Error</h1></center>\r\n` +
          "<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n",
      ),
    ],
  },
});
