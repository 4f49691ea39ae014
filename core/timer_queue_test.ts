import assert from "node:assert/strict";
import { Random } from "./random.ts";
import { type Entry, TimerQueue } from "./timer_queue.ts";

Deno.test("TimerQueue gives entries by time, tie and order, whatever is put in, taken out or called off between", () => {
  const random = new Random("queue");
  const queue = new TimerQueue();
  const model: Entry[] = [];
  const first = () => model.toSorted((a, b) => a.at - b.at || a.tie - b.tie || a.order - b.order)[0];
  for (let order = 0; order < 3_000; order++) {
    const entry: Entry = { at: random.int(50), tie: random.int(3), order, wake: () => {} };
    queue.push(entry);
    model.push(entry);
    if (random.int(3) === 0) {
      const called = model.splice(random.int(model.length), 1)[0];
      if (called !== undefined) called.wake = undefined;
    }
    if (random.int(3) === 0) {
      assert.equal(queue.peek(), first());
      const popped = queue.pop();
      assert.equal(popped, first());
      if (popped !== undefined) model.splice(model.indexOf(popped), 1);
    }
  }
  while (model.length > 0) model.splice(model.indexOf(queue.pop() ?? assert.fail("empty too early")), 1);
  assert.equal(queue.pop(), undefined);
});
