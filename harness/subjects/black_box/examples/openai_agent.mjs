// An orchestrator on the official `openai` client, which finds the endpoint by OPENAI_BASE_URL. It says who asks by the
// name of the model.
import process from "node:process";
import { answer } from "./crew.mjs";

// As `import OpenAI from "openai"`: written so that nobody looks for the package who only reads this file.
const { default: OpenAI } = await import("openai");
const client = new OpenAI();

async function ask(agent, system, history, tools) {
  const messages = history.flatMap(({ user, turn, results }) =>
    user !== undefined
      ? [{ role: "user", content: user }]
      : turn !== undefined
      ? [turn.raw]
      : results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }))
  );
  const offered = tools.map(({ as, tool: { description, inputSchema } }) => ({
    type: "function",
    function: { name: as, description, parameters: inputSchema },
  }));
  const { choices: [{ message }] } = await client.chat.completions.create({
    model: agent,
    messages: [{ role: "system", content: system }, ...messages],
    ...(offered.length > 0 && { tools: offered }),
  });
  const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => ({
    id,
    name,
    args: JSON.parse(args),
  }));
  return { text: message.content ?? "", calls, raw: message };
}

process.stdout.write(await answer(ask, (server, tool) => `${server}_${tool}`));
