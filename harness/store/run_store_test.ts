import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "./error.ts";
import { RunStore } from "./run_store.ts";
import { STORE_SCHEMA } from "./store_file.ts";
import { cell, HEAD, TempFolder } from "./testing.ts";

/** The error that something throws. */
function troubleOf(work: () => unknown): StoreError {
  try {
    work();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  return assert.fail("nothing was thrown");
}

/** A store with three cells, closed. */
function filled(path: string): Uint8Array {
  using store = RunStore.create(path, HEAD);
  for (const n of [0, 1, 2]) store.save(cell(n, { result: `{"text":"${"word ".repeat(2000)}${n}"}` }));
  store[Symbol.dispose]();
  return Deno.readFileSync(path);
}

Deno.test("RunStore gives back what it was given, to whoever opens it next", async () => {
  await using temp = await TempFolder.make();
  const path = temp.of("s.sqlite");
  {
    using store = RunStore.create(path, HEAD);
    store.save(cell(2, { rank: 0, trace: "{}\n{}\n" }));
    store.save(cell(0, { result: '{"text":"ü\\u2028"}' }));
  }
  assert.deepEqual([...Deno.readDirSync(temp.path)].map(({ name }) => name), ["s.sqlite"], "one file, and no log");
  using store = RunStore.open(path);
  assert.deepEqual(store.state(), { ...HEAD, done: 2, lives: 2 });
  assert.deepEqual([...store.done()].sort(), [0, 2]);
  assert.equal(store.result(0), '{"text":"ü\\u2028"}');
  assert.deepEqual([store.trace(2), store.trace(0), store.trace(1)], ["{}\n{}\n", undefined, undefined]);
  assert.deepEqual(store.telling(), { n: 2, rank: 0 });
  store.save(cell(1));
  assert.deepEqual(store.marks().map(({ n, life }) => [n, life]), [[0, 1], [1, 2], [2, 1]]);
  store.finish("pass", "2026-01-02T03:05:00.000Z");
  const { finished, outcome } = store.state();
  assert.deepEqual([finished, outcome], ["2026-01-02T03:05:00.000Z", "pass"]);
});

Deno.test("RunStore.save() refuses a cell that is there already: no cell runs twice unseen", () => {
  using store = RunStore.create(":memory:", HEAD);
  store.save(cell(1));
  assert.match(troubleOf(() => store.save(cell(1, { result: "{}" }))).message, /UNIQUE constraint/);
  assert.equal(store.result(1), '{"n":1}');
});

Deno.test("RunStore tells a full disk, keeps what had been written, and goes on when there is room", async () => {
  await using temp = await TempFolder.make();
  const path = temp.of("s.sqlite");
  let saved = 0;
  {
    using store = RunStore.create(path, HEAD, { maxPages: 12 });
    // What cannot be packed: each takes a page.
    const noise = () => Array.from({ length: 300 }, () => crypto.randomUUID()).join("");
    const { trouble, message } = troubleOf(() => {
      for (;; saved++) store.save(cell(saved, { result: noise() }));
    });
    assert.deepEqual([trouble, message.startsWith(`${path} cannot be written: the disk is full`)], ["full", true]);
    assert.ok(saved > 0);
    assert.equal(store.done().size, saved, "what had been written can still be read");
  }
  using store = RunStore.open(path);
  assert.equal(store.done().size, saved);
  store.save(cell(saved));
  assert.equal(store.done().size, saved + 1);
});

Deno.test("RunStore.open() refuses what is no store of the bench, and touches nothing", async () => {
  await using temp = await TempFolder.make();
  const sound = filled(temp.of("sound.sqlite"));
  const cut = sound.slice(0, sound.length - 5000);
  const scratched = sound.slice().fill(7, 4096, 4096 * 2);
  const files: [string, Uint8Array, StoreError["trouble"]][] = [
    ["text", new TextEncoder().encode("This is no database, and never was one. ".repeat(200)), "foreign"],
    ["cut", cut, "damaged"],
    ["scratched", scratched, "damaged"],
    ["empty", new Uint8Array(), "foreign"],
  ];
  for (const [name, bytes, expected] of files) {
    const path = temp.of(`${name}.sqlite`);
    Deno.writeFileSync(path, bytes);
    for (const look of [RunStore.peek, RunStore.open]) {
      const { trouble, message } = troubleOf(() => look(path));
      assert.equal(trouble, expected, `${name}: ${message}`);
      assert.ok(message.startsWith(`${path} is `) && !message.includes("\n"), message);
    }
    assert.deepEqual(Deno.readFileSync(path), bytes, `${name} is left as it is`);
  }
  assert.equal(troubleOf(() => RunStore.open(temp.of("none.sqlite"))).trouble, "missing");
  assert.equal([...Deno.readDirSync(temp.path)].some(({ name }) => name.startsWith("none")), false);
});

Deno.test("RunStore.open() refuses another version, says which, and what to do", async () => {
  await using temp = await TempFolder.make();
  const path = temp.of("s.sqlite");
  filled(path);
  const newer = STORE_SCHEMA + 1;
  {
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA user_version = ${newer}`);
    db.close();
  }
  const before = Deno.readFileSync(path);
  const { trouble, message } = troubleOf(() => RunStore.open(path));
  assert.equal(trouble, "version");
  assert.match(
    message,
    new RegExp(`is of version ${newer}, and this bench reads version ${STORE_SCHEMA}; .* use the bench that wrote it`),
  );
  assert.deepEqual(Deno.readFileSync(path), before);
});

Deno.test("RunStore finds out that a result, or a gist, is not what was written", async () => {
  await using temp = await TempFolder.make();
  const path = temp.of("s.sqlite");
  filled(path);
  {
    const db = new DatabaseSync(path);
    db.exec("UPDATE cell SET result = (SELECT result FROM cell WHERE n = 1) WHERE n = 2");
    db.exec("UPDATE cell SET gist = (SELECT gist FROM cell WHERE n = 1) WHERE n = 0");
    db.close();
  }
  using store = RunStore.open(path);
  assert.match(store.result(1), /word 1"/);
  assert.deepEqual([store.gist(1), store.gist(2)], ["[1]", "[2]"]);
  for (const [n, look] of [[2, () => store.result(2)], [0, () => store.gist(0)]] as const) {
    assert.match(
      troubleOf(look).message,
      new RegExp(`is damaged: cell ${n} is not what was written; delete its folder`),
    );
  }
});

Deno.test("RunStore finds out that a gist, or a trace, is another cell's, or that a byte of a trace is another", async () => {
  await using temp = await TempFolder.make();
  const path = temp.of("s.sqlite");
  {
    using store = RunStore.create(path, HEAD);
    for (const n of [0, 1, 2]) store.save(cell(n, { trace: `{"n":${n}}\n` }));
  }
  {
    const db = new DatabaseSync(path);
    const swap = (names: string, n: number) =>
      db.exec(`UPDATE cell SET (${names}) = (SELECT ${names} FROM cell WHERE n = 2) WHERE n = ${n}`);
    swap("gist, gist_digest", 0);
    swap("trace, trace_digest", 0);
    const packed = db.prepare("SELECT trace FROM cell WHERE n = 1").get()?.["trace"];
    assert.ok(packed instanceof Uint8Array);
    packed[2] = (packed[2] ?? 0) ^ 8;
    db.prepare("UPDATE cell SET trace = ? WHERE n = 1").run(packed);
    db.close();
  }
  using store = RunStore.open(path);
  assert.deepEqual([store.gist(2), store.trace(2), store.gist(1)], ["[2]", '{"n":2}\n', "[1]"]);
  for (const look of [() => store.gist(0), () => store.trace(0), () => store.trace(1)]) {
    assert.match(troubleOf(look).message, /is damaged: cell [01] is not what was written; delete its folder/);
  }
});

Deno.test("RunStore is locked for everybody else while it is open", async () => {
  await using temp = await TempFolder.make();
  const path = temp.of("s.sqlite");
  using store = RunStore.create(path, HEAD);
  store.save(cell(0));
  for (const look of [RunStore.peek, RunStore.open]) {
    const { trouble, message } = troubleOf(() => look(path));
    assert.deepEqual([trouble, message], [
      "locked",
      `${path} is in use by another process; wait until that run has ended, or stop it`,
    ]);
  }
});

Deno.test("RunStore keeps what models have used, a text for each process, and gives the next one those before it", async () => {
  await using folder = await TempFolder.make();
  const path = folder.of("store.sqlite");
  {
    using store = RunStore.create(path, HEAD);
    store.spend("1");
    store.spend("2");
    assert.deepEqual([store.spentBefore(), store.state().spent], [[], ["2"]]);
  }
  using store = RunStore.open(path);
  assert.deepEqual(store.spentBefore(), ["2"]);
  store.spend("3");
  assert.deepEqual([store.spentBefore(), store.state().spent], [["2"], ["2", "3"]]);
});
