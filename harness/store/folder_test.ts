import assert from "node:assert/strict";
import { StoreError } from "./error.ts";
import { RunsFolder } from "./folder.ts";
import { cell, PLAN, RUN, TempFolder } from "./testing.ts";

const NOON = Date.UTC(2026, 0, 2, 12);

Deno.test("RunsFolder keeps a folder a run, and lists them newest first", async () => {
  await using temp = await TempFolder.make();
  const folder = new RunsFolder(temp.of("kept"));
  assert.deepEqual(folder.list(), []);
  const ids: string[] = [];
  for (const hours of [0, 1]) {
    const { id, store } = folder.begin(RUN, NOON + hours * 3_600_000);
    store.save(cell(0));
    store[Symbol.dispose]();
    ids.unshift(id);
  }
  assert.match(ids[0] ?? "", /^20260102-130000-[a-z0-9]{4}$/);
  const listed = folder.list().map((run) => "state" in run ? [run.id, run.state.done, run.state.plan] : run.error);
  assert.deepEqual(listed, ids.map((id) => [id, 1, PLAN]));
});

Deno.test("RunsFolder.begin() gives runs of the same second folders of their own", async () => {
  await using temp = await TempFolder.make();
  const folder = new RunsFolder(temp.path);
  const ids = Array.from({ length: 4 }, () => {
    const { id, store } = folder.begin(RUN, NOON);
    store[Symbol.dispose]();
    return id;
  });
  assert.equal(new Set(ids).size, 4);
});

Deno.test("RunsFolder.prune() deletes the oldest, but not what is in use or cannot be read", async () => {
  await using temp = await TempFolder.make();
  const folder = new RunsFolder(temp.path, 2);
  const begin = (minutes: number) => folder.begin(RUN, NOON + minutes * 60_000);
  const inUse = begin(0);
  using _open = inUse.store;
  const [damaged, old] = [begin(1), begin(2)];
  for (const { store } of [damaged, old]) store[Symbol.dispose]();
  Deno.writeTextFileSync(`${folder.of(damaged.id)}/store.sqlite`, "no database ".repeat(100));
  for (let i = 0; i < 2; i++) begin(10 + i).store[Symbol.dispose]();
  folder.prune();
  const left = folder.list().map(({ id }) => id);
  assert.equal(left.length, 2 + 2);
  assert.deepEqual(left.slice(-2), [damaged.id, inUse.id]);
  assert.ok(!left.includes(old.id));
});

Deno.test("RunsFolder.begin() on a full disk says so and leaves nothing new, and nothing older is lost", async () => {
  await using temp = await TempFolder.make();
  const folder = new RunsFolder(temp.path);
  const { id, store } = folder.begin(RUN, NOON);
  store.save(cell(0));
  store[Symbol.dispose]();
  assert.throws(
    () => folder.begin(RUN, NOON + 1000, { maxPages: 1 }),
    (error) => error instanceof StoreError && error.trouble === "full",
  );
  assert.deepEqual(folder.list().map((run) => "state" in run ? [run.id, run.state.done] : run.error), [[id, 1]]);
});

Deno.test(
  "RunsFolder.begin() where nothing may be written says so in one line",
  { permissions: { read: true, write: false } },
  () => {
    const folder = new RunsFolder("/tmp/brownout-never-there");
    assert.throws(() => folder.begin(RUN, NOON), {
      name: "UsageError",
      message: "/tmp/brownout-never-there may not be written; give its folder the right to be written",
    });
  },
);
