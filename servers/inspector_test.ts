import { fileURLToPath } from "node:url";
import { z } from "zod";
import { FIXTURES } from "./fixtures/registry.ts";
import assert from "node:assert/strict";

// The last of its line that runs on Node 20; about a hundred packages.
const INSPECTOR = "@modelcontextprotocol/inspector-cli@1.0.3";
const WANTED = Deno.env.get("BROWNOUT_INSPECTOR") === "1";
const WHY_NOT = WANTED ? "" : " (not run: it needs Node, npm and the npm registry; BROWNOUT_INSPECTOR=1 runs it)";

/** The folder in which the Inspector is installed, once: `npx` would look everything up again for each request. */
let installed: Promise<string> | undefined;

async function install(): Promise<string> {
  const folder = await Deno.makeTempDir();
  globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  // It looks for a package.json above its working directory, and cannot find its own name without one.
  await Deno.writeTextFile(`${folder}/package.json`, "{}");
  await Deno.mkdir(`${folder}/here`);
  await output("npm", ["install", "--no-audit", "--no-fund", "--silent", INSPECTOR], folder);
  return folder;
}

/** Runs the Inspector's CLI on a fixture over stdio. */
async function inspect(fixture: string, ...request: string[]): Promise<unknown> {
  const folder = await (installed ??= install());
  const cache = Deno.env.get("DENO_DIR");
  const environment = cache === undefined ? [] : ["-e", `DENO_DIR=${cache}`];
  const serve = fileURLToPath(new URL("./serve.ts", import.meta.url));
  const server = [Deno.execPath(), "run", "--quiet", "--no-prompt", serve, fixture];
  const cli = `${folder}/node_modules/.bin/mcp-inspector-cli`;
  return JSON.parse(await output(cli, ["--cli", ...environment, ...server, ...request], `${folder}/here`));
}

/** What a program writes to stdout. It has to end well. */
async function output(program: string, args: string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(program, { args, cwd, stdin: "null" }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

Deno.test({
  name: `the Inspector's CLI lists every tool of every fixture${WHY_NOT}`,
  ignore: !WANTED,
  async fn() {
    const listing = z.object({ tools: z.array(z.object({ name: z.string(), annotations: z.object({}) })) });
    for (const [id, { tools }] of FIXTURES) {
      const listed = listing.parse(await inspect(id, "--method", "tools/list"));
      assert.deepEqual(listed.tools.map(({ name }) => name), [...tools.keys()]);
    }
  },
});

Deno.test({
  name: `the Inspector's CLI calls a tool, and sees one fail${WHY_NOT}`,
  ignore: !WANTED,
  async fn() {
    const call = (fixture: string, tool: string, ...args: string[]) =>
      inspect(fixture, "--method", "tools/call", "--tool-name", tool, "--tool-arg", ...args);
    // It reads arguments as JSON if it can: a number in quotes stays text.
    const found = await call("orders", "find_order", 'order_id="12345"');
    assert.match(JSON.stringify(found), /ORD-REF-7731/);
    assert.deepEqual(await call("notes", "write", "key=k", "value=v", "author=ann", "expected_version=3"), {
      content: [{ type: "text", text: '{"error":"conflict","key":"k","current_version":0,"your_version":3}' }],
      isError: true,
    });
  },
});
