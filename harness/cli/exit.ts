/** How a command ends. */

/** Exit codes of every command. */
export const EXIT = {
  good: 0,
  /** Expectations or the gate failed. */
  failed: 1,
  /** Wrong usage or invalid input. */
  usage: 2,
  /** The bench itself failed. */
  internal: 3,
  /** Nothing was selected, or nothing could be compared. */
  nothing: 5,
  interrupted: 130,
} as const;

/** The user asked for something that cannot be done: one line on stderr and exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
