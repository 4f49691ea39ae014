/**
 * Finds what cannot be replaced as a global: imports from `node:timers` or `node:fs`, dynamic `import()`, functions that
 * were taken earlier. It watches for code of a cell that runs between two turns, where only something real can have
 * resumed it, and for real timers that are asked for inside a cell by whatever name.
 */
import { createHook } from "node:async_hooks";
import v8 from "node:v8";
import { cells } from "./cell.ts";
import { StrayError } from "./cell_error.ts";
import { callers, filePlaceOf, placeOf } from "./place.ts";

/** The places at which the promises of cells were made, while somebody pays for it. */
const places = new WeakMap<object, string>();

/** Begins to watch all cells. Costs each `await` of the process some 50 ns. */
export function watchCells(): Disposable {
  // The stack of a resumed function shows who awaits it, not itself.
  const stop = v8.promiseHooks.onBefore((promise) => {
    const clock = cells.getStore();
    if (clock?.betweenTurns) clock.resumedByReal(places.get(promise) ?? filePlaceOf(callers()));
  });
  const timers = createHook({
    init(_id, type) {
      const clock = cells.getStore();
      if (clock === undefined || (type !== "Timeout" && type !== "Immediate")) return;
      // Outside a turn it is the clock itself that asks.
      if (clock.inTurn) clock.abort(new StrayError("a real timer", placeOf(callers())));
    },
  }).enable();
  return disposable(() => {
    stop();
    timers.disable();
  });
}

/** Notes where each promise of a cell is made, so that the exact line of a stray wait can be named. */
export function notePlaces(): Disposable {
  const stop = v8.promiseHooks.onInit((promise) => {
    if (!cells.getStore()?.inTurn) return;
    const place = filePlaceOf(callers());
    if (place !== undefined) places.set(promise, place);
  });
  return disposable(() => stop());
}

function disposable(dispose: () => void): Disposable {
  return { [Symbol.dispose]: dispose };
}
