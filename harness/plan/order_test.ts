import assert from "node:assert/strict";
import { criticalPath, makespan } from "./makespan.ts";
import { matchNodes } from "./match.ts";
import { Closure, topological } from "./order.ts";
import { gold, node } from "./testing.ts";

const chain = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ id: `${i}`, duration: 1, dependsOn: i === 0 ? [] : [`${i - 1}`] }));

Deno.test("topological() puts what is waited for first, and has nothing for a circle", () => {
  const nodes = [{ id: "c", dependsOn: ["b"] }, { id: "b", dependsOn: ["a"] }, { id: "a", dependsOn: [] }];
  assert.deepEqual(topological(nodes)?.order, [2, 1, 0]);
  assert.equal(topological([{ id: "a", dependsOn: ["a"] }]), undefined);
  assert.equal(topological([{ id: "a", dependsOn: ["b"] }, { id: "b", dependsOn: ["a"] }]), undefined);
  assert.deepEqual(topological([])?.order, []);
});

Deno.test("topological() takes a dependency on nothing for none, and __proto__ for a name", () => {
  assert.deepEqual(topological([{ id: "a", dependsOn: ["__proto__"] }])?.order, [0]);
  const nodes = [{ id: "a", dependsOn: ["__proto__"] }, { id: "__proto__", dependsOn: [] }];
  assert.deepEqual(topological(nodes)?.order, [1, 0]);
});

Deno.test("Closure knows what waits for what through others", () => {
  const closure = Closure.of(chain(100));
  assert.equal(closure?.size, 100 * 99 / 2);
  assert.equal(closure?.has(0, 99), true);
  assert.equal(closure?.has(99, 0), false);
  assert.equal(Closure.of([])?.size, 0);
});

Deno.test("criticalPath() is the longest chain, whatever the order of the list", () => {
  const tasks = [
    { id: "end", duration: 1, dependsOn: ["long", "short"] },
    { id: "short", duration: 2, dependsOn: [] },
    { id: "long", duration: 5, dependsOn: [] },
  ];
  assert.deepEqual(criticalPath(tasks), { length: 6, path: ["long", "end"] });
  assert.deepEqual(criticalPath([]), { length: 0, path: [] });
  assert.deepEqual(criticalPath([{ id: "a", duration: 0, dependsOn: [] }]), { length: 0, path: ["a"] });
});

Deno.test("criticalPath() goes through 10,000 tasks in a row, and 10,000 at once", () => {
  assert.equal(criticalPath(chain(10_000))?.length, 10_000);
  assert.equal(criticalPath(chain(10_000).map((task) => ({ ...task, dependsOn: [] })))?.length, 1);
});

Deno.test("makespan() of a serialised plan is the sum, and of an incomplete one no merit", () => {
  const wanted = gold([{ ...node("a"), durationMs: 300 }, { ...node("b"), durationMs: 500 }]);
  const of = (...nodes: Parameters<typeof node>[]) => {
    const plan = nodes.map((args) => node(...args));
    return makespan(plan, wanted, matchNodes(plan, wanted.nodes));
  };
  assert.deepEqual(of(["a"], ["b"]), { plan: 500, optimum: 500, stretch: 1 });
  assert.deepEqual(of(["a"], ["b", { dependsOn: ["a"] }]), { plan: 800, optimum: 500, stretch: 1.6 });
  assert.deepEqual(of(["a"]), { plan: 300, optimum: 500, stretch: null });
  assert.deepEqual(of(["a", { dependsOn: ["a"] }], ["b"]), { plan: null, optimum: 500, stretch: null });
  // A stranger takes as long as the longest of its specialist.
  assert.deepEqual(of(["a"], ["b"], ["more", { objective: "Sing.", dependsOn: ["b"] }])?.plan, 1000);
  assert.equal(
    makespan([node("a")], gold([node("a")]), matchNodes([], [])),
    undefined,
    "without durations, no makespan",
  );
});
