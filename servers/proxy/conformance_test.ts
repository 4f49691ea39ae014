/** The MCP project's conformance suite through the transparent proxy: the verdicts of the server itself. */
import { serveEverything } from "../conformance/everything.ts";
import { runConformance } from "../conformance/suite.ts";
import { listening } from "./testing_http.ts";
import assert from "node:assert/strict";

for (
  const [name, options] of [
    ["without a fault", {}],
    ["with a fault that does not strike", { specs: ["tool_error:nobody"] }],
  ] as const
) {
  Deno.test(`the conformance suite comes to the same verdicts through the proxy, ${name}`, async () => {
    await using server = serveEverything();
    const { output: _, ...direct } = await runConformance(server.url);
    await using proxy = await listening({ upstream: server.url, ...options });
    const { output, ...through } = await runConformance(proxy.url.href);
    assert.deepEqual(through, direct, output);
    assert.equal(direct.code, 0);
  });
}
