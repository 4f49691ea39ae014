import assert from "node:assert/strict";
import { sleep } from "../../core/mod.ts";
import type { Lane } from "../lanes/lane.ts";
import { simLane } from "../lanes/sim.ts";
import { cellSpec } from "../testing/cells.ts";
import { NOTHING, subject } from "../testing/subjects.ts";
import { runCells } from "./run.ts";

const brief = subject("brief", () => Promise.resolve(NOTHING));
const specs = (count: number) =>
  Array.from({ length: count }, (_, i) => cellSpec("healthy-desk", { subject: brief, seed: `${i}` }));

/** The `sim` lane, which counts. */
function counting(): { lane: () => Lane; seen: { lanes: number; closed: number; open: number; most: number } } {
  const seen = { lanes: 0, closed: 0, open: 0, most: 0 };
  const lane = (): Lane => {
    const inner = simLane();
    seen.lanes++;
    return {
      name: inner.name,
      async open(spec) {
        assert.equal(seen.closed, 0, "a closed lane opens no world");
        const world = await inner.open(spec);
        return {
          ...world,
          async run(main) {
            seen.most = Math.max(seen.most, ++seen.open);
            try {
              return await world.run(main);
            } finally {
              seen.open--;
            }
          },
        };
      },
      async [Symbol.asyncDispose]() {
        assert.equal(seen.open, 0, "no lane is closed under a cell that runs");
        seen.closed++;
        await inner[Symbol.asyncDispose]();
      },
    };
  };
  return { lane, seen };
}

Deno.test("runCells() gives the results in the order of the cells, whatever ends first", async () => {
  const slowness = [5, 1, 4, 2, 3].map((turns, i) =>
    cellSpec("healthy-desk", {
      seed: `${i}`,
      subject: subject("odd", async ({ clock }) => {
        for (let turn = 0; turn < turns * 20; turn++) await sleep(clock, 1);
        return NOTHING;
      }),
    })
  );
  const ended: number[] = [];
  const results = await runCells(slowness, {
    jobs: 5,
    openLane: () => simLane(),
    onResult: (_, index) => ended.push(index),
  });
  assert.deepEqual(results.map(({ trace }) => trace.cell.seed), ["0", "1", "2", "3", "4"]);
  assert.notDeepEqual(ended, [0, 1, 2, 3, 4]);
});

Deno.test("runCells() runs as many cells at once as it may, in one lane, and closes it at the end", async () => {
  for (const jobs of [1, 3]) {
    const { lane, seen } = counting();
    assert.equal((await runCells(specs(7), { jobs, openLane: lane })).length, 7);
    assert.deepEqual(seen, { lanes: 1, closed: 1, open: 0, most: jobs });
  }
});

Deno.test("runCells() opens no lane for no cells", async () => {
  const { lane, seen } = counting();
  assert.deepEqual(await runCells([], { jobs: 4, openLane: lane }), []);
  assert.equal(seen.lanes, 0);
});

Deno.test("runCells() begins no cell once its signal aborts, and leaves out those that it cut off", async () => {
  const off = new AbortController();
  const { lane, seen } = counting();
  const results = await runCells(specs(20), {
    jobs: 2,
    openLane: lane,
    signal: off.signal,
    onResult: (_, index) => {
      if (index >= 5) off.abort(new Error("enough"));
    },
  });
  assert.ok(results.length >= 5 && results.length < 8, `${results.length}`);
  assert.equal(seen.closed, 1);
});

Deno.test("runCells() waits for every cell before it passes on what an observer threw", async () => {
  const { lane, seen } = counting();
  const thrown = runCells(specs(20), {
    jobs: 4,
    openLane: lane,
    onResult: () => {
      throw new Error("the screen is gone");
    },
  });
  await assert.rejects(thrown, { message: "the screen is gone" });
  assert.deepEqual([seen.open, seen.closed], [0, 1]);
});

Deno.test("runCells() refuses a number of jobs with which it would run nothing", async () => {
  for (const jobs of [0, -1, 1.5, NaN, Infinity]) {
    await assert.rejects(runCells(specs(1), { jobs, openLane: () => simLane() }), RangeError);
  }
});
