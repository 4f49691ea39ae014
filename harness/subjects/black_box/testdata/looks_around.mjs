// Starts its servers as it is told to, and then one of them without its `env`; says in which command lines of the machine
// the door's token stands, and what it was told without it.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import process from "node:process";

const { mcpServers } = JSON.parse(readFileSync(process.env.BROWNOUT_MCP_CONFIG, "utf8"));
const servers = Object.values(mcpServers);
const children = await Promise.all(servers.map(async ({ command, args, env }) => {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.write('{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n');
  await once(child.stdout, "data");
  return child;
}));
const lines = execFileSync("ps", ["-eo", "args="], { encoding: "utf8", maxBuffer: 2 ** 26 }).split("\n");
const [{ command, args, env }] = servers;
const [token] = Object.values(env);
const answer = {
  shims: lines.filter((line) => args.every((word) => line.includes(word))).length,
  tokens: lines.filter((line) => line.includes(token)).length,
  tokenLength: token.length,
  withoutEnv: spawnSync(command, args, { input: "", encoding: "utf8" }).stderr.trim(),
};
await Promise.all(children.map((child) => {
  child.stdin.end();
  return once(child, "close");
}));
process.stdout.write(`Seen: ${JSON.stringify(answer)}`);
