import { z } from "zod";
import type { McpServer } from "../sdk_http.ts";
import { PIXEL_PNG, SILENT_WAV } from "./media.ts";

const text = (text: string) => ({ type: "text" as const, text });
const image = { type: "image" as const, data: PIXEL_PNG, mimeType: "image/png" };
const audio = { type: "audio" as const, data: SILENT_WAV, mimeType: "audio/wav" };

/** Embedded content, as {@linkcode "type": "resource"} has it. */
function resource(uri: string, mimeType: string, text: string) {
  return { type: "resource" as const, resource: { uri, mimeType, text } };
}

/** Registers the tools that the suite calls by name, but for those that ask the client something. */
export function registerTools(server: McpServer): void {
  const constant = (name: string, description: string, content: Parameters<typeof answer>) =>
    server.registerTool(name, { description }, () => answer(...content));

  constant("test_simple_text", "Answers with a text", [text("This is a simple text response for testing.")]);
  constant("test_image_content", "Answers with an image", [image]);
  constant("test_audio_content", "Answers with a sound", [audio]);
  constant("test_embedded_resource", "Answers with a resource", [
    resource("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  ]);
  constant("test_multiple_content_types", "Answers with a text, an image and a resource", [
    text("Multiple content types test:"),
    image,
    resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ]);

  server.registerTool("test_error_handling", { description: "Fails" }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });

  server.registerTool("test_tool_with_logging", { description: "Logs three times" }, async (extra) => {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await extra.sendNotification({ method: "notifications/message", params: { level: "info", data } });
    }
    return answer(text("Logged three times."));
  });

  server.registerTool("test_tool_with_progress", { description: "Reports its progress" }, async (extra) => {
    const progressToken = extra._meta?.progressToken;
    if (progressToken !== undefined) {
      for (const progress of [0, 50, 100]) {
        const params = { progressToken, progress, total: 100 };
        await extra.sendNotification({ method: "notifications/progress", params });
      }
      // A client handles progress in a microtask and a reply at once: what comes in one chunk with the reply is lost.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    return answer(text("Reported its progress."));
  });

  server.registerTool("test_reconnection", { description: "Closes its stream before it answers" }, (extra) => {
    // There only for clients that can come back for the rest.
    extra.closeSSEStream?.();
    return answer(text("Answered on another stream."));
  });

  server.registerTool("json_schema_2020_12_tool", {
    description: "Has an input schema with a definition that it refers to",
    // McpServer writes draft 7. The metadata goes over what it writes, and makes it the same schema in 2020-12.
    inputSchema: z.strictObject({
      name: z.string().optional(),
      address: z.unknown().meta({ $ref: "#/$defs/address" }).optional(),
    }).meta({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $defs: {
        address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } },
      },
    }),
  }, (args) => answer(text(`Called with ${JSON.stringify(args)}`)));
}

function answer(...content: (ReturnType<typeof text> | ReturnType<typeof resource> | typeof image | typeof audio)[]) {
  return { content };
}
