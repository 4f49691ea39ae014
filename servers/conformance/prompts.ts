import { z } from "zod";
import { completable, type McpServer } from "../sdk_http.ts";
import { PIXEL_PNG } from "./media.ts";

const user = <Content>(content: Content) => ({ role: "user" as const, content });
const text = (text: string) => user({ type: "text" as const, text });

/** Registers the prompts that the suite gets by name. */
export function registerPrompts(mcp: McpServer): void {
  mcp.registerPrompt("test_simple_prompt", { description: "Has no arguments" }, () => ({
    messages: [text("This is a simple prompt for testing.")],
  }));

  const words = ["paris", "park", "party", "test"];
  const suggested = (value: string) => words.filter((word) => word.startsWith(value));
  mcp.registerPrompt("test_prompt_with_arguments", {
    description: "Has two arguments, of which the first can be completed",
    argsSchema: {
      arg1: completable(z.string().describe("First test argument"), suggested),
      arg2: z.string().describe("Second test argument"),
    },
  }, ({ arg1, arg2 }) => ({ messages: [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }));

  mcp.registerPrompt("test_prompt_with_embedded_resource", {
    description: "Embeds a resource",
    argsSchema: { resourceUri: z.string().describe("URI of the resource to embed") },
  }, ({ resourceUri: uri }) => ({
    messages: [
      user({
        type: "resource" as const,
        resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." },
      }),
      text("Please process the embedded resource above."),
    ],
  }));

  mcp.registerPrompt("test_prompt_with_image", { description: "Shows an image" }, () => ({
    messages: [
      user({ type: "image" as const, data: PIXEL_PNG, mimeType: "image/png" }),
      text("Please analyze the image above."),
    ],
  }));
}
