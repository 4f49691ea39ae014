import assert from "node:assert/strict";
import { UsageError } from "../cli/exit.ts";
import { openTape, wholeLines } from "./cassette_file.ts";

Deno.test("wholeLines() takes back a line that the disk had no room for, so that those after it can be read", async () => {
  const path = await Deno.makeTempFile({ dir: "/tmp" });
  try {
    using file = await Deno.open(path, { write: true });
    let room = 12;
    const write = wholeLines({
      writeSync(bytes) {
        if (room === 0) throw new Deno.errors.WriteZero("no space left");
        const written = file.writeSync(bytes.subarray(0, room));
        room -= written;
        return written;
      },
      truncateSync: (size) => file.truncateSync(size),
      seekSync: (offset, whence) => file.seekSync(offset, whence),
    }, 0);
    write('{"n":1}\n');
    assert.throws(() => write('{"n":2}\n'), /no space left/);
    room = 100;
    write('{"n":3}\n');
    assert.equal(await Deno.readTextFile(path), '{"n":1}\n{"n":3}\n');
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("openTape() refuses a pipe, at once", async () => {
  const folder = await Deno.makeTempDir({ dir: "/tmp" });
  try {
    await new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).output();
    await assert.rejects(openTape(`${folder}/pipe`, []), {
      name: "UsageError",
      message: /pipe cannot be used: it is no file that can be written line by line and read again$/,
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Another process that records into a file until it is told to end, or killed. */
const RECORDER = `
  const { openTape } = await import(Deno.args[0]);
  const { writer } = await openTape(Deno.args[1], []);
  writer.begin("theirs", "x:y");
  console.log("recording");
  await Deno.stdin.read(new Uint8Array(1));
`;

Deno.test("openTape() refuses a file that another process records into, loses none of it, and takes it once that is killed", async () => {
  const folder = await Deno.makeTempDir({ dir: "/tmp" });
  const path = `${folder}/tape.jsonl`;
  const other = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-lock", RECORDER, new URL("./cassette_file.ts", import.meta.url).href, path],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  try {
    const out = other.stdout.getReader();
    assert.equal(new TextDecoder().decode((await out.read()).value), "recording\n");
    // As in the middle of a line: nobody else may take it for what a kill has left.
    await Deno.writeTextFile(path, '{"type":"tu', { append: true });
    const before = await Deno.readTextFile(path);
    await assert.rejects(openTape(path, []), (error) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, /^--record \S+ is being recorded by another run; wait until that has ended, or give/);
      return true;
    });
    assert.equal(await Deno.readTextFile(path), before);
    other.kill("SIGKILL");
    await other.status;
    await out.cancel();
    {
      using mine = await openTape(path, []);
      await assert.rejects(openTape(path, []), /is being recorded by another run/, "nor twice in one process");
      mine.writer.begin("mine", "x:y");
    }
    const cells = (await Deno.readTextFile(path)).trimEnd().split("\n").slice(1).map((line) => JSON.parse(line).cell);
    assert.deepEqual(cells, ["theirs", "mine"]);
  } finally {
    await other.stdin.close().catch(() => {});
    await Deno.remove(folder, { recursive: true });
  }
});
