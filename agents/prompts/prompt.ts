/**
 * Prompts are narrow and versioned. A change of text is a change of version; the trace carries the digest of what was
 * really sent.
 */
export interface Prompt {
  /** Name and version, for example `worker@1`. */
  readonly id: string;
  /** The text. */
  readonly text: string;
}
