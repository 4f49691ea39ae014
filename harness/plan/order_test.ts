import assert from "node:assert/strict";
import { Random } from "../../core/mod.ts";
import { criticalPath, makespan, type Timed } from "./makespan.ts";
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

/** A plan without a circle, in an order that tells nothing. */
function anyPlan(random: Random): Timed[] {
  const size = 1 + random.int(9);
  const density = random.next();
  const tasks = Array.from({ length: size }, (_, i): Timed => ({
    id: `t${i}`,
    duration: random.int(4) === 0 ? 0 : random.int(1000) / 8,
    dependsOn: Array.from({ length: i }, (_, j) => `t${j}`).filter(() => random.next() < density),
  }));
  return random.shuffle(tasks);
}

const lengthOf = (tasks: readonly Timed[]): number => criticalPath(tasks)?.length ?? Infinity;

/** Every chain, one after the other. */
function longestChain(tasks: readonly Timed[]): number {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const endOf = (task: Timed): number =>
    task.duration + Math.max(0, ...task.dependsOn.flatMap((id) => byId.get(id) ?? []).map(endOf));
  return Math.max(0, ...tasks.map(endOf));
}

/** What may be done to a plan, with what must become of its length. Durations are eighths, so that sums are exact. */
const CHANGES: readonly (readonly [
  name: string,
  change: (tasks: readonly Timed[], random: Random) => readonly Timed[],
  wanted: (before: number, after: number) => boolean,
])[] = [
  ["other names", (tasks, random) => {
    const names = new Map(random.shuffle([...tasks]).map(({ id }, i) => [id, `${i} __proto__ ${i}`]));
    const named = (id: string) => names.get(id) ?? id;
    return tasks.map((task) => ({ ...task, id: named(task.id), dependsOn: task.dependsOn.map(named) }));
  }, (a, b) => a === b],
  [
    "another order",
    (tasks, random) => random.shuffle(tasks).map((task) => ({ ...task, dependsOn: random.shuffle(task.dependsOn) })),
    (a, b) => a === b,
  ],
  ["another unit", (tasks) => tasks.map((task) => ({ ...task, duration: task.duration * 64 })), (a, b) => b === 64 * a],
  ["the other way round", (tasks) =>
    tasks.map((task) => ({
      ...task,
      dependsOn: tasks.filter(({ dependsOn }) => dependsOn.includes(task.id)).map(({ id }) => id),
    })), (a, b) => a === b],
  ["what is implied said, and twice", (tasks) => {
    const closure = Closure.of(tasks);
    return tasks.map((task, i) => {
      const all = tasks.filter((_, j) => closure?.has(j, i)).map(({ id }) => id);
      return { ...task, dependsOn: [...all, ...all] };
    });
  }, (a, b) => a === b],
  ["each task in two", (tasks) =>
    tasks.flatMap((task) => [
      { ...task, id: `${task.id}, begun`, duration: task.duration / 2 },
      { id: task.id, duration: task.duration / 2, dependsOn: [`${task.id}, begun`] },
    ]), (a, b) => a === b],
  ["a task for nothing", (tasks) => [...tasks, { id: "end", duration: 0, dependsOn: tasks.map(({ id }) => id) }], (
    a,
    b,
  ) => a === b],
  ["a task that takes longer", (tasks, random) => {
    const place = random.int(tasks.length);
    return tasks.map((task, i) => i === place ? { ...task, duration: task.duration + 5 } : task);
  }, (a, b) => a <= b && b <= a + 5],
  ["one wait less", (tasks, random) => {
    const place = random.int(tasks.length);
    return tasks.map((task, i) => i === place ? { ...task, dependsOn: task.dependsOn.slice(1) } : task);
  }, (a, b) => b <= a],
  [
    "one after the other",
    (tasks) => tasks.map((task, i) => ({ ...task, dependsOn: i === 0 ? [] : [tasks[i - 1]?.id ?? ""] })),
    (
      a,
      b,
    ) => b >= a,
  ],
];

Deno.test("criticalPath() is the longest of all chains, and is one of them, on seeded plans", () => {
  const random = new Random("plans");
  for (let i = 0; i < 200; i++) {
    const tasks = anyPlan(random);
    const found = criticalPath(tasks);
    assert.ok(found !== undefined);
    assert.equal(found.length, longestChain(tasks), JSON.stringify(tasks));
    const byId = new Map(tasks.map((task) => [task.id, task]));
    const chain = found.path.map((id) => byId.get(id));
    assert.equal(chain.reduce((sum, task) => sum + (task?.duration ?? NaN), 0), found.length);
    for (const [j, task] of chain.entries()) {
      if (j > 0) assert.ok(task?.dependsOn.includes(found.path[j - 1] ?? ""), JSON.stringify(tasks));
    }
  }
});

for (const [name, change, wanted] of CHANGES) {
  Deno.test(`criticalPath() and ${name}`, () => {
    const random = new Random(name);
    for (let i = 0; i < 100; i++) {
      const tasks = anyPlan(random);
      const [before, after] = [lengthOf(tasks), lengthOf(change(tasks, random))];
      assert.ok(wanted(before, after), `${before}, then ${after}: ${JSON.stringify(tasks)}`);
    }
  });
}

Deno.test("criticalPath() has nothing for a plan in which one wait goes back", () => {
  const random = new Random("circles");
  for (let i = 0; i < 100; i++) {
    const tasks = anyPlan(random);
    const [late, early] = tasks.flatMap((task) => {
      const other = tasks.find(({ id }) => id === task.dependsOn[0]);
      return other === undefined ? [] : [[task, other] as const];
    })[0] ?? [];
    if (late === undefined || early === undefined) continue;
    const bent = tasks.map((task) => task === early ? { ...task, dependsOn: [...task.dependsOn, late.id] } : task);
    assert.equal(criticalPath(bent), undefined);
  }
});
