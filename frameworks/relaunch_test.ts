import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import * as z from "zod";

const ROOT: string = fileURLToPath(new URL("../", import.meta.url));

const Report = z.object({ cells: z.array(z.object({ outcome: z.string() })) });

/** The bench as `deno task bench` starts it: under its own lock file. */
function bench(...words: string[]): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--frozen", "--no-prompt", "--quiet", "--allow-all", "harness/cli/main.ts", ...words],
    cwd: ROOT,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

Deno.test("bench --subject starts itself again where the framework can be loaded, and passes on output and exit code", async () => {
  const [good, bad] = await Promise.all([
    bench("run", "healthy-desk", "--subject", "ai-sdk", "--json").output(),
    bench("run", "planner-gives-no-plan", "--subject", "ai-sdk", "--json").output(),
  ]);
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assert.deepEqual([good.code, bad.code], [0, 1], text(good.stderr) + text(bad.stderr));
  for (const [{ stdout, stderr }, outcome] of [[good, "pass"], [bad, "fail"]] as const) {
    assert.deepEqual(Report.parse(JSON.parse(text(stdout))).cells.map((cell) => cell.outcome), [outcome]);
    assert.match(text(stderr), /^brownout: ai-sdk runs under frameworks\/deno\.lock/);
  }
});

Deno.test("bench --subject ends what it has started when it is interrupted", async () => {
  const process = bench("run", "policy-hangs-and-is-given-up", "--subject", "ai-sdk", "--repeat", "50", "-j", "1");
  const reader = process.stderr.pipeThrough(new TextDecoderStream()).getReader();
  let told = "";
  // The first cell has ended, so the other process runs.
  while (!told.includes("1/50")) told += (await reader.read()).value ?? assert.fail(told);
  process.kill("SIGTERM");
  const { code } = await process.status;
  assert.equal(code, 130);
  for (let next = await reader.read(); !next.done; next = await reader.read()) told += next.value;
  assert.match(told, /interrupted/);
  await process.stdout.cancel();
});
