/**
 * Waits for a promise, but no longer than a signal: for code that may ignore the signal it was given. What the promise
 * comes to later is dropped, and is never an unhandled rejection.
 *
 * @param late Called with a value that comes after the abort, so that it can be released.
 * @throws The signal's reason, if it aborts first; what the promise rejects with otherwise.
 */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal, late?: (value: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    promise.then((value) => {
      signal.removeEventListener("abort", onAbort);
      if (signal.aborted) late?.(value);
      else resolve(value);
    }, (error) => {
      signal.removeEventListener("abort", onAbort);
      reject(error);
    });
  });
}
