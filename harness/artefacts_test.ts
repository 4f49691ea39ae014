import assert from "node:assert/strict";
import { checkTargets, writeArtefacts } from "./artefacts.ts";
import { makeReport } from "./report/report.ts";
import { brokenPolicy } from "./report/testing.ts";

const results = [brokenPolicy()];
const report = makeReport(results);

async function folder(): Promise<AsyncDisposable & { path: string }> {
  const path = await Deno.makeTempDir({ prefix: "brownout-artefacts-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

Deno.test("checkTargets() refuses a folder for a report and a file for traces, before anything is run", async () => {
  await using temp = await folder();
  await Deno.writeTextFile(`${temp.path}/file`, "");
  await assert.rejects(checkTargets({ output: temp.path }), { name: "UsageError", message: /is a folder/ });
  await assert.rejects(checkTargets({ trace: `${temp.path}/file` }), { name: "UsageError", message: /is a file/ });
  await checkTargets({ output: `${temp.path}/new/report.json`, trace: `${temp.path}/traces` });
});

Deno.test(
  "checkTargets() refuses what the task may not write",
  { permissions: { write: false, read: true } },
  async () => {
    await assert.rejects(checkTargets({ output: "/x/report.json" }), {
      name: "UsageError",
      message: /may not be written/,
    });
  },
);

Deno.test("writeArtefacts() writes report and traces where it is told, and leaves nothing unfinished", async () => {
  await using temp = await folder();
  const files = await writeArtefacts(report, results, { output: `${temp.path}/a/r.md`, trace: `${temp.path}/t` });
  assert.deepEqual(files.map(({ label }) => label), ["report", "traces"]);
  assert.match(await Deno.readTextFile(`${temp.path}/a/r.md`), /^## Brownout/);
  const names = [...Deno.readDirSync(`${temp.path}/a`), ...Deno.readDirSync(`${temp.path}/t`)].map(({ name }) => name);
  assert.deepEqual(names, ["r.md", "broken-policy-server@sim.jsonl"]);
});

Deno.test("writeArtefacts() writes through a link, and keeps the link", async () => {
  await using temp = await folder();
  await Deno.writeTextFile(`${temp.path}/real.json`, "old");
  // By a command: Deno makes links only for those who may write everywhere.
  await new Deno.Command("ln", { args: ["-s", `${temp.path}/real.json`, `${temp.path}/link.json`] }).output();
  await writeArtefacts(report, results, { output: `${temp.path}/link.json` });
  assert.ok((await Deno.lstat(`${temp.path}/link.json`)).isSymlink);
  assert.match(await Deno.readTextFile(`${temp.path}/real.json`), /"schema"/);
});

Deno.test("writeArtefacts() says what cannot be written, in words and without its temporary names", async () => {
  await using temp = await folder();
  const output = `${temp.path}/${"n".repeat(300)}.json`;
  const error = await writeArtefacts(report, results, { output }).catch((thrown) => thrown);
  assert.equal(error.name, "UsageError");
  assert.match(error.message, /cannot be written: file name too long$/);
});

Deno.test("writeArtefacts() of many at once leaves one whole run, and none of them fails", async () => {
  await Promise.all(Array.from({ length: 4 }, async () => {
    const { code } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-prompt",
        "--allow-read",
        "--allow-write=reports/runs",
        "--allow-env",
        "harness/cli/main.ts",
        "run",
        "healthy-desk",
        "--lane",
        "sim",
      ],
      stdout: "null",
      stderr: "null",
    }).output();
    assert.equal(code, 0);
  }));
  const left = [...Deno.readDirSync("reports/runs")].map(({ name }) => name).filter((name) =>
    name.startsWith(".unfinished")
  );
  assert.deepEqual(left, []);
  assert.ok((await Deno.stat("reports/runs/latest/report.json")).isFile);
});
