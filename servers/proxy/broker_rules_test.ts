import { judgeBy, loadBrokerRules } from "./broker_rules.ts";
import { tempFolder } from "./testing.ts";
import assert from "node:assert/strict";

async function allows(rules: string, access: string, value?: string): Promise<boolean> {
  return judgeBy(await loadBrokerRules(rules, "/home"), "/home")(access, value) === undefined;
}

for (
  const [rules, access, value, wanted] of [
    ["allow", "write", "/etc/x", true],
    ["allow", "env", undefined, true],
    ["read=/data", "read", "/data", true],
    ["read=/data", "read", "/data/a/b", true],
    ["read=/data", "read", "/database", false],
    ["read=/data", "read", "/data/../etc", false],
    ["read=/data", "write", "/data/a", false],
    ["read=/data", "read", undefined, false],
    ["read=.", "read", "docs/x", true],
    ["read=/", "read", "/etc", true],
    ["allow,!write=/data/locked", "write", "/data/locked/x", false],
    ["allow,!write=/data/locked", "write", "/data/open", true],
    ["allow,!env", "env", "HOME", false],
    ["net=127.0.0.1", "net", "127.0.0.1:80", true],
    ["net=127.0.0.1:81", "net", "127.0.0.1:80", false],
    ["env=DENO_*", "env", "DENO_DIR", true],
    ["env=DENO_*", "env", "HOME", false],
  ] as const
) {
  Deno.test(`the broker's rules ${rules} ${wanted ? "allow" : "deny"} ${access} of ${value ?? "everything"}`, async () =>
    assert.equal(await allows(rules, access, value), wanted));
}

Deno.test("a file of rules is a list of the same words, with paths relative to where the user stands", async () => {
  await using folder = await tempFolder();
  await Deno.writeTextFile(`${folder.path}/r.yaml`, "rules: ['read=data', env]\n");
  const rules = await loadBrokerRules("r.yaml", folder.path);
  assert.deepEqual(rules, [
    { grants: true, access: "read", value: `${folder.path}/data` },
    { grants: true, access: "env", value: undefined },
  ]);
});

Deno.test("a rule that is none is refused with what there is", () =>
  assert.rejects(loadBrokerRules("raed=/x", "/"), {
    message: /^--broker: "raed=\/x" is no rule \(did you mean "read"\?\); there are allow, and read, write, net/,
  }));
