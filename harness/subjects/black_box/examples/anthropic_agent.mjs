// An orchestrator on `@anthropic-ai/sdk`, with streaming. It says who asks by the path: /agents/NAME.
import process from "node:process";
import { answer } from "./crew.mjs";

// As `import Anthropic from "@anthropic-ai/sdk"`: written so that nobody looks for the package who only reads this file.
const { default: Anthropic } = await import("@anthropic-ai/sdk");

async function ask(agent, system, history, tools) {
  const client = new Anthropic({ baseURL: `${process.env.BROWNOUT_MODEL_URL}/agents/${agent}` });
  const messages = history.map(({ user, turn, results }) =>
    user !== undefined
      ? { role: "user", content: user }
      : turn !== undefined
      ? { role: "assistant", content: turn.raw }
      : {
        role: "user",
        content: results.map(({ id, text, isError }) => ({
          type: "tool_result",
          tool_use_id: id,
          content: text,
          is_error: isError,
        })),
      }
  );
  const offered = tools.map(({ as, tool: { description, inputSchema } }) => ({
    name: as,
    description,
    input_schema: inputSchema,
  }));
  const { content } = await client.messages.stream({
    model: "claude",
    max_tokens: 2000,
    system,
    messages,
    ...(offered.length > 0 && { tools: offered }),
  }).finalMessage();
  return {
    text: content.flatMap((block) => block.type === "text" ? [block.text] : []).join("\n"),
    calls: content.flatMap((block) =>
      block.type === "tool_use" ? [{ id: block.id, name: block.name, args: block.input }] : []
    ),
    raw: content,
  };
}

process.stdout.write(await answer(ask, (server, tool) => `mcp__${server}__${tool}`));
