import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { RealClock, VirtualClock } from "../../core/mod.ts";
import { append, END, graph, lastValue, send, START } from "./mod.ts";
import { SqliteCheckpointer } from "./sqlite.ts";
import { run } from "./testdata/run.ts";

async function withFile(work: (file: string) => void | Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await work(`${dir}/runs.sqlite`);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

const one = (update: unknown, payload: unknown = 1) =>
  graph({ plain: append<string>(), value: lastValue<unknown>(undefined) })
    .node("first", () => ({ value: update, plain: ["first"] }))
    .node("second", (_state, ctx) => ({ plain: [`second got ${JSON.stringify(ctx.payload)}`] }))
    .edge(START, "first")
    .branch("first", () => [send("second", payload), send("second", undefined)])
    .edge("second", END);

Deno.test("SqliteCheckpointer keeps state, payloads and failures exactly", async () => {
  await withFile(async (file) => {
    const odd = { ["__proto__"]: ["x"], text: '"\u0000\ud800…', deep: [[], {}, null, -1.5e-7] };
    const whole = await run(one(odd, odd).compile(), {});
    {
      using checkpointer = new SqliteCheckpointer(file);
      const short = one(odd, odd).compile({ stepCap: 1 });
      assert.equal((await run(short, {}, { checkpointer, runId: "r\u0000'; --" })).status, "step_cap");
    }
    using checkpointer = new SqliteCheckpointer(file);
    const resumed = await one(odd, odd).compile().resume("r\u0000'; --", { clock: new VirtualClock(), checkpointer });
    assert.deepEqual(resumed, whole);
  });
});

Deno.test("SqliteCheckpointer keeps a channel whose value is undefined", async () => {
  using checkpointer = new SqliteCheckpointer(":memory:");
  const options = { checkpointer, runId: "r" };
  const whole = await run(one(undefined).compile(), {}, options);
  assert.ok(Object.hasOwn(whole.state, "value"));
  assert.deepEqual(await one(undefined).compile().resume("r", { clock: new RealClock(), checkpointer }), whole);
});

Deno.test("SqliteCheckpointer refuses what JSON would change, naming the channel or the task", async () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  const cases: [unknown, RegExp][] = [
    [new Map(), /channel "value" cannot be kept: an object that is not plain would not survive JSON/],
    [{ at: [{ day: new Date(0) }] }, /channel "value" cannot be kept: an object that is not plain at \.at\[0\]\.day/],
    [10n, /channel "value" cannot be kept: bigint/],
    [() => {}, /channel "value" cannot be kept: function/],
    [[NaN], /channel "value" cannot be kept: NaN at \[0\]/],
    [[-0], /channel "value" cannot be kept: -0 at \[0\]/],
    [{ "a b": undefined }, /channel "value" cannot be kept: undefined at \["a b"\]/],
    [cyclic, /channel "value" cannot be kept: a cycle at \.self/],
  ];
  for (const [value, message] of cases) {
    using checkpointer = new SqliteCheckpointer(":memory:");
    const kept = run(one(value).compile(), {}, { checkpointer, runId: "r" });
    await assert.rejects(kept, { name: "CheckpointError", message });
  }
  using checkpointer = new SqliteCheckpointer(":memory:");
  const kept = run(one(1, new Set()).compile(), {}, { checkpointer, runId: "r" });
  await assert.rejects(kept, /the payload of task "second#1" cannot be kept/);
});

Deno.test("SqliteCheckpointer leaves a file that is not its own as it is", async () => {
  const files: [string, RegExp, (file: string) => void][] = [
    ["text", /not a database/, (file) => Deno.writeTextFileSync(file, "these are notes of mine. ".repeat(100))],
    ["another database", /a database of something else/, (file) => {
      using db = new DatabaseSync(file);
      db.exec("CREATE TABLE mine (x)");
    }],
    ["an empty database with a mark", /a database of something else/, (file) => {
      using db = new DatabaseSync(file);
      db.exec("PRAGMA application_id = 7");
    }],
    ["a later version", /its schema is version 99, and this is version 1/, (file) => {
      new SqliteCheckpointer(file)[Symbol.dispose]();
      using db = new DatabaseSync(file);
      db.exec("PRAGMA user_version = 99; PRAGMA journal_mode = DELETE");
    }],
    ["a cut file", /malformed|damaged|not a database/, (file) => {
      new SqliteCheckpointer(file)[Symbol.dispose]();
      Deno.truncateSync(file, 5000);
    }],
  ];
  for (const [name, message, make] of files) {
    await withFile((file) => {
      make(file);
      const before = Deno.readFileSync(file);
      assert.throws(() => new SqliteCheckpointer(file), { name: "CheckpointError", message }, name);
      assert.deepEqual(Deno.readFileSync(file), before, name);
    });
  }
});

Deno.test("SqliteCheckpointer says so when what it kept of a run is damaged", async () => {
  for (const damage of ["state = '[[1]]'", "tasks = 'x'", "failures = '[{}]'", "state = '{}'"]) {
    await withFile(async (file) => {
      using checkpointer = new SqliteCheckpointer(file);
      await run(one(1).compile(), {}, { checkpointer, runId: "r" });
      using db = new DatabaseSync(file);
      db.exec(`UPDATE run SET ${damage}`);
      assert.throws(() => checkpointer.load("r"), { name: "CheckpointError", message: /it is damaged/ });
    });
  }
});

Deno.test("SqliteCheckpointer keeps several runs apart", async () => {
  using checkpointer = new SqliteCheckpointer(":memory:");
  await run(one("a").compile(), {}, { checkpointer, runId: "a" });
  await run(one("b").compile(), {}, { checkpointer, runId: "b" });
  assert.equal(checkpointer.load("a")?.checkpoint.state["value"], "a");
  assert.equal(checkpointer.load("b")?.checkpoint.state["value"], "b");
  assert.equal(checkpointer.load("c"), undefined);
  assert.deepEqual(checkpointer.load("a")?.finished, []); // they are part of the checkpoint now
});
