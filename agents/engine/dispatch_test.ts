import assert from "node:assert/strict";
import { append, type Choice, END, graph, type RouterContext, send, START } from "./mod.ts";
import { run } from "./testdata/run.ts";

/** A graph in which node `a` is routed by hand; every task notes its id and payload. */
const routed = (router: (ctx: RouterContext) => Choice | readonly Choice[], targets?: readonly string[]) => {
  const note = (_state: unknown, { task, payload }: { task: string; payload: unknown }) => ({
    ran: [payload === undefined ? task : `${task}=${payload}`],
  });
  return graph({ ran: append<string>() })
    .node("a", note).node("b", note).node("c", note)
    .edge(START, "a").edge("a", "c")
    .branch("a", (_state, ctx) => router(ctx), targets === undefined ? {} : { targets })
    .edge("b", END).edge("c", END)
    .compile();
};

Deno.test("branch() dispatches nodes once and every Send by itself, with structural ids", async () => {
  const { state } = await run(routed(() => ["b", send("b", 1), "b", send("b", 2, { key: "two" }), send("b", 3)]), {});
  assert.deepEqual(state.ran, ["a", "c", "b", "b#1=1", "two=2", "b#2=3"]);
});

Deno.test("branch() never gives two tasks one id", async () => {
  const { state } = await run(
    routed(() => [send("b", 1, { key: "b#1" }), send("b", 2), send("c", 3, { key: "b" }), "b"]),
    {},
  );
  assert.deepEqual(state.ran, ["a", "c", "b#1=1", "b#2=2", "b=3", "b#3"]);
});

Deno.test("branch() is asked once a superstep, not once a task", async () => {
  let asked = 0;
  const fan = graph({ ran: append<string>() })
    .node("w", (_state, { task }) => ({ ran: [task] }))
    .branch(START, () => [send("w", 1), send("w", 2)])
    .branch("w", ({ ran }, { superstep, node }) => {
      asked++;
      assert.deepEqual([node, superstep, ran.length], ["w", 1, 2]);
      return END;
    })
    .compile();
  await run(fan, {});
  assert.equal(asked, 1);
});

Deno.test("branch() that cannot say where to go is a failure, and costs no other way on", async () => {
  const cases: [RegExp, () => unknown][] = [
    [/it chose "nowhere"; allowed: END, "a", "b", "c"$/, () => ["b", "nowhere"]],
    [/it chose "__proto__"/, () => send("__proto__", 1)],
    [/it chose undefined/, () => undefined],
    [/it chose a promise, and routers are synchronous/, () => Promise.resolve("b")],
    [/two tasks of one superstep have the key "k"/, () => [send("b", 1, { key: "k" }), send("b", 2, { key: "k" })]],
    [/Error: lost/, () => {
      throw new Error("lost");
    }],
  ];
  for (const [detail, router] of cases) {
    const { status, state, failures } = await run(routed(router as () => Choice), {});
    assert.deepEqual([status, state.ran], ["done", ["a", "c"]]);
    assert.deepEqual(failures.map(({ detail: _, ...rest }) => rest), [
      { node: "a", task: "a:branch", superstep: 1, code: "internal" },
    ]);
    assert.match(failures[0]?.detail ?? "", detail);
  }
});

Deno.test("branch() is held to the targets that it declares", async () => {
  const { failures } = await run(routed(() => "c", ["b"]), {});
  assert.match(failures[0]?.detail ?? "", /it chose "c"; allowed: "b"$/);
});
