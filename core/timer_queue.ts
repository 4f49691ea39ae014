/** A timer that waits in a {@linkcode TimerQueue}. */
export interface Entry {
  /** When it is due, in milliseconds of the clock's time. */
  readonly at: number;
  /** Decides among timers that are due at the same instant, before the order of asking does. */
  readonly tie: number;
  /** The order of asking. */
  readonly order: number;
  /** What to do; `undefined` once woken or cancelled. */
  wake: (() => void) | undefined;
}

/** Timers by time, then tie, then order of asking: a binary heap. Cancelled entries are passed over. */
export class TimerQueue {
  readonly #heap: Entry[] = [];

  /** The entry that is due next, left where it is. */
  peek(): Entry | undefined {
    for (;;) {
      const top = this.#heap[0];
      if (top === undefined || top.wake !== undefined) return top;
      this.#removeTop();
    }
  }

  /** Takes out the entry that is due next. */
  pop(): Entry | undefined {
    const top = this.peek();
    if (top !== undefined) this.#removeTop();
    return top;
  }

  /** Puts an entry in. */
  push(entry: Entry): void {
    const heap = this.#heap;
    let i = heap.length;
    while (i > 0) {
      const up = (i - 1) >> 1;
      const parent = heap[up];
      if (parent === undefined || !before(entry, parent)) break;
      heap[i] = parent;
      i = up;
    }
    heap[i] = entry;
  }

  #removeTop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let i = 0;
    for (;;) {
      let down = 2 * i + 1;
      let child = heap[down];
      const right = heap[down + 1];
      if (child !== undefined && right !== undefined && before(right, child)) {
        child = right;
        down++;
      }
      if (child === undefined || !before(child, last)) break;
      heap[i] = child;
      i = down;
    }
    heap[i] = last;
  }
}

function before(a: Entry, b: Entry): boolean {
  if (a.at !== b.at) return a.at < b.at;
  return a.tie !== b.tie ? a.tie < b.tie : a.order < b.order;
}
