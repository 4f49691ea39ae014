/** How much of what a subject asks its models is listened to: all of it is kept until its cell has been judged. */
import type { ModelRequest } from "../../../agents/mod.ts";

/** The most that is listened to in one cell, in UTF-16 units of its prompts and messages. */
export const MAX_ASKED: number = 2 ** 26;
/** The longest request, in bytes: more than any model's context has room for. */
export const MAX_REQUEST_BYTES: number = 2 ** 23;

/** Counts what is asked in one cell. */
export class Attention {
  #left: number;

  /** @param most UTF-16 units. */
  constructor(private readonly most: number = MAX_ASKED) {
    this.#left = most;
  }

  /**
   * Listens to one more request.
   *
   * @returns Why not, if it is too much by now.
   */
  refusal({ system, messages }: Pick<ModelRequest, "system" | "messages">): string | undefined {
    this.#left -= messages.reduce((sum, { text }) => sum + text.length, system.length);
    if (this.#left >= 0) return undefined;
    return `the subject has asked its models more than ${this.most} characters in all, and is not listened to any more`;
  }
}
