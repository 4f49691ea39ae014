import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { type Deadline, deadline, sleep } from "./clock.ts";
import { RunawayError, StalledError, StrayError } from "./cell_error.ts";
import { Random } from "./random.ts";
import { VirtualClock } from "./virtual_clock.ts";

const YEAR = 365 * 24 * 3_600_000;

/** Runs a program that writes to a log, and gives the log. */
async function logOf(
  program: (clock: VirtualClock, log: (entry: unknown) => void) => unknown,
  clock: VirtualClock = new VirtualClock(),
): Promise<unknown[]> {
  const log: unknown[] = [];
  await clock.run(async () => {
    await program(clock, (entry) => log.push(entry));
  });
  return log;
}

Deno.test("VirtualClock fires timers in order of time, then of asking", async () => {
  const log = await logOf(async (clock, log) => {
    for (const [name, ms] of [["c", 30], ["a", 10], ["b1", 20], ["b2", 20], ["b3", 20]] as const) {
      clock.after(ms, () => log(`${name}@${clock.now()}`));
    }
    await sleep(clock, 30);
    log("end");
  });
  assert.deepEqual(log, ["a@10", "b1@20", "b2@20", "b3@20", "c@30", "end"]);
});

Deno.test("VirtualClock keeps the order of 2,000 random timers, a third of them cancelled", async () => {
  const random = new Random("heap");
  const expected: { ms: number; i: number }[] = [];
  const log = await logOf(async (clock, log) => {
    const timers = Array.from({ length: 2_000 }, (_, i) => {
      const ms = random.int(300);
      expected.push({ ms, i });
      return clock.after(ms, () => log(i));
    });
    for (const dead of random.shuffle([...timers.keys()]).slice(0, 666)) {
      timers[dead]?.cancel();
      expected.splice(expected.findIndex(({ i }) => i === dead), 1);
    }
    assert.equal(clock.pending, 2_000 - 666);
    await sleep(clock, 300);
    assert.equal(clock.pending, 0);
  });
  assert.deepEqual(log, expected.sort((a, b) => a.ms - b.ms || a.i - b.i).map(({ i }) => i));
});

/** Ways to keep the microtask queue busy; each calls `done` at its end. */
const CHAINS: Record<string, (done: () => void) => unknown> = {
  "10,000 awaits": async (done) => {
    for (let i = 0; i < 10_000; i++) await null;
    done();
  },
  "a promise chain of 10,000": (done) => {
    let chain = Promise.resolve();
    for (let i = 0; i < 10_000; i++) chain = chain.then(() => {});
    chain.then(done);
  },
  "an async generator": async (done) => {
    async function* numbers() {
      for (let i = 0; i < 2_000; i++) yield await Promise.resolve(i);
    }
    let sum = 0;
    for await (const n of numbers()) sum += n;
    assert.equal(sum, 1_999_000);
    done();
  },
  "a chain of queueMicrotask": (done) => {
    const next = (left: number): void => queueMicrotask(() => left === 0 ? done() : next(left - 1));
    next(10_000);
  },
  "nested Promise.all": async (done) => {
    const tree = async (depth: number): Promise<unknown> =>
      depth === 0 ? await null : await Promise.all([tree(depth - 1), tree(depth - 1)]);
    await tree(10);
    done();
  },
  "a rejected chain": (done) => {
    let chain: Promise<void> = Promise.reject(new Error("caught below"));
    for (let i = 0; i < 1_000; i++) chain = chain.then(() => {});
    chain.catch(done);
  },
};

for (const [name, chain] of Object.entries(CHAINS)) {
  Deno.test(`VirtualClock drains ${name} before the next timer`, async () => {
    const log = await logOf(async (clock, log) => {
      clock.after(5, () => chain(() => log(`chain ended at ${clock.now()}`)));
      clock.after(5, () => log("second"));
      clock.after(6, () => log("third"));
      await sleep(clock, 6);
    });
    assert.deepEqual(log, ["chain ended at 5", "second", "third"]);
  });
}

Deno.test("VirtualClock wakes after(0) after the current turn and at the same time", async () => {
  const log = await logOf(async (clock, log) => {
    clock.after(10, () => {
      clock.after(0, () => log(`zero@${clock.now()}`));
      queueMicrotask(() => log("microtask"));
      log("wake");
    });
    clock.after(10, () => log("tied, asked earlier"));
    await sleep(clock, 11);
  });
  assert.deepEqual(log, ["wake", "microtask", "tied, asked earlier", "zero@10"]);
});

Deno.test("VirtualClock lets a timer be asked for inside another's wake", async () => {
  const log = await logOf(async (clock, log) => {
    await new Promise<void>((resolve) => {
      const again = (left: number): void => {
        log(clock.now());
        if (left === 0) resolve();
        else clock.after(left, () => again(left - 1));
      };
      again(4);
    });
  });
  assert.deepEqual(log, [0, 4, 7, 9, 10]);
});

Deno.test("VirtualClock never wakes a cancelled timer, not even from inside another wake at the same time", async () => {
  const clock = new VirtualClock();
  const log = await logOf(async (clock, log) => {
    const late = clock.after(9, () => log("never"));
    clock.after(5, () => {
      tied.cancel();
      late.cancel();
      late.cancel();
      assert.equal(clock.pending, 1);
      log("first");
    });
    const tied = clock.after(5, () => log("never"));
    const woken = clock.after(1, () => {});
    assert.equal(clock.pending, 4);
    await sleep(clock, 7);
    woken.cancel();
    assert.equal(clock.pending, 0);
  }, clock);
  assert.deepEqual(log, ["first"]);
  assert.equal(clock.now(), 7, "time does not go on to a cancelled timer");
});

Deno.test("VirtualClock refuses a delay that is negative, infinite or not a number", () => {
  const clock = new VirtualClock();
  for (const ms of [-1, Infinity, NaN]) assert.throws(() => clock.after(ms, () => {}), RangeError);
});

Deno.test("VirtualClock accepts timers before the run, and ignores them after it", async () => {
  const clock = new VirtualClock();
  const log: string[] = [];
  clock.after(1, () => log.push("before"));
  assert.equal(await clock.run(() => sleep(clock, 2).then(() => "value")), "value");
  clock.after(1, () => log.push("after")).cancel();
  assert.deepEqual([log, clock.now(), clock.pending], [["before"], 2, 0]);
});

Deno.test("VirtualClock.run can be called once", async () => {
  const clock = new VirtualClock();
  await clock.run(() => {});
  await assert.rejects(clock.run(() => {}), /runs one cell, once/);
});

Deno.test("VirtualClock.run rejects with what main throws, at once or later", async () => {
  const error = new TypeError("mine");
  await assert.rejects(
    new VirtualClock().run(() => {
      throw error;
    }),
    error,
  );
  const clock = new VirtualClock();
  await assert.rejects(clock.run(() => sleep(clock, 1).then(() => Promise.reject(error))), error);
});

Deno.test("VirtualClock.run rejects with what a wake throws, and wakes nobody after that", async () => {
  const clock = new VirtualClock();
  const error = new TypeError("in a wake");
  let woken = false;
  const run = clock.run(() => {
    clock.after(1, () => {
      throw error;
    });
    clock.after(2, () => woken = true);
    return sleep(clock, 3);
  });
  await assert.rejects(run, error);
  assert.deepEqual([clock.now(), woken], [1, false]);
});

Deno.test("VirtualClock.run rejects with StalledError, at its virtual time, when nothing is left to run", async () => {
  const clock = new VirtualClock();
  const run = clock.run(async () => {
    await sleep(clock, 1234);
    await new Promise(() => {});
  });
  await assert.rejects(run, (error) => error instanceof StalledError && error.at === 1234);
});

Deno.test("VirtualClock.run rejects with StalledError when the last timer was cancelled", async () => {
  const clock = new VirtualClock();
  const run = clock.run(() => new Promise<void>((resolve) => clock.after(5, resolve).cancel()));
  await assert.rejects(run, { name: "StalledError", at: 0 });
});

Deno.test("VirtualClock.run gives up on a loop that waits for ever", async () => {
  const clock = new VirtualClock({ maxWakes: 100 });
  const run = clock.run(async () => {
    for (;;) await sleep(clock, 1);
  });
  await assert.rejects(run, (error) => error instanceof RunawayError && error.wakes === 100);
  assert.equal(clock.now(), 100);
});

Deno.test("VirtualClock.run allows exactly maxWakes timers", async () => {
  const clock = new VirtualClock({ maxWakes: 3 });
  await clock.run(async () => {
    for (let i = 0; i < 3; i++) await sleep(clock, 1);
  });
});

Deno.test("VirtualClock.abort ends the run from outside with that error", async () => {
  const clock = new VirtualClock();
  const run = clock.run(async () => {
    for (;;) await sleep(clock, 1);
  });
  const error = new Error("interrupted");
  setImmediate(() => clock.abort(error));
  await assert.rejects(run, error);
  clock.abort(new Error("too late"));
});

Deno.test("VirtualClock reports whoever asks it between two turns", async () => {
  for (
    const [what, ask] of [
      ["clock.now", (clock) => clock.now()],
      ["clock.after", (clock) => clock.after(1, () => {})],
    ] satisfies [string, (clock: VirtualClock) => unknown][]
  ) {
    const clock = new VirtualClock();
    const run = clock.run(() => new Promise(() => {}));
    setImmediate(() => assert.throws(() => ask(clock), StrayError));
    await assert.rejects(run, (error) => {
      assert(error instanceof StrayError);
      assert.equal(error.what, what);
      assert.match(error.where, /^core\/virtual_clock_test\.ts:\d+:\d+$/);
      assert.match(error.message, /something real .* resumed it before this line$/);
      return true;
    });
  }
});

Deno.test("VirtualClock reports a timer that is cancelled between two turns", async () => {
  const clock = new VirtualClock();
  const run = clock.run(() => {
    const timer = clock.after(1, () => {});
    setImmediate(() => timer.cancel());
    return new Promise(() => {});
  });
  await assert.rejects(run, { name: "StrayError" });
});

Deno.test("VirtualClock reports a cell that ends between two turns", async () => {
  const clock = new VirtualClock();
  const run = clock.run(() => new Promise<void>((resolve) => setImmediate(resolve)));
  await assert.rejects(run, { name: "StrayError", what: "a wait on something real", where: "an unknown place" });
});

Deno.test("VirtualClock passes a virtual year at once, hour by hour", async () => {
  const clock = new VirtualClock();
  await clock.run(async () => {
    while (clock.now() < YEAR) await sleep(clock, 3_600_000);
  });
  assert.equal(clock.now(), YEAR);
});

/** A program with crowds of ties, nested timers, cancelling, deadlines and long microtask chains. */
async function crowd(clock: VirtualClock, log: (entry: unknown) => void, name: number): Promise<void> {
  const random = new Random(`crowd ${name}`);
  const worker = async (id: number) => {
    for (let step = 0; step < 5; step++) {
      const ms = random.int(4);
      using limit: Deadline = deadline(clock, random.int(4));
      const end = await sleep(clock, ms, limit.signal).then(() => "slept", (error) => error.name);
      for (let i = random.int(20); i > 0; i--) await null;
      log(`${id}.${step} ${end}@${clock.now()}`);
    }
  };
  await Promise.all(Array.from({ length: 6 }, (_, id) => worker(id)));
}

Deno.test("VirtualClock gives 100 interleaved cells exactly the trace that each gets alone", async () => {
  const alone: unknown[][] = [];
  for (let i = 0; i < 100; i++) alone.push(await logOf((clock, log) => crowd(clock, log, i)));
  const together = await Promise.all(alone.map((_, i) => logOf((clock, log) => crowd(clock, log, i))));
  assert.deepEqual(together, alone);
  assert(new Set(alone.map((log) => log.join())).size > 90, "the programs differ");
});

Deno.test("VirtualClock gives the same trace among real timers and real input", async () => {
  const alone = await logOf((clock, log) => crowd(clock, log, 7));
  let busy = true;
  let spins = 0;
  const noise = async (wait: () => Promise<unknown>) => {
    for (; busy; spins++) await wait();
  };
  const noises = [
    noise(() => new Promise((resolve) => setTimeout(resolve, 0))),
    noise(() => new Promise((resolve) => setImmediate(resolve))),
    noise(() => Deno.readTextFile("deno.json")),
    noise(() => crypto.subtle.digest("SHA-256", new Uint8Array(1_000))),
  ];
  for (let i = 0; i < 20; i++) assert.deepEqual(await logOf((clock, log) => crowd(clock, log, 7)), alone);
  busy = false;
  await Promise.all(noises);
  assert(spins > 0);
});

function ties(seed?: string): Promise<unknown[]> {
  const clock = new VirtualClock(seed === undefined ? {} : { seed });
  return logOf(async (clock, log) => {
    for (const name of ["a", "b", "c"]) clock.after(10, () => log(name));
    clock.after(5, () => log("earlier"));
    await sleep(clock, 20);
  }, clock);
}

Deno.test("VirtualClock shuffles ties by its seed: repeatably, in every order, and nothing but ties", async () => {
  const orders = new Map<string, number>();
  for (let i = 0; i < 1_000; i++) {
    const [first, second] = [await ties(`${i}`), await ties(`${i}`)];
    assert.deepEqual(first, second);
    assert.equal(first[0], "earlier");
    const order = first.slice(1).join("");
    orders.set(order, (orders.get(order) ?? 0) + 1);
  }
  assert.deepEqual([...orders.keys()].sort(), ["abc", "acb", "bac", "bca", "cab", "cba"]);
  // 1,000 seeds over 6 orders: 167 each, give or take three standard deviations (35).
  for (const [order, count] of orders) assert(count > 120 && count < 215, `${order}: ${count}`);
});

Deno.test("VirtualClock without a seed keeps the order of asking", async () => {
  assert.deepEqual(await ties(), ["earlier", "a", "b", "c"]);
});

Deno.test("VirtualClock wakes each in the context of the one who asked, whoever else asked before or after", async () => {
  const context = new AsyncLocalStorage<string>();
  const clock = new VirtualClock();
  const seen: string[] = [];
  await clock.run(async () => {
    for (const [name, ms] of [["a", 2], ["b", 1], ["c", 2]] as const) {
      context.run(name, () => clock.after(ms, () => seen.push(`${name} in ${context.getStore()} at ${clock.now()}`)));
    }
    await sleep(clock, 3);
    assert.equal(context.getStore(), undefined);
  });
  assert.deepEqual(seen, ["b in b at 1", "a in a at 2", "c in c at 2"]);
});
