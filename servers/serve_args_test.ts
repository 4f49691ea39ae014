import { FIXTURES } from "./fixtures/registry.ts";
import { parseServeArgs } from "./serve_args.ts";
import assert from "node:assert/strict";

const ALL = [...FIXTURES.keys()].join(", ");
const OPTIONS = "there are --data FILE.json, --http, --port N and --json";

Deno.test("parseServeArgs() takes a fixture, its data and its front in any order", () => {
  const fixture = FIXTURES.get("kb");
  assert.deepEqual(parseServeArgs(["kb"]), { fixture, file: undefined, http: undefined });
  assert.deepEqual(parseServeArgs(["--data", "x.json", "kb"]), { fixture, file: "x.json", http: undefined });
  assert.deepEqual(parseServeArgs(["kb", "--http"]).http, { port: 0, json: false });
  assert.deepEqual(parseServeArgs(["--json", "--port", "8080", "kb", "--http"]).http, { port: 8080, json: true });
});

for (
  const [args, message] of [
    [[], `which fixture? One of ${ALL}`],
    [["ordres"], `unknown fixture "ordres" (did you mean "orders"?): one of ${ALL}`],
    [["constructor"], `unknown fixture "constructor": one of ${ALL}`],
    [["kb", "orders"], "one fixture at a time: kb or orders"],
    [["kb", "--verbose"], `unknown option --verbose: ${OPTIONS}`],
    [["kb", "--data"], "--data needs the name of a JSON file"],
    [["kb", "--port", "80"], "--port goes with --http"],
    [["kb", "--json"], "--json goes with --http"],
    [["kb", "--http", "--port"], "--port needs a number from 0 to 65535; 0 takes a free port"],
    [["kb", "--http", "--port", "65536"], "--port needs a number from 0 to 65535; 0 takes a free port"],
    [["kb", "--http", "--port", "http"], "--port needs a number from 0 to 65535; 0 takes a free port"],
  ] as const
) {
  Deno.test(`parseServeArgs() says what is wrong with [${args.join(" ")}]`, () => {
    assert.throws(() => parseServeArgs(args), { message });
  });
}
