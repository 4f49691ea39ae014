/** How a person at the terminal is asked. */

/** Questions of a terminal. Everything passed in is shown as it is: make it printable first. */
export interface PromptPort {
  /** Shows a text in a frame. */
  note(text: string, title: string): void;
  /** Lets one of several be chosen; `undefined` if the person calls it off. */
  choose<T extends string>(question: string, among: readonly T[]): Promise<T | undefined>;
  /** Takes a line of text, which may be empty; `undefined` if the person calls it off. */
  line(question: string): Promise<string | undefined>;
}
