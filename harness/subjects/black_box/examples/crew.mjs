// What both Node examples share: MCP servers, tasks and the answer. Nothing here knows a model's protocol.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { readFileSync } from "node:fs";
import process from "node:process";

const { specialists, fallbacks } = JSON.parse(process.env.BROWNOUT_CREW);
const CREW = new Map(specialists.map((one) => [one.name, one]));
const FALLBACKS = new Map(fallbacks.map((one) => [one.specialist, one]));

/** Connects to every server of the configuration. One that cannot be reached is left out. */
export async function connect() {
  const { mcpServers } = JSON.parse(readFileSync(process.env.BROWNOUT_MCP_CONFIG, "utf8"));
  const servers = [];
  await Promise.all(
    Object.entries(mcpServers).map(async ([name, { command, args, env }]) => {
      const client = new Client({ name: "example", version: "1" });
      try {
        await client.connect(new StdioClientTransport({ command, args, env }));
        servers.push({ name, client, tools: (await client.listTools()).tools });
      } catch {
        await client.close();
      }
    }),
  );
  return servers;
}

/**
 * Answers the request: a plan, one conversation for each task at the same time, an honest sum of what came of them.
 *
 * @param ask One turn of a model: `(agent, system, history, tools) => { text, calls: [{ id, name, args }], raw }`.
 * @param naming How a tool is called, by server and tool.
 */
export async function answer(ask, naming) {
  const servers = await connect();
  const { text } = await ask("planner", `Split the request into tasks, as JSON. Specialists: ${[...CREW.keys()]}.`, [
    { user: process.env.BROWNOUT_REQUEST },
  ], []);
  const { tasks } = JSON.parse(/\{.*\}/s.exec(text)[0]);
  const done = await Promise.all(tasks.map((task) => work(ask, naming, task, servers)));
  await Promise.all(servers.map(({ client }) => client.close()));
  return told(tasks, done);
}

async function work(ask, naming, { specialist, objective, inputs }, servers) {
  const one = CREW.get(specialist);
  if (one === undefined) return { code: "unknown_specialist", detail: "there is no such specialist" };
  const allowed = (name) =>
    one.tools.some((entry) => name === entry || name.startsWith(`${entry.replace(/\.$/, "")}.`));
  const tools = servers.flatMap(({ name, client, tools }) =>
    tools.filter((tool) => allowed(`${name}.${tool.name}`)).map((tool) => ({
      as: naming(name, tool.name),
      client,
      tool,
    }))
  );
  const history = [{ user: `${objective}\nInputs: ${JSON.stringify(inputs ?? {})}` }];
  const failures = [];
  let results = 0;
  for (let step = 0; step < one.maxSteps; step++) {
    let turn;
    try {
      turn = await ask(specialist, `You are the ${specialist} specialist: ${one.role}`, history, tools);
    } catch (error) {
      return failures.length > 0
        ? failed(failures)
        : { code: error.status === 429 ? "rate_limited" : "model_error", detail: String(error.message) };
    }
    history.push({ turn });
    if (turn.calls.length === 0) return results === 0 && failures.length > 0 ? failed(failures) : { note: turn.text };
    const outcomes = await Promise.all(
      turn.calls.map(({ name, args }) => call(tools.find(({ as }) => as === name), args)),
    );
    for (const { text, isError } of outcomes) {
      if (isError) failures.push(text);
      else results++;
    }
    history.push({ results: turn.calls.map(({ id }, i) => ({ id, ...outcomes[i] })) });
  }
  return results === 0 ? failed(failures) : { code: "budget_steps", detail: "no end in sight" };
}

async function call(found, args) {
  if (found === undefined) return { text: "there is no such tool", isError: true };
  try {
    const { content, isError = false } = await found.client.callTool({ name: found.tool.name, arguments: args });
    return { text: content.map(({ text = "" }) => text).join("\n"), isError };
  } catch (error) {
    return { text: String(error.message), isError: true };
  }
}

const failed = (failures) => ({ code: "tool_error", detail: failures.at(-1) ?? "no tool answered" });

function told(tasks, done) {
  const sections = [];
  const failures = [];
  const lines = [];
  for (const [i, { specialist }] of tasks.entries()) {
    const { note, code, detail } = done[i];
    if (code === undefined) {
      sections.push({ worker: specialist, text: note });
      lines.push(`${specialist}: ${note}`);
      continue;
    }
    const failure = { specialist, code, detail, effect: "its part is not live" };
    lines.push(`The ${specialist} specialist failed (${code}): ${detail}.`);
    const known = FALLBACKS.get(specialist);
    if (known !== undefined) {
      const { asOf, source, text } = known;
      failure.substituted = { kind: "cached", asOf, source };
      sections.push({ worker: specialist, text, provenance: failure.substituted });
      lines.push(`Cached ${specialist} answer as of ${asOf}, not current: ${text}`);
    }
    failures.push(failure);
  }
  const status = failures.length === 0 ? "complete" : sections.length > 0 ? "degraded" : "failed";
  return JSON.stringify({ answer: lines.join("\n"), status, failures, sections });
}
