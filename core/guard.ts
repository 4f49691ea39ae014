/**
 * The guard of the `sim` lane: finds code that reaches for the machine's time, its randomness or its input and output
 * while it belongs to a cell.
 *
 * Globals are left alone for everybody else: each replaced function first asks whether it was called from inside a
 * cell, by async context, and passes straight through if not.
 *
 * Limits. It cannot see what an import gives without a wait (`randomUUID` from `node:crypto`, `readFileSync` from
 * `node:fs`), nor a read that the runtime happens to answer at once. Code that a cell leaves running when it has ended
 * stays guarded. A dynamic `import()` inside a cell is found, but the runtime then forgets to leave the cell's context:
 * code that it calls by itself afterwards (a test, not a promise or a timer) passes for the cell's.
 */
import { judge } from "./cell.ts";
import { notePlaces, watchCells } from "./watch.ts";

type AnyFunction = (...args: unknown[]) => unknown;

// deno-fmt-ignore
const WITH_SYNC = [
  "chmod", "chown", "copyFile", "create", "link", "lstat", "makeTempDir", "makeTempFile", "mkdir", "open", "readDir",
  "readFile", "readLink", "readTextFile", "realPath", "remove", "rename", "stat", "symlink", "truncate", "utime",
  "writeFile", "writeTextFile",
];

/** What may not be used inside a cell: owner, its name in messages, and the keys of its functions. */
const REFUSED: readonly [owner: object, name: string, keys: readonly string[]][] = [
  [globalThis, "", ["setImmediate", "fetch", "WebSocket", "Worker", "EventSource", "alert", "confirm", "prompt"]],
  [globalThis, "", ["MessageChannel", "BroadcastChannel"]],
  [Performance.prototype, "performance.", ["now"]],
  [AbortSignal, "AbortSignal.", ["timeout"]],
  [Math, "Math.", ["random"]],
  [Temporal.Now, "Temporal.Now.", ["instant", "plainDateISO", "plainDateTimeISO", "plainTimeISO", "zonedDateTimeISO"]],
  [Crypto.prototype, "crypto.", ["randomUUID", "getRandomValues"]],
  [SubtleCrypto.prototype, "crypto.subtle.", Object.getOwnPropertyNames(SubtleCrypto.prototype)],
  [Deno, "Deno.", WITH_SYNC.flatMap((key) => [key, `${key}Sync`])],
  [Deno, "Deno.", ["Command", "run", "spawn", "spawnAndWait", "spawnAndWaitSync", "kill", "watchFs", "resolveDns"]],
  [Deno, "Deno.", ["connect", "connectTls", "startTls", "listen", "listenTls", "serve", "serveHttp"]],
];

/** What a cell's bookkeeping gets for a timer: it never fires, and clearing it does nothing. */
const DEAD_TIMER = Object.freeze({
  ref: () => DEAD_TIMER,
  unref: () => DEAD_TIMER,
  refresh: () => DEAD_TIMER,
  close: () => DEAD_TIMER,
  hasRef: () => false,
  [Symbol.toPrimitive]: () => 0,
  [Symbol.dispose]() {},
});

let installed = 0;
let undo: DisposableStack | undefined;

/** Options of {@linkcode guardGlobals}. */
export interface GuardOptions {
  /**
   * Names the exact line of every stray, also of a wait through an import. Costs each promise of a cell many
   * microseconds: for a second run of a cell that ended with a stray at an unknown place.
   *
   * @default false
   */
  places?: boolean;
}

/**
 * Installs the guard for as long as the returned value lives. Guards nest; the last one disposed puts the globals back.
 *
 * @example
 * ```ts
 * import { guardGlobals, inCell, VirtualClock } from "./mod.ts";
 * import assert from "node:assert/strict";
 *
 * using _guard = guardGlobals();
 * const clock = new VirtualClock();
 * await assert.rejects(clock.run(() => inCell(clock, () => Date.now())), { name: "StrayError", what: "Date.now" });
 * ```
 */
export function guardGlobals(options: GuardOptions = {}): Disposable {
  if (installed++ === 0) undo = install();
  const guard = new DisposableStack();
  guard.defer(() => {
    if (--installed === 0) undo?.dispose();
  });
  if (options.places) guard.use(notePlaces());
  return guard;
}

function install(): DisposableStack {
  const stack = new DisposableStack();
  stack.use(watchCells());
  for (const [owner, name, keys] of REFUSED) {
    for (const key of keys) if (key !== "constructor") replace(stack, owner, key, (fn) => refused(fn, name + key));
  }
  for (const key of ["setTimeout", "setInterval"]) {
    replace(stack, globalThis, key, (fn) =>
      new Proxy(fn, {
        apply: (target, self, args) => judge(key, true) === undefined ? Reflect.apply(target, self, args) : DEAD_TIMER,
      }));
  }
  replace(
    stack,
    Date,
    "now",
    (fn) =>
      new Proxy(fn, {
        apply: (target, self, args) => judge("Date.now", true)?.now() ?? Reflect.apply(target, self, args),
      }),
  );
  const date = guardedDate(Date);
  replace(stack, globalThis, "Date", () => date);
  // So that `x.constructor === Date` holds as before.
  replace(stack, Date.prototype, "constructor", () => date);
  return stack;
}

function guardedDate(original: DateConstructor): DateConstructor {
  return new Proxy(original, {
    apply(target, self, args) {
      judge("Date()", false);
      return Reflect.apply(target, self, args);
    },
    construct(target, args, newTarget) {
      const clock = args.length > 0 ? undefined : judge("new Date()", true);
      return Reflect.construct(target, clock === undefined ? args : [clock.now()], newTarget);
    },
  });
}

/** Refuses calls from inside a cell; everyone else gets the original. */
function refused(original: AnyFunction, what: string): AnyFunction {
  return new Proxy(original, {
    apply(target, self, args) {
      judge(what, false);
      return Reflect.apply(target, self, args);
    },
    construct(target, args, newTarget) {
      judge(what, false);
      return Reflect.construct(target, args, newTarget);
    },
  });
}

/** Puts something in a function's place, and puts it back when the stack is disposed. */
function replace(stack: DisposableStack, owner: object, key: string, make: (original: AnyFunction) => unknown): void {
  const before = Object.getOwnPropertyDescriptor(owner, key);
  if (before === undefined || !before.configurable) return;
  const wrap = (value: unknown) => typeof value === "function" ? make(value as AnyFunction) : value;
  const { get } = before;
  let made: unknown;
  // Deno loads some of its functions when they are first read, and that stays so.
  const after = get
    ? { ...before, get: () => made ??= wrap(get.call(owner)) }
    : { ...before, value: wrap(before.value) };
  Object.defineProperty(owner, key, after);
  stack.defer(() => Object.defineProperty(owner, key, before));
}
