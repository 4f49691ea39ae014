/** The proxy in an ordinary client's configuration, with the official client in a process of its own. */
import { z } from "zod";
import { cacheEnv, gone, ORDERS, pathOf, proxy, tempFolder } from "./testing.ts";
import assert from "node:assert/strict";

const seen = z.object({ name: z.string(), pid: z.int(), tools: z.array(z.string()), result: z.unknown() });

async function withPlainClient(
  server: readonly string[],
  options: readonly string[],
  use: (client: Deno.ChildProcess) => Promise<void>,
): Promise<void> {
  await using folder = await tempFolder();
  const file = `${folder.path}/mcp.json`;
  const [command, ...args] = server;
  const { HOME: _, PATH: __, ...env } = cacheEnv();
  await Deno.writeTextFile(file, JSON.stringify({ mcpServers: { orders: { command, args, env } } }));
  const client = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-prompt", `--allow-read=${file}`, `--allow-run=${command}`, "--allow-env"],
      ...[pathOf("../testdata/plain_client.ts"), file, '{"order_id":"12345"}', ...options],
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await use(client);
}

for (
  const [name, options, wanted] of [
    ["without a fault", [], /ORD-REF-7731/],
    ["with a fault", ["--fault", "tool_error:find_order,message=down"], /"text":"down"}\],"isError":true/],
  ] as const
) {
  Deno.test(`proxy works from an ordinary client's configuration, ${name}, and is gone when it has been closed`, () =>
    withPlainClient(proxy([...options, "--", ...ORDERS]), [], async (client) => {
      const { code, stdout, stderr } = await client.output();
      assert.deepEqual([code, new TextDecoder().decode(stderr)], [0, ""]);
      const { pid, tools, result } = seen.parse(JSON.parse(new TextDecoder().decode(stdout)));
      assert.deepEqual(tools, ["find_order", "refund_status"]);
      assert.match(JSON.stringify(result), wanted);
      await gone(pid);
    }));

  Deno.test(`proxy, ${name}, ends when its client is killed, because its stdin ends`, () =>
    withPlainClient(proxy([...options, "--", ...ORDERS]), ["--hang"], async (client) => {
      const reader = client.stdout.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      while (!text.endsWith("\n")) text += (await reader.read()).value ?? assert.fail("the client said nothing");
      client.kill("SIGKILL");
      assert.equal((await client.status).signal, "SIGKILL");
      await gone(seen.parse(JSON.parse(text)).pid);
      while (!(await reader.read()).done);
      await client.stderr.cancel();
    }));
}
