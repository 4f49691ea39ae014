import assert from "node:assert/strict";
import { checkTargets, ReportFiles, writeWhole } from "./artefacts.ts";
import { renderJson } from "./report/json.ts";
import { renderJsonLines } from "./report/jsonl.ts";
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

Deno.test("checkTargets() refuses a pipe: a file would take its place", async () => {
  await using temp = await folder();
  const pipe = `${temp.path}/pipe.json`;
  await new Deno.Command("mkfifo", { args: [pipe] }).output();
  await assert.rejects(checkTargets({ output: pipe }), {
    name: "UsageError",
    message: /is a pipe or a device; give a/,
  });
  await assert.rejects(checkTargets({ trace: pipe }), { name: "UsageError", message: /is a file/ });
  assert.ok((await Deno.stat(pipe)).isFifo);
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

Deno.test("ReportFiles writes the report in the form of its extension, and leaves nothing unfinished", async () => {
  await using temp = await folder();
  using files = new ReportFiles(report);
  await files.write(`${temp.path}/a/r.md`);
  assert.match(await Deno.readTextFile(`${temp.path}/a/r.md`), /^## Brownout/);
  assert.deepEqual([...Deno.readDirSync(`${temp.path}/a`)].map(({ name }) => name), ["r.md"]);
});

Deno.test("ReportFiles writes through a link, and keeps the link", async () => {
  await using temp = await folder();
  await Deno.writeTextFile(`${temp.path}/real.json`, "old");
  // By a command: Deno makes links only for those who may write everywhere.
  await new Deno.Command("ln", { args: ["-s", `${temp.path}/real.json`, `${temp.path}/link.json`] }).output();
  using files = new ReportFiles(report);
  await files.write(`${temp.path}/link.json`);
  assert.ok((await Deno.lstat(`${temp.path}/link.json`)).isSymlink);
  assert.match(await Deno.readTextFile(`${temp.path}/real.json`), /"schema"/);
  // One that points to nothing yet.
  await new Deno.Command("ln", { args: ["-s", "new.json", `${temp.path}/ahead.json`] }).output();
  await files.write(`${temp.path}/ahead.json`);
  assert.ok((await Deno.lstat(`${temp.path}/ahead.json`)).isSymlink);
  assert.ok((await Deno.lstat(`${temp.path}/new.json`)).isFile);
});

Deno.test("ReportFiles makes each form once, and what became of the first file does not matter to the next", async () => {
  await using temp = await folder();
  let times = 0;
  const whole = makeReport(Array.from({ length: 200 }, () => brokenPolicy()));
  const cells = {
    length: whole.cells.length,
    *[Symbol.iterator]() {
      times++;
      yield* whole.cells;
    },
  };
  using files = new ReportFiles({ ...whole, cells });
  await files.write(`${temp.path}/one.json`);
  await Deno.remove(`${temp.path}/one.json`);
  await Deno.writeTextFile(`${temp.path}/one.json`, "somebody else's");
  for (const name of ["two.json", "three.json"]) {
    await files.write(`${temp.path}/${name}`);
    assert.equal(await Deno.readTextFile(`${temp.path}/${name}`), renderJson(whole), name);
  }
  assert.equal(times, 1);
  await files.write(`${temp.path}/one.jsonl`);
  assert.equal(await Deno.readTextFile(`${temp.path}/one.jsonl`), renderJsonLines(whole));
  assert.equal(times, 2);
});

Deno.test("ReportFiles says what cannot be written, in words and without its temporary names", async () => {
  await using temp = await folder();
  using files = new ReportFiles(report);
  const error = await files.write(`${temp.path}/${"n".repeat(300)}.json`).catch((thrown) => thrown);
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

Deno.test("ReportFiles.publish() puts a run in the latest one's place as a whole", async () => {
  await using temp = await folder();
  for (const name of ["one", "two"]) {
    await Deno.mkdir(`${temp.path}/own/traces`, { recursive: true });
    await Deno.writeTextFile(`${temp.path}/own/traces/${name}.jsonl`, "");
    using files = new ReportFiles(report);
    await files.publish(`${temp.path}/own`, `${temp.path}/latest`);
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
