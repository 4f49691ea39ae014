/** What the tests of this folder share: the proxy as a process, and conversations with it. */
import { fileURLToPath } from "node:url";
import { type ChildConnection, spawnChild } from "../../core/mod.ts";

/** The file's path, beside this one. */
export function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Deno, for whatever can be started with no permission to ask for more. */
export function deno(...args: readonly string[]): string[] {
  return [Deno.execPath(), "run", "--quiet", "--no-prompt", ...args];
}

/** The proxy's command line. */
export function proxy(args: readonly string[], permissions: readonly string[] = []): string[] {
  const main = pathOf("../../harness/cli/main.ts");
  return deno("--allow-read", "--allow-run", ...permissions, main, "proxy", ...args);
}

/** The odd server's command line. */
export const ODD: readonly string[] = deno("--allow-env", pathOf("./testdata/odd_server.ts"));
/** A fixture's command line. */
export const ORDERS: readonly string[] = deno(pathOf("../serve.ts"), "orders");

/** Variables by which Deno finds what it has downloaded, and downloads what it has not. */
// deno-fmt-ignore
const CACHE_VARIABLES = [
  "DENO_DIR", "HOME", "XDG_CACHE_HOME", "PATH",
  "DENO_CERT", "DENO_TLS_CA_STORE", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
  "NPM_CONFIG_REGISTRY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
] as const;

/** The environment that Deno needs to find its cache. */
export function cacheEnv(): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of CACHE_VARIABLES) {
    const value = Deno.env.get(name);
    if (value !== undefined) env[name] = value;
  }
  return env;
}

/** Starts a command as a connection, with so much patience that only an end by itself can be told from a kill. */
export function start([command = "", ...args]: readonly string[]): ChildConnection {
  return spawnChild({ command, args, env: cacheEnv(), graceMs: 60_000 });
}

/** What came of a command. */
export interface Ran {
  /** Exit code. */
  readonly code: number;
  /** What was on stdout. */
  readonly out: Uint8Array;
  /** What was on stderr. */
  readonly err: string;
}

/** Runs a command on an input that is all there from the beginning. */
export async function run([command = "", ...args]: readonly string[], input: string, cwd?: string): Promise<Ran> {
  const child = new Deno.Command(command, {
    args,
    ...(cwd === undefined ? {} : { cwd }),
    env: { PROXY_TEST: "passed on" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  // It may end before it has read all.
  const written = writer.write(new TextEncoder().encode(input)).then(() => writer.close()).catch(() => {});
  const { code, stdout, stderr } = await child.output();
  await written;
  return { code, out: stdout, err: new TextDecoder().decode(stderr) };
}

/** Messages as lines. */
export function lines(...messages: readonly object[]): string {
  return messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
}

/** A call of a tool. */
export function call(id: number, name: string, args: object = {}): object {
  return { id, method: "tools/call", params: { name, arguments: args } };
}

/** The beginning of a session. */
export const HELLO: readonly object[] = [
  {
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } },
  },
  { method: "notifications/initialized" },
];

/** A folder that is gone after the test. */
export async function tempFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir({ prefix: "brownout-proxy-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Waits until there is no process of that id. */
export async function gone(pid: number): Promise<void> {
  // To give up on one that stays; how long a good one takes does not matter.
  for (let i = 0; i < 6000; i++) {
    try {
      Deno.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`process ${pid} is still there`);
}
