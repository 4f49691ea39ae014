import assert from "node:assert/strict";
import { programDigest } from "./program.ts";

Deno.test("programDigest() changes with the files that a command names and those of their kind beside them, and with no other", async () => {
  const folder = await Deno.makeTempDir();
  const write = (name: string, text: string) => Deno.writeTextFileSync(`${folder}/${name}`, text);
  const words = ["python3", "agent.py", "--config=desk.toml", "12345"];
  const seen = new Set<string>();
  /** Whether it is one that was not there before. */
  const isNew = () => {
    const now = programDigest(words, folder);
    assert.equal(programDigest(words, folder), now);
    return seen.size < seen.add(now).size;
  };
  try {
    assert.ok(isNew(), "without any file");
    for (const name of ["agent.py", "desk.toml", "crew.py"]) {
      write(name, "1");
      assert.ok(isNew(), `${name} is new`);
      write(name, "2");
      assert.ok(isNew(), `${name} has changed`);
    }
    write("answer.json", "{}");
    assert.ok(!isNew(), "what it writes is no part of it");
    Deno.renameSync(`${folder}/crew.py`, `${folder}/team.py`);
    assert.ok(isNew(), "renamed");
    write("agent.py", "x".repeat(9 * 2 ** 20));
    assert.ok(isNew(), "too long to be read whole");
    write("agent.py", "x".repeat(9 * 2 ** 20 + 1));
    assert.ok(isNew(), "and longer");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
