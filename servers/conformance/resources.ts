import { type McpServer, ResourceTemplate, SubscribeRequestSchema, UnsubscribeRequestSchema } from "../sdk_http.ts";
import { PIXEL_PNG } from "./media.ts";

/** Registers the resources that the suite reads by name. */
export function registerResources(mcp: McpServer): void {
  const readable = (name: string, mimeType: string, content: { text: string } | { blob: string }) => {
    const uri = `test://${name}`;
    mcp.registerResource(name, uri, { description: `The resource ${name}`, mimeType }, () => ({
      contents: [{ uri, mimeType, ...content }],
    }));
  };
  readable("static-text", "text/plain", { text: "This is the content of the static text resource." });
  readable("static-binary", "image/png", { blob: PIXEL_PNG });
  readable("watched-resource", "text/plain", { text: "Nothing has changed yet." });

  mcp.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { description: "A resource for each id", mimeType: "application/json" },
    ({ href }, { id }) => ({
      contents: [{
        uri: href,
        mimeType: "application/json",
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      }],
    }),
  );

  // McpServer does not have subscriptions. Nothing here ever changes, so there is nobody to tell.
  const watched = new Set<string>();
  mcp.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    watched.add(params.uri);
    return {};
  });
  mcp.server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    watched.delete(params.uri);
    return {};
  });
}
