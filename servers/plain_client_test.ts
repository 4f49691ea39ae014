import process from "node:process";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import assert from "node:assert/strict";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const seen = z.object({ name: z.string(), pid: z.int(), tools: z.array(z.string()), result: z.unknown() });

/** Starts the plain client on a configuration as the README has it. */
async function withPlainClient(
  options: readonly string[],
  use: (client: Deno.ChildProcess) => Promise<void>,
): Promise<void> {
  // The SDK hands its servers little of the environment; what Deno needs to find its cache is put into the configuration.
  const cache = Deno.env.get("DENO_DIR");
  const configuration = {
    mcpServers: {
      orders: {
        command: Deno.execPath(),
        args: ["run", "--quiet", "--no-prompt", path("./serve.ts"), "orders"],
        env: cache === undefined ? {} : { DENO_DIR: cache },
      },
    },
  };
  const file = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(file, JSON.stringify(configuration));
    const permissions = [`--allow-read=${file}`, `--allow-run=${Deno.execPath()}`, "--allow-env"];
    const script = path("./testdata/plain_client.ts");
    const client = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-prompt", ...permissions, script, file, '{"order_id":"12345"}', ...options],
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    await use(client);
  } finally {
    await Deno.remove(file);
  }
}

/** Waits until there is no process of that id. */
async function gone(pid: number): Promise<void> {
  // A minute in all, to give up on one that stays; how long a good one takes does not matter.
  for (let i = 0; i < 6000; i++) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(`process ${pid} is still there`);
}

Deno.test("serve works from an ordinary client's configuration, and is gone when the client has closed it", () =>
  withPlainClient([], async (client) => {
    const { code, stdout } = await client.output();
    assert.equal(code, 0);
    const { pid, ...rest } = seen.parse(JSON.parse(new TextDecoder().decode(stdout)));
    assert.equal(rest.name, "orders");
    assert.deepEqual(rest.tools, ["find_order", "refund_status"]);
    assert.match(JSON.stringify(rest.result), /ORD-REF-7731/);
    await gone(pid);
  }));

Deno.test("serve ends when its client is killed, because its stdin ends", () =>
  withPlainClient(["--hang"], async (client) => {
    const reader = client.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.endsWith("\n")) text += (await reader.read()).value ?? assert.fail("the client said nothing");
    client.kill("SIGKILL");
    assert.equal((await client.status).signal, "SIGKILL");
    await gone(seen.parse(JSON.parse(text)).pid);
    while (!(await reader.read()).done);
  }));
