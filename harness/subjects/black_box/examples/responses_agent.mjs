// An orchestrator on the Responses API of the official `openai` client, with streaming: each specialist goes on from its
// last reply by the reply's id, and sends only what is new. It says who asks by the name of the model.
import process from "node:process";
import { answer } from "./crew.mjs";

// As `import OpenAI from "openai"`: written so that nobody looks for the package who only reads this file.
const { default: OpenAI } = await import("openai");
const client = new OpenAI();

async function ask(agent, system, history, tools) {
  const last = history.findLastIndex(({ turn }) => turn !== undefined);
  const input = history.slice(last + 1).flatMap(({ user, results }) =>
    user !== undefined
      ? [{ role: "user", content: user }]
      : results.map(({ id, text }) => ({ type: "function_call_output", call_id: id, output: text }))
  );
  const offered = tools.map(({ as, tool: { description, inputSchema } }) => ({
    type: "function",
    name: as,
    description,
    parameters: inputSchema,
    strict: false,
  }));
  const response = await client.responses.stream({
    model: agent,
    instructions: system,
    input,
    ...(last >= 0 && { previous_response_id: history[last].turn.raw }),
    ...(offered.length > 0 && { tools: offered }),
  }).finalResponse();
  const calls = response.output.filter(({ type }) => type === "function_call")
    .map(({ call_id: id, name, arguments: args }) => ({ id, name, args: JSON.parse(args) }));
  return { text: response.output_text, calls, raw: response.id };
}

process.stdout.write(await answer(ask, (server, tool) => `${server}__${tool}`));
