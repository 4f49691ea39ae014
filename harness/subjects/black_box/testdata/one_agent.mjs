// One agent with every tool that there is, by hand: `one_agent.mjs '{"model": "gpt", …}'`. What it is told:
//   model    the model that it asks for
//   path     what stands between the endpoint's address and /v1
//   system   its system prompt
//   prefix   whether the server's name stands in its tools' names (if left out, it does)
//   restart  whether it starts its servers again after the first call
//   only     the only tool that it offers
//   gives_up whether it fails where its model does
//   stream   whether its model's replies are streamed
//   api      "responses", to go on from reply to reply by OpenAI's responses, with its system prompt in the first one alone
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";

const { model, path = "", system = "", prefix = true, restart = false, only, gives_up = false, stream = false, api } =
  JSON
    .parse(process.argv[2]);
const { BROWNOUT_MODEL_URL, BROWNOUT_MCP_CONFIG, BROWNOUT_REQUEST } = process.env;
const { mcpServers } = JSON.parse(readFileSync(BROWNOUT_MCP_CONFIG, "utf8"));

async function start(name) {
  const { command, args, env } = mcpServers[name];
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  createInterface(child.stdout).on("line", (line) => {
    const reply = JSON.parse(line);
    waiting.get(reply.id)?.(reply);
  });
  const tell = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = (id, method, params) =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
      tell({ id, method, params });
    });
  const clientInfo = { name: "by-hand", version: "1" };
  await ask("i", "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  tell({ method: "notifications/initialized" });
  const { result } = await ask("l", "tools/list", {});
  const end = () => new Promise((resolve) => child.on("close", resolve) && child.stdin.end());
  return { name, ask, end, tools: result.tools };
}

let servers = await Promise.all(Object.keys(mcpServers).map(start));
const nameOf = (server, tool) => prefix ? `${server}_${tool}` : tool;
const tools = servers.flatMap(({ name, tools }) =>
  tools.filter((tool) => only === undefined || tool.name === only).map((tool) => ({
    type: "function",
    function: { name: nameOf(name, tool.name), description: tool.description, parameters: tool.inputSchema },
  }))
);
const messages = [{ role: "system", content: system }, { role: "user", content: BROWNOUT_REQUEST }];

/** The whole of a streamed reply, as it would have come in one. */
async function streamed(reply) {
  const message = { role: "assistant", content: "", tool_calls: [] };
  for (const line of (await reply.text()).split("\n")) {
    if (!line.startsWith("data: {")) continue;
    const { choices: [{ delta = {} } = {}], error } = JSON.parse(line.slice("data: ".length));
    if (error !== undefined) return { error };
    message.content += delta.content ?? "";
    for (const { index, id, function: { name, arguments: args = "" } = {} } of delta.tool_calls ?? []) {
      const call = message.tool_calls[index] ??= { id, type: "function", function: { name, arguments: "" } };
      call.function.arguments += args;
    }
  }
  if (message.tool_calls.length === 0) delete message.tool_calls;
  return { choices: [{ message }] };
}

function post(to, body) {
  return fetch(`${BROWNOUT_MODEL_URL}${path}/v1/${to}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model, stream, ...body }),
  });
}

/** One turn by OpenAI's chat completions. */
async function chat() {
  const reply = await post("chat/completions", { messages, tools });
  return stream && reply.ok ? await streamed(reply) : await reply.json();
}

let previous_response_id = null;
let told = 0;

/** One turn by OpenAI's responses, in the words of the other. */
async function respond() {
  const input = messages.slice(told).flatMap(({ role, content, tool_call_id: call_id }) =>
    role === "user"
      ? [{ role, content }]
      : role === "tool"
      ? [{ type: "function_call_output", call_id, output: content }]
      : []
  );
  told = messages.length;
  const reply = await post("responses", {
    input,
    tools: tools.map(({ type, function: made }) => ({ type, ...made })),
    ...(previous_response_id === null ? { instructions: system } : { previous_response_id }),
  });
  const last = /^data: (\{"type":"response\.completed".*)$/m;
  const whole = stream && reply.ok ? JSON.parse(last.exec(await reply.text())[1]).response : await reply.json();
  if (whole.error !== null) return { error: whole.error };
  previous_response_id = whole.id;
  const message = { role: "assistant", content: "", tool_calls: [] };
  for (const { type, content, call_id: id, name, arguments: written } of whole.output) {
    if (type === "message") message.content += content[0].text;
    else message.tool_calls.push({ id, function: { name, arguments: written } });
  }
  return { choices: [{ message }] };
}

let text;
for (let step = 1; text === undefined && step < 10; step++) {
  const { choices, error } = await (api === "responses" ? respond() : chat());
  if (error !== undefined) {
    if (gives_up) process.exit(1);
    text = `My model failed: ${error.message}`;
    break;
  }
  const [{ message }] = choices;
  messages.push(message);
  if (!message.tool_calls?.length) text = message.content;
  for (const { id, function: { name, arguments: args } } of message.tool_calls ?? []) {
    const server = servers.find(({ name: server, tools }) => tools.some((tool) => nameOf(server, tool.name) === name));
    const tool = server?.tools.find((tool) => nameOf(server.name, tool.name) === name);
    const reply = await server?.ask(`c${step}`, "tools/call", { name: tool.name, arguments: JSON.parse(args) });
    messages.push({ role: "tool", tool_call_id: id, content: reply?.result?.content?.[0]?.text ?? "no result" });
  }
  if (restart && step === 1) {
    await Promise.all(servers.map(({ end }) => end()));
    servers = await Promise.all(Object.keys(mcpServers).map(start));
  }
}
await Promise.all(servers.map(({ end }) => end()));
process.stdout.write(text);
