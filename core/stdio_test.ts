import assert from "node:assert/strict";
import { type ChildConnection, spawnChild } from "./child.ts";

/** A server that is a program of this project, and its next chunk of output. */
function server(): { child: ChildConnection; next: () => Promise<string | undefined> } {
  const script = "core/testdata/echo.ts";
  const args = ["run", "--no-prompt", "--no-config", "--no-lock", "--no-remote", "--no-npm", script];
  const env = {
    DENO_NO_UPDATE_CHECK: "1",
    HOME: Deno.env.get("HOME") ?? "/",
    DENO_DIR: Deno.env.get("DENO_DIR") ?? "",
  };
  const child = spawnChild({ command: Deno.execPath(), args, env, graceMs: 600_000 });
  const stream = new ReadableStream<string>({
    start: (controller) =>
      child.open({
        bytes: (chunk) => controller.enqueue(new TextDecoder().decode(chunk)),
        closed: () => controller.close(),
      }),
  }).getReader();
  return { child, next: async () => (await stream.read()).value };
}

Deno.test("stdioConnection lets a program end when its client closes", async () => {
  const { child, next } = server();
  await child.write(new TextEncoder().encode("hello\n"));
  assert.equal(await next(), "HELLO\n");
  await child.close();
  assert.equal(await next(), undefined);
  assert.equal((await child.exited).signal, null, "it ended by itself");
  assert.equal(child.stderrTail, " closed");
});

Deno.test("stdioConnection lets a program end when it closes its own side", async () => {
  const { child, next } = server();
  await child.write(new TextEncoder().encode("bye\n"));
  assert.equal(await next(), "BYE\n");
  assert.equal(await next(), undefined);
  assert.deepEqual(await child.exited, { code: 0, signal: null });
  await child.close();
  assert.match(child.stderrTail, / closed/);
  assert.match(child.stderrTail, /ClosedError/, "what is written after the close");
});
