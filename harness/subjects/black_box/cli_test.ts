/** Black boxes from the command line on. */
import assert from "node:assert/strict";
import { bench } from "../../cli/test_io.ts";
import { SOUND, TestFolder } from "../../scenario/test_folder.ts";

Deno.test("run --deadline is how long a subject may take: a process that hangs is ended, and a slow reference overdue", async () => {
  await using folder = await TestFolder.make({ "x.yaml": SOUND });
  const io = { cwd: folder.path, runs: `${folder.path}/runs` };
  const end = async (...args: string[]) => {
    const { code, out } = await bench(["run", "./x.yaml", ...args, "--json"], io);
    const [{ checks }] = JSON.parse(out).cells;
    return { code, ended: checks.find(({ id }: { id: string }) => id === "run.ended").message };
  };
  const hanging = await end("--subject", "cmd: /bin/sleep 3600", "--deadline", "300ms");
  assert.equal(hanging.code, 1);
  assert.match(hanging.ended, /^overdue: no answer within 300 ms: it was still running, and ended when told to/);
  // A tool takes 500 ms of the virtual clock.
  assert.match((await end("--lane", "sim", "--deadline", "400ms")).ended, /^overdue: no answer within 400 ms/);
  assert.match((await end("--lane", "sim", "--deadline", "2s")).ended, /^the subject answered/);
});

Deno.test("run --resume reuses no result of a program that has been edited since", async () => {
  await using folder = await TestFolder.make({ "x.yaml": SOUND, "agent.sh": "echo Found." });
  const io = { cwd: folder.path, runs: `${folder.path}/runs` };
  const args = ["run", "./x.yaml", "--subject", `cmd: /bin/sh ${folder.path}/agent.sh`, "--json"];
  const once = await bench(args, io);
  const [{ id }] = JSON.parse((await bench(["list", "--runs", "--json"], io)).out);
  const again = await bench([...args, "--resume", id], io);
  assert.deepEqual([again.code, again.out], [once.code, once.out]);
  assert.match(again.err, /1 of 1 cells have ended; the subject is the same by the files sh, agent\.sh$/m);
  await Deno.writeTextFile(`${folder.path}/agent.sh`, "echo Nothing.");
  const edited = await bench([...args, "--resume", id], io);
  assert.deepEqual([edited.code, edited.out], [2, ""]);
  assert.match(
    edited.err,
    /: the subject's program has changed \(by the files sh, agent\.sh\); begin anew without --resume\n$/,
  );
});

Deno.test("run --subject of a server that is not there, or of no program, is one clear line, and no cell runs", async () => {
  await using folder = await TestFolder.make({ "x.yaml": SOUND });
  const complaint = async (subject: string) => {
    const { code, out, err } = await bench(["run", "./x.yaml", "--subject", subject], { cwd: folder.path });
    assert.deepEqual([code, out, err.split("\n").length], [2, "", 2], err);
    return err;
  };
  assert.match(
    await complaint("http://localhost:1/desk"),
    /^brownout: --subject: nobody listens at http:\/\/127\.0\.0\.1:1; .*start it first/,
  );
  assert.match(await complaint("http://example.com/"), /is at http:\/\/localhost:PORT/);
  assert.match(await complaint("cmd: no-such-program-at-all"), /there is no program "no-such-program-at-all"/);
  await Deno.writeTextFile(`${folder.path}/agent.py`, "print('Nothing.')", { mode: 0o644 });
  assert.match(
    await complaint(`cmd: ${folder.path}/agent.py`),
    /agent\.py" is there but not executable: chmod \+x it, or name its interpreter, as in "cmd: python3 .*agent\.py"$/m,
  );
});
