import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { bench } from "./test_io.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));

async function serve(args: readonly string[], input: string): Promise<{ code: number; out: string; err: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--allow-read", MAIN, "serve", ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const written = writer.write(new TextEncoder().encode(input)).then(() => writer.close()).catch(() => {});
  const { code, stdout, stderr } = await child.output();
  await written;
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, out: decode(stdout), err: decode(stderr) };
}

Deno.test("serve answers on stdout, and ends when its stdin ends", async () => {
  assert.deepEqual(await serve(["orders"], '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'), {
    code: 0,
    out: '{"result":{},"jsonrpc":"2.0","id":1}\n',
    err: "",
  });
});

Deno.test("serve says in one line what is wrong, exit 2", async () => {
  const { code, out, err } = await serve(["ordres"], "");
  assert.deepEqual([code, out], [2, ""]);
  assert.match(err, /^serve: unknown fixture "ordres" \(did you mean "orders"\?\): one of orders, kb, .*\n$/);
  assert.match(
    (await bench(["serve"])).err,
    /^brownout: missing required argument 'fixture'; see bench serve --help\n$/,
  );
});
