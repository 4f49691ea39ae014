import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { RunLogError, SqliteRunLog } from "./run_log_sqlite.ts";

async function inFolder(work: (file: string) => void): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    work(`${dir}/log.sqlite`);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("SqliteRunLog has every entry of its run in order, list by list, when the file is opened again", () =>
  inFolder((file) => {
    {
      using log = new SqliteRunLog(file, "a");
      using other = new SqliteRunLog(file, "b");
      for (const n of [3, 1, 2]) log.append("numbers", { n });
      log.append("words", "ü\n\"'");
      other.append("numbers", null);
      assert.deepEqual(log.read("numbers"), [{ n: 3 }, { n: 1 }, { n: 2 }]);
    }
    using log = new SqliteRunLog(file, "a");
    log.append("numbers", [4]);
    assert.deepEqual(log.read("numbers"), [{ n: 3 }, { n: 1 }, { n: 2 }, [4]]);
    assert.deepEqual(log.read("words"), ["ü\n\"'"]);
    assert.deepEqual(log.read("nothing"), []);
  }));

Deno.test("SqliteRunLog hands out what was written, and nothing that shares memory with it", () => {
  using log = new SqliteRunLog(":memory:", "a");
  const entry = { list: [1] };
  log.append("l", entry);
  entry.list.push(2);
  assert.deepEqual(log.read("l"), [{ list: [1] }]);
});

Deno.test("SqliteRunLog refuses what JSON would change, and adds nothing of it", () => {
  using log = new SqliteRunLog(":memory:", "a");
  assert.throws(() => log.append("l", { n: NaN }), RunLogError);
  assert.deepEqual(log.read("l"), []);
});

Deno.test("SqliteRunLog leaves a file alone that is not its own, or of another version, or damaged", () =>
  inFolder((file) => {
    const sql = (text: string) => {
      using db = new DatabaseSync(file);
      db.exec(text);
    };
    sql("CREATE TABLE entry (n INTEGER)");
    assert.throws(() => new SqliteRunLog(file, "a"), /not a log of runs/);
    sql("DROP TABLE entry; PRAGMA application_id = 0");
    new SqliteRunLog(file, "a")[Symbol.dispose]();
    sql("PRAGMA user_version = 9");
    assert.throws(() => new SqliteRunLog(file, "a"), /version 9/);
    sql("PRAGMA user_version = 1; INSERT INTO entry (run, list, entry) VALUES ('a', 'l', '{')");
    using log = new SqliteRunLog(file, "a");
    assert.throws(() => log.read("l"), RunLogError);
    Deno.writeTextFileSync(file + "x", "no database".repeat(200));
    assert.throws(() => new SqliteRunLog(file + "x", "a"), RunLogError);
  }));
