import assert from "node:assert/strict";
import { join } from "node:path/posix";
import { SOUND, sound, TestFolder } from "../scenario/test_folder.ts";
import type { CliIo } from "./io.ts";
import { RunStore } from "../store/run_store.ts";
import { bench, type Outcome } from "./test_io.ts";

const ARGS = ["run", "./x.yaml", "--lane", "sim", "--repeat", "12"];

/** A folder with a scenario in it, and runs of its own. */
async function folderOf(text = SOUND): Promise<TestFolder> {
  return await TestFolder.make({ "x.yaml": text });
}

function io({ path }: TestFolder, more: Partial<CliIo> = {}): Partial<CliIo> {
  return { cwd: path, runs: join(path, "runs"), ...more };
}

/** A run that is interrupted when so many cells have ended. */
async function interrupted(folder: TestFolder, cells: number, args: readonly string[] = ARGS): Promise<Outcome> {
  const interrupt = new AbortController();
  let err = "";
  const outcome = await bench(args, {
    ...io(folder),
    signal: interrupt.signal,
    err: (text) => {
      err += text;
      if (err.includes(` ${cells}/12  `)) interrupt.abort();
    },
  });
  return { ...outcome, err };
}

/** The cells that stderr tells to have ended. */
const told = (err: string) => [...err.matchAll(/^ *\d+\/12 {2}\S+ +(\S+)$/gm)].map(([, id]) => id);
const idIn = (err: string) => /--resume (\d{8}-\d{6}-[a-z0-9]{4})/.exec(err)?.[1] ?? assert.fail(err);
/** A screen without how long it took. */
const still = (screen: string) => screen.replace(/ in [\d.]+ s$/m, "");

Deno.test("run says when it is interrupted what is kept and the command that goes on, and that command runs the rest", async () => {
  await using folder = await folderOf();
  const outputs = [".json", ".jsonl", ".md", ".html"].flatMap((extension) => ["-o", `report${extension}`]);
  const whole = await bench([...ARGS, "-j", "1", ...outputs, "--trace", "traces-a"], io(folder));
  const reports = [".json", ".jsonl", ".md", ".html"].map((one) =>
    Deno.readTextFileSync(`${folder.path}/report${one}`)
  );

  const args = [...ARGS, "--trace", "traces-b"];
  const first = await interrupted(folder, 5, [...args, "-j", "1", ...outputs]);
  assert.equal(first.code, 130);
  const id = idIn(first.err);
  const command = /to go on: deno task bench (.*)$/m.exec(first.err)?.[1] ?? assert.fail(first.err);
  assert.match(
    first.err,
    /^brownout: interrupted after 5 of 12 cells, which are kept; to go on: deno task bench run /m,
  );

  const second = await bench(command.split(" "), io(folder));
  assert.equal(second.code, whole.code);
  assert.match(second.err, new RegExp(`^brownout: goes on with run ${id}: 5 of 12 cells have ended$`, "m"));
  assert.deepEqual([...told(first.err), ...told(second.err)], told(whole.err), "each cell ran once");
  const again = [".json", ".jsonl", ".md", ".html"].map((one) => Deno.readTextFileSync(`${folder.path}/report${one}`));
  assert.deepEqual(again, reports);
  assert.equal(still(second.out).replaceAll("traces-b", "traces-a"), still(whole.out));
  for (const { name } of Deno.readDirSync(`${folder.path}/traces-a`)) {
    const [one, other] = ["traces-a", "traces-b"].map((place) =>
      Deno.readTextFileSync(`${folder.path}/${place}/${name}`)
    );
    assert.equal(one, other, name);
  }
});

Deno.test("run --resume without an id goes on with the latest unfinished run of the same, whatever its jobs", async () => {
  await using folder = await folderOf();
  const whole = await bench([...ARGS, "-j", "8", "--json"], io(folder));
  const other = await interrupted(folder, 2, [...ARGS, "--seed", "3", "-j", "1"]);
  const first = await interrupted(folder, 4, [...ARGS, "-j", "1"]);
  await interrupted(folder, 3, [...ARGS, "--seed", "4", "-j", "1"]);
  const { err, out } = await bench([...ARGS, "-j", "8", "--json", "--resume"], io(folder));
  assert.match(err, new RegExp(`goes on with run ${idIn(first.err)}: 4 of 12`));
  assert.notEqual(idIn(first.err), idIn(other.err));
  assert.equal(out, whole.out, "-j 1, then -j 8, and -j 8 alone: the same bytes");
});

Deno.test("run --resume of a run that has ended tells it again and runs nothing", async () => {
  await using folder = await folderOf();
  const whole = await bench([...ARGS, "--json"], io(folder));
  const [{ id, outcome }] = JSON.parse((await bench(["list", "--runs", "--json"], io(folder))).out);
  const { code, out, err } = await bench([...ARGS, "--json", "--resume", id], io(folder));
  assert.deepEqual([code, out, told(err), outcome], [whole.code, whole.out, [], JSON.parse(out).outcome]);
  const none = await bench([...ARGS, "--resume"], io(folder));
  assert.deepEqual([none.code, none.out], [2, ""]);
  assert.match(none.err, /^brownout: --resume: every run that is kept has ended; begin one without --resume\n$/);
});

Deno.test("run --resume refuses what has changed, says what, and runs nothing", async () => {
  await using folder = await folderOf();
  const id = idIn((await interrupted(folder, 3, [...ARGS, "-j", "1"])).err);
  const expectRefusal = async (args: readonly string[], pattern: RegExp) => {
    const { code, out, err } = await bench(args, io(folder));
    assert.deepEqual([code, out, told(err), err.split("\n").length], [2, "", [], 2], err);
    assert.match(err, pattern);
  };
  const goOn = new RegExp(
    `go on with: deno task bench run \\./x\\.yaml --lane sim --repeat 12 --jobs 1 --resume ${id},`,
  );
  const more = [...ARGS.slice(0, -1), "13", "--seed", "7"];
  await expectRefusal(
    [...more, "--resume", id],
    /: --repeat was 12 and is 13; --seed was not given and is 7; go on with: /,
  );
  await expectRefusal([...more, "--resume", id], goOn);
  await expectRefusal(
    [...more, "--resume"],
    /no unfinished run is made of the same; the latest, .*, differs: --repeat was/,
  );
  await Deno.writeTextFile(`${folder.path}/x.yaml`, sound("What happened?", "What has happened?"));
  await expectRefusal(
    [...ARGS, "--resume", id],
    /begun as something else: scenario sound has changed; put it back as it was, or begin anew without --resume$/m,
  );
  await Deno.writeTextFile(`${folder.path}/x.yaml`, sound("name: sound", "name: loud"));
  await expectRefusal(
    [...ARGS, "-j", "1", "--resume", id],
    /loud was not selected then; begin anew without --resume$/m,
  );
  await expectRefusal([...ARGS, "--resume", "20200101-000000-abcd"], /no such run is kept; bench list --runs shows/);
  await expectRefusal(
    ["run", "--resume", "./x.yaml"],
    /--resume "\.\/x\.yaml": no run is called so; .*selectors before/,
  );
});

Deno.test("run runs all the same where it cannot be kept, and says so", async () => {
  await using folder = await folderOf();
  const whole = await bench([...ARGS, "--json"], io(folder));
  // A file where the folder should be: nobody can write below it, root included.
  await Deno.writeTextFile(`${folder.path}/file`, "");
  const { code, out, err } = await bench([...ARGS, "--json"], { ...io(folder), runs: `${folder.path}/file/runs` });
  assert.deepEqual([code, out], [whole.code, whole.out]);
  assert.match(err, /^brownout: this run is not kept and cannot be resumed: .*\/file\/runs\/kept cannot be used: /m);
});

Deno.test("a store that is damaged, of another version or in use is told in one line, and other runs are listed", async () => {
  await using folder = await folderOf();
  await bench(ARGS, io(folder));
  const ids = [];
  for (let i = 0; i < 2; i++) ids.push(idIn((await interrupted(folder, 2, [...ARGS, "-j", "1"])).err));
  const [broken = "", used = ""] = ids;
  const store = (id: string) => `${folder.path}/runs/kept/${id}/store.sqlite`;
  await Deno.writeTextFile(store(broken), "this is no database ".repeat(300));
  using _open = RunStore.open(store(used));
  const { code, out, err } = await bench(["list", "--runs"], { ...io(folder), columns: 200 });
  assert.equal(code, 2);
  assert.match(out, new RegExp(`^${used} +- +- +running +-$`, "m"));
  assert.match(out, new RegExp(`^${broken} +- +- +unreadable +-$`, "m"));
  assert.match(out, /^\S+ +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +12\/12 +\w+ +run \.\/x\.yaml --lane sim --repeat 12$/m);
  assert.match(
    err,
    new RegExp(`^brownout: \\S+${broken}/store.sqlite is no database and is left as it is; delete .*\n$`),
  );
  for (const [id, why] of [[broken, /is no database/], [used, /is in use by another process; wait/]] as const) {
    const refused = await bench([...ARGS, "--resume", id], io(folder));
    assert.equal(refused.code, 2);
    assert.match(refused.err, why);
    assert.equal(refused.err.split("\n").length, 2);
  }
});

Deno.test("a run that comes to nothing at once leaves nothing", async () => {
  await using folder = await folderOf();
  const { code, err } = await bench(ARGS, { ...io(folder), signal: AbortSignal.abort() });
  assert.equal(code, 130);
  assert.match(err, /interrupted after 0 of 12 cells/);
  assert.deepEqual([...Deno.readDirSync(`${folder.path}/runs/kept`)], []);
});

Deno.test("list --runs says where nothing is kept yet", async () => {
  await using folder = await folderOf();
  const { code, out, err } = await bench(["list", "--runs"], io(folder));
  assert.deepEqual([code, out, err], [0, "", "brownout: no runs are kept yet; bench run keeps each\n"]);
});
