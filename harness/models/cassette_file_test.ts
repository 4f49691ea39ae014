import assert from "node:assert/strict";
import { wholeLines } from "./cassette_file.ts";

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
