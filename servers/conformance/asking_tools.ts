import { z } from "zod";
import type { McpServer } from "../sdk_http.ts";

type Elicitation = Parameters<McpServer["server"]["elicitInput"]>[0];
type Form = Extract<Elicitation, { requestedSchema: unknown }>["requestedSchema"];

/** One field of each primitive type, each with a default (SEP-1034). */
const DEFAULTS: Form = {
  type: "object",
  properties: {
    name: { type: "string", description: "A name", default: "John Doe" },
    age: { type: "integer", description: "An age", default: 30 },
    score: { type: "number", description: "A score", default: 95.5 },
    status: { type: "string", description: "A status", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", description: "Whether it is verified", default: true },
  },
};

/** A choice in each way in which one can be written (SEP-1330). */
const CHOICES: Form = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
    titledSingle: { type: "string", oneOf: titled(["First Option", "Second Option", "Third Option"]) },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
    titledMulti: { type: "array", items: { anyOf: titled(["First Choice", "Second Choice", "Third Choice"]) } },
  },
};

/** Registers the tools that ask their client something before they answer. */
export function registerAskingTools(mcp: McpServer): void {
  mcp.registerTool("test_sampling", {
    description: "Asks the client's model",
    inputSchema: { prompt: z.string().describe("What to ask it") },
  }, async ({ prompt }, extra) => {
    const reply = await mcp.server.createMessage({
      messages: [{ role: "user", content: { type: "text", text: prompt } }],
      maxTokens: 100,
    }, { relatedRequestId: extra.requestId });
    return said(`LLM response: ${reply.content.type === "text" ? reply.content.text : reply.content.type}`);
  });

  mcp.registerTool("test_elicitation", {
    description: "Asks the user for a name and an address",
    inputSchema: { message: z.string().describe("What to show the user") },
  }, async ({ message }, extra) => {
    const { action, content = {} } = await mcp.server.elicitInput({
      message,
      requestedSchema: {
        type: "object",
        properties: {
          username: { type: "string", description: "User's response" },
          email: { type: "string", description: "User's email address" },
        },
        required: ["username", "email"],
      },
    }, { relatedRequestId: extra.requestId });
    return said(`User response: action=${action}, content=${JSON.stringify(content)}`);
  });

  const forms = [
    ["test_elicitation_sep1034_defaults", "Shows a form with defaults", DEFAULTS],
    ["test_elicitation_sep1330_enums", "Shows a form of choices", CHOICES],
  ] as const;
  for (const [name, description, requestedSchema] of forms) {
    mcp.registerTool(name, { description }, async (extra) => {
      const { action, content = {} } = await mcp.server.elicitInput(
        { message: description, requestedSchema },
        { relatedRequestId: extra.requestId },
      );
      return said(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
    });
  }
}

function titled(titles: readonly string[]): { const: string; title: string }[] {
  return titles.map((title, i) => ({ const: `value${i + 1}`, title }));
}

function said(text: string) {
  return { content: [{ type: "text" as const, text }] };
}
