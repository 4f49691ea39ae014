import assert from "node:assert/strict";
import { checkTargets, publish, writeOutput, writeWhole } from "./artefacts.ts";
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

Deno.test("checkTargets() refuses what the system does not let it write, and leaves nothing where it does", async () => {
  await using temp = await folder();
  await Deno.writeTextFile(`${temp.path}/file`, "");
  const places = [`${temp.path}/file/below`];
  // No folder is read-only to root.
  if (Deno.uid() !== 0) {
    await Deno.mkdir(`${temp.path}/closed`, { mode: 0o500 });
    places.push(`${temp.path}/closed/below`, `${temp.path}/closed`);
  }
  for (const place of places) {
    for (const target of [{ output: `${place}/report.json` }, { trace: `${place}/traces` }]) {
      await assert.rejects(checkTargets(target), {
        name: "UsageError",
        message: /^\/.*\/(report\.json|traces) cannot be written: [a-z ]+; nothing was run$/,
      });
    }
  }
  await checkTargets({ output: `${temp.path}/new/report.json`, trace: `${temp.path}/traces` });
  for (const name of ["new", "traces"]) assert.deepEqual([...Deno.readDirSync(`${temp.path}/${name}`)], []);
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

Deno.test("writeOutput() writes the report in the form of its extension, and leaves nothing unfinished", async () => {
  await using temp = await folder();
  await writeOutput(report, `${temp.path}/a/r.md`);
  assert.match(await Deno.readTextFile(`${temp.path}/a/r.md`), /^## Brownout/);
  assert.deepEqual([...Deno.readDirSync(`${temp.path}/a`)].map(({ name }) => name), ["r.md"]);
});

Deno.test("writeOutput() writes through a link, and keeps the link", async () => {
  await using temp = await folder();
  await Deno.writeTextFile(`${temp.path}/real.json`, "old");
  // By a command: Deno makes links only for those who may write everywhere.
  await new Deno.Command("ln", { args: ["-s", `${temp.path}/real.json`, `${temp.path}/link.json`] }).output();
  await writeOutput(report, `${temp.path}/link.json`);
  assert.ok((await Deno.lstat(`${temp.path}/link.json`)).isSymlink);
  assert.match(await Deno.readTextFile(`${temp.path}/real.json`), /"schema"/);
});

Deno.test("writeOutput() says what cannot be written, in words and without its temporary names", async () => {
  await using temp = await folder();
  const error = await writeOutput(report, `${temp.path}/${"n".repeat(300)}.json`).catch((thrown) => thrown);
  assert.equal(error.name, "UsageError");
  assert.match(error.message, /cannot be written: file name too long$/);
});

Deno.test("writeWhole() writes what comes piece by piece, and nothing of what breaks off", async () => {
  await using temp = await folder();
  const path = `${temp.path}/text`;
  const pieces = Array.from({ length: 300 }, (_, i) => `${i} ü `.repeat(500));
  await writeWhole(path, pieces);
  assert.equal(await Deno.readTextFile(path), pieces.join(""));
  const broken = function* () {
    yield* pieces;
    throw new Error("the disk is gone");
  };
  await assert.rejects(writeWhole(path, broken()), { message: /text cannot be written: the disk is gone/ });
  assert.equal(await Deno.readTextFile(path), pieces.join(""));
  assert.equal([...Deno.readDirSync(temp.path)].length, 1);
});

Deno.test("publish() puts a run in the latest one's place as a whole", async () => {
  await using temp = await folder();
  for (const name of ["one", "two"]) {
    await Deno.mkdir(`${temp.path}/own/traces`, { recursive: true });
    await Deno.writeTextFile(`${temp.path}/own/traces/${name}.jsonl`, "");
    await publish(report, `${temp.path}/own`, `${temp.path}/latest`);
    const names = [...Deno.readDirSync(`${temp.path}/latest/traces`)].map((entry) => entry.name);
    assert.deepEqual(names, [`${name}.jsonl`]);
    assert.match(await Deno.readTextFile(`${temp.path}/latest/report.json`), /"schema"/);
    assert.deepEqual([...Deno.readDirSync(temp.path)].map((entry) => entry.name), ["latest"]);
  }
});

Deno.test("run of many at once leaves one whole run, and none of them fails", async () => {
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
  assert.ok((await Deno.stat("reports/runs/latest/report.json")).isFile);
});
