/** What goes wrong with a store, in one line that says where, what, and what to do. */
import { oneLine } from "../../core/mod.ts";
import { UsageError } from "../cli/exit.ts";

/**
 * Why a store cannot be used. `missing`: there is none. `locked`: another process has it open. `foreign`: it is no file of
 * the bench. `version`: it is of another version. `damaged`: it cannot be trusted. `full`: there is no room to write.
 * `denied`: it may not be read or written. `other`: whatever else the system says.
 */
export type StoreTrouble = "missing" | "locked" | "foreign" | "version" | "damaged" | "full" | "denied" | "other";

/** A store that cannot be opened, read or written. The file is left as it is. */
export class StoreError extends UsageError {
  /** What kind of trouble it is. */
  readonly trouble: StoreTrouble;

  constructor(path: string, trouble: StoreTrouble, detail: string, cause?: unknown) {
    super(oneLine(`${path} ${detail}`));
    this.trouble = trouble;
    if (cause !== undefined) this.cause = cause;
  }
}

/** SQLite's primary result codes (sqlite.org/rescode.html), and what they mean for whoever runs the bench. */
const CODES: ReadonlyMap<number, readonly [trouble: StoreTrouble, detail: string]> = new Map([
  [3, ["denied", "may not be read or written; give it the right permissions"]],
  [5, ["locked", "is in use by another process; wait until that run has ended, or stop it"]],
  [6, ["locked", "is in use by another process; wait until that run has ended, or stop it"]],
  [8, ["denied", "may only be read; give its folder the right to be written"]],
  [10, ["other", "cannot be read or written: the disk reports an error; look at the disk"]],
  [11, ["damaged", "is damaged and is left as it is; delete its folder to be rid of the run, and run it again"]],
  [13, ["full", "cannot be written: the disk is full; what had been written is kept; free some space"]],
  [14, ["denied", "cannot be opened; look at its folder's permissions, and at the space that is left"]],
  [26, ["foreign", "is no database and is left as it is; delete its folder to be rid of it"]],
]);

/** The same by message: not every call of the runtime gives the code. */
const MESSAGES: readonly (readonly [message: RegExp, code: number])[] = [
  [/is locked/, 5],
  [/readonly database/, 8],
  [/disk I\/O error/, 10],
  [/is malformed/, 11],
  [/disk is full|no space left|os error 28\b/i, 13],
  [/^unable to open database file/, 14],
  [/is not a database/, 26],
];

/** Says what an error of the database, or of the system, means. */
export function explainStore(path: string, cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  const told = cause instanceof Error && "errcode" in cause && typeof cause.errcode === "number"
    ? cause.errcode & 0xff
    : MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
  const meaning = told === undefined ? undefined : CODES.get(told);
  if (meaning !== undefined) return new StoreError(path, ...meaning, cause);
  if (cause instanceof Deno.errors.NotCapable || cause instanceof Deno.errors.PermissionDenied) {
    return new StoreError(path, "denied", "may not be written; give its folder the right to be written", cause);
  }
  return new StoreError(path, "other", `cannot be used: ${message}`, cause);
}
