import assert from "node:assert/strict";
import { bench } from "./test_io.ts";

for (
  const [args, err] of [
    [["proxy"], /^brownout: which server\? Give either --upstream URL, or -- and a command with its arguments\n$/],
    [["proxy", "--listen", "70000", "--", "x"], /^brownout: --listen "70000" is no port: a number from 0 to 65535/],
    [
      ["proxy", "--name", "a b", "--", "x"],
      /^brownout: --name "a b" is no name of a server: use a word without a dot\n$/,
    ],
    [
      ["proxy", "--fualt", "x", "--", "y"],
      /^brownout: unknown option '--fualt' \(did you mean --fault\?\); see bench proxy --help\n$/,
    ],
    [["proxy", "deno", "run", "-A", "x"], /^brownout: unknown option '-A'/],
  ] as const
) {
  Deno.test(`${args.join(" ")} is refused in one line, exit 2`, async () => {
    const outcome = await bench(args);
    assert.deepEqual([outcome.code, outcome.out], [2, ""]);
    assert.match(outcome.err, err);
  });
}

Deno.test("proxy --help tells how its options are written", async () => {
  const { code, out } = await bench(["proxy", "--help"]);
  assert.equal(code, 0);
  assert.match(out, /^Usage: bench proxy \[options\] \[command\.\.\.\]/);
  for (
    const flag of [
      "--fault <spec...>",
      "--faults <file>",
      "--record <file>",
      "--listen <port>",
      "--upstream <url>",
      "--broker",
    ]
  ) {
    assert.ok(out.includes(flag), flag);
  }
});
