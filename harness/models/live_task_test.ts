import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { asksNobody, BENCH_VARIABLES, LIVE_LOCK, liveArgs } from "./live_task.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const { tasks } = z.object({
  tasks: z.record(z.string(), z.union([z.string(), z.object({ command: z.string().optional() })])),
})
  .parse(JSON.parse(Deno.readTextFileSync(`${PROJECT}deno.json`)));

function commandOf(task: string): string {
  const found = tasks[task];
  return (typeof found === "string" ? found : found?.command) ?? "";
}

const flagOf = (args: readonly string[], flag: string) =>
  args.find((arg) => arg.startsWith(`${flag}=`))?.slice(flag.length + 1).split(",") ?? [];

Deno.test("a bare bench can spend nothing: no key, no provider, no client", () => {
  for (const task of ["bench", "sim", "gate", "golden", "test"]) {
    const command = commandOf(task);
    assert.notEqual(command, "", task);
    assert.doesNotMatch(command, /_API_KEY|anthropic\.com|openai\.com/, task);
    if (task !== "test") assert.doesNotMatch(command, /--allow-env(?![=\w])|--allow-net(?![=\w])|-A\b/, task);
    for (const [host] of command.matchAll(/(?<=--allow-net=)\S+/g)) assert.equal(host, "127.0.0.1", task);
  }
  const lock = Deno.readTextFileSync(`${PROJECT}deno.lock`);
  assert.doesNotMatch(lock, /"(?:npm:)?(?:openai|@anthropic-ai)[@/]/, "the default run does not download a client");
  assert.match(Deno.readTextFileSync(`${PROJECT}${LIVE_LOCK}`), /"npm:openai@.*"[\s\S]*/);
});

Deno.test("bench:live gives the network and the keys of the models that are named, and of no other", () => {
  const words = ["run", "--model", "planner=anthropic:a", "--model=compatible:m@http://box:8080/v1", "support"];
  const args = liveArgs(words, "/home", () => undefined);
  assert.deepEqual(flagOf(args, "--allow-net"), ["127.0.0.1", "api.anthropic.com", "box:8080"]);
  const variables = flagOf(args, "--allow-env").filter((name) => !BENCH_VARIABLES.includes(name));
  assert.deepEqual(variables, ["ANTHROPIC_*", "COMPATIBLE_API_KEY"]);
  assert.deepEqual(args.slice(-words.length), words);
  const nothing = liveArgs(["run", "support"], "/home", () => undefined);
  assert.deepEqual(flagOf(nothing, "--allow-net"), ["127.0.0.1"]);
  assert.deepEqual(flagOf(nothing, "--allow-env"), [...BENCH_VARIABLES]);
});

Deno.test("bench:live follows the address that a client's own variable names, and lets no address smuggle in another", () => {
  const words = ["compare", "scripted", "openai:x"];
  const at = (url: string) =>
    flagOf(liveArgs(words, "/", (name) => name === "OPENAI_BASE_URL" ? url : undefined), "--allow-net");
  assert.deepEqual(at("http://127.0.0.1:9/v1"), ["127.0.0.1", "127.0.0.1:9"]);
  assert.deepEqual(at("http://a,evil.com/v1"), ["127.0.0.1"]);
  assert.deepEqual(flagOf(liveArgs(words, "/home/me,/", () => undefined), "--allow-write"), ["reports/runs", "/tmp"]);
});

Deno.test("bench:live reads what bench reads", () => {
  const [, names = ""] = /--allow-env=(\S+)/.exec(commandOf("bench")) ?? [];
  assert.deepEqual([...BENCH_VARIABLES], names.split(","));
});

Deno.test("bench:live's lock has all that the bench and the clients need, in the versions that are tested", async () => {
  const files = ["harness/cli/main.ts", "harness/run_command.ts", "harness/models/live_models.ts"];
  const clients = ["anthropic", "openai", "compatible"].map((name) => `agents/models/live/${name}.ts`);
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["cache", "--quiet", `--lock=${LIVE_LOCK}`, "--frozen", ...files, ...clients],
    cwd: PROJECT,
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  const versions = (lock: string) =>
    [...Deno.readTextFileSync(`${PROJECT}${lock}`).matchAll(/"npm:((?:openai|@anthropic-ai\/sdk)@[\d.]+)"/g)].map((
      [, v],
    ) => v);
  assert.equal(versions(LIVE_LOCK).length, 2);
  for (const version of versions(LIVE_LOCK)) assert.ok(versions("deno.dev.lock").includes(version), version);
});

Deno.test("bench:live refuses a run that asks no live model, and says what to type", () => {
  for (const args of [["run", "support"], ["support", "--json"], []]) {
    assert.match(asksNobody(args) ?? "", /^no live model is chosen: give --model, .* use deno task bench$/);
  }
  assert.match(
    asksNobody(["run", "support", "--replay", "a.jsonl"]) ?? "",
    /^--replay asks no live .* deno task bench$/,
  );
  const asking = [
    ["run", "support", "--model", "openai:a"],
    ["support", "--judge=openai:a"],
    ["run", "--help"],
    ["compare", "scripted", "openai:a", "support"],
    ["list"],
  ];
  for (const args of asking) assert.equal(asksNobody(args), undefined, args.join(" "));
});
