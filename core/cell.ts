/**
 * Who belongs to a cell of the `sim` lane, by async context, and what becomes of a call that reaches for the machine.
 *
 * The MCP SDK keeps books with `setTimeout` and `Date.now` around each request. Its timeouts must never decide
 * anything, so inside a cell they get a handle that never fires and the virtual time: in the window that the hub opens
 * around an SDK call ({@linkcode bookkeeping}), which costs nothing, and elsewhere by the caller's place on the stack.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { StrayError } from "./cell_error.ts";
import { callers, placeOf } from "./place.ts";
import type { VirtualClock } from "./virtual_clock.ts";

/** The clock of the cell to which the running code belongs. */
export const cells: AsyncLocalStorage<VirtualClock> = new AsyncLocalStorage();

/** The only code whose calls of `setTimeout` and `Date.now` are bookkeeping. */
const SDK = /\/@modelcontextprotocol\/(sdk|client|server|core)\//;

let inBookkeeping = false;

/** Runs `work`, and whatever follows from it, as part of the cell whose clock this is. */
export function inCell<T>(clock: VirtualClock, work: () => T): T {
  return cells.run(clock, work);
}

/**
 * Runs a call into the MCP SDK whose timers and time stamps are mere bookkeeping. Covers the synchronous part of the
 * call only, which is where the SDK keeps its books.
 */
export function bookkeeping<T>(call: () => T): T {
  const outer = inBookkeeping;
  inBookkeeping = true;
  try {
    return call();
  } finally {
    inBookkeeping = outer;
  }
}

/**
 * What to do with a call that reaches for the machine. For a caller outside every cell this is one look-up.
 *
 * @param what What was called, for the message.
 * @param mayBeBooks Whether the SDK keeps books with it.
 * @returns The clock if the call is the SDK's bookkeeping, `undefined` if it comes from outside every cell.
 * @throws {StrayError} Otherwise; the cell ends with it even if the caller swallows it.
 */
export function judge(what: string, mayBeBooks: boolean): VirtualClock | undefined {
  const clock = cells.getStore();
  if (clock === undefined) return undefined;
  if (mayBeBooks && inBookkeeping) return clock;
  const places = callers();
  if (mayBeBooks && SDK.test(places[0] ?? "")) return clock;
  const error = new StrayError(what, placeOf(places));
  clock.abort(error);
  throw error;
}
