/** A subject whose packages are not in this process's lock file. */

/** The same command has to be started again where the subject can be loaded; see `relaunch.ts`. */
export class ElsewhereError extends Error {
  override readonly name = "ElsewhereError";

  /** @param subject Name of the subject. */
  constructor(readonly subject: string) {
    super(`${subject} is loaded under frameworks/deno.lock only: deno task bench does that by itself`);
  }
}
