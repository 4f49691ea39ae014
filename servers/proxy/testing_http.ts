/** For tests: a proxy that listens, in the test's own process. */
import { type ProxyOptions, runProxy } from "./mod.ts";
import assert from "node:assert/strict";

/** A proxy in this process that listens; ended, and its exit code checked, at the end. */
export async function listening(
  options: Partial<ProxyOptions>,
): Promise<AsyncDisposable & { url: URL; said: string[] }> {
  const said: string[] = [];
  const over = new AbortController();
  const url = Promise.withResolvers<URL>();
  const running = runProxy({
    command: [],
    listen: 0,
    name: "orders",
    seed: "0",
    cwd: Deno.cwd(),
    signal: over.signal,
    say: (line) => {
      said.push(line);
      const [, at] = /^orders at (http\S+)$/.exec(line) ?? [];
      if (at !== undefined) url.resolve(new URL(at));
    },
    ...options,
  });
  running.catch(url.reject);
  return {
    url: await url.promise,
    said,
    async [Symbol.asyncDispose]() {
      over.abort();
      assert.equal(await running, 0);
    },
  };
}
