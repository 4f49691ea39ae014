import { Random } from "../../core/mod.ts";
import { persistence, type Schedule, scheduleSchema, strikes } from "./schedule.ts";
import assert from "node:assert/strict";

/** Which of the first ten occasions it strikes; occasion n is at n × 100 ms. */
function struck(schedule: Schedule | undefined): number[] {
  const ordinals = Array.from({ length: 10 }, (_, i) => i + 1);
  return ordinals.filter((ordinal) =>
    strikes(schedule, { ordinal, now: ordinal * 100, draw: () => new Random(`${ordinal}`).next() })
  );
}

Deno.test("strikes() follows each condition, and all that are given together", () => {
  assert.deepEqual(struck(undefined), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.deepEqual(struck({ calls: [2, 5] }), [2, 5]);
  assert.deepEqual(struck({ first: 3 }), [1, 2, 3]);
  assert.deepEqual(struck({ every: 4 }), [4, 8]);
  assert.deepEqual(struck({ burst: { every: 5, length: 2 } }), [1, 2, 6, 7]);
  assert.deepEqual(struck({ burst: { every: 5, length: 2 }, from: 300 }), [6, 7]);
  assert.deepEqual(struck({ from: 300, until: 600 }), [3, 4, 5]);
  assert.deepEqual(struck({ every: 2, from: 500 }), [6, 8, 10]);
  assert.deepEqual(struck({ probability: 1 }), struck(undefined));
});

Deno.test("strikes() meets its probability in the long run", () => {
  let hits = 0;
  for (let ordinal = 1; ordinal <= 10_000; ordinal++) {
    if (strikes({ probability: 0.3 }, { ordinal, now: 0, draw: () => new Random(`7/when/${ordinal}`).next() })) hits++;
  }
  assert.ok(hits > 2850 && hits < 3150, `${hits} of 10000`);
});

Deno.test("persistence() is permanent only if the fault, once there, stays", () => {
  for (const schedule of [undefined, {}, { from: 500 }, { every: 1 }, { probability: 1 }]) {
    assert.equal(persistence(schedule), "permanent");
  }
  for (
    const schedule of [{ calls: [1] }, { first: 2 }, { every: 2 }, { probability: 0.5 }, {
      until: 10,
    }] satisfies Schedule[]
  ) {
    assert.equal(persistence(schedule), "transient");
  }
});

Deno.test("scheduleSchema reads times with units", () => {
  assert.deepEqual(scheduleSchema.parse({ from: "1s", until: 2500 }), { from: 1000, until: 2500 });
});

Deno.test("scheduleSchema refuses what could have no effect", () => {
  for (
    const schedule of [
      { calls: [] },
      { calls: [0] },
      { first: 0 },
      { every: 1.5 },
      { probability: 0 },
      {
        probability: 1.1,
      },
      { seed: 1 },
      { until: 0 },
      { from: 5, until: 5 },
      { frist: 1 },
      { burst: { every: 3, length: 3 } },
      { burst: { every: 3 } },
    ]
  ) {
    assert.equal(scheduleSchema.safeParse(schedule).success, false, JSON.stringify(schedule));
  }
});
