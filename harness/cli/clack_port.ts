/** The terminal's questions, by `@clack/prompts`. Loaded only by a run that asks a person. */
import { isCancel, note, select, text } from "npm:@clack/prompts@1.9.0";
import type { PromptPort } from "./prompt_port.ts";

/** Asks on the process's own terminal. */
export const clackPort: PromptPort = {
  note: (shown, title) => note(shown, title),
  async choose<T extends string>(question: string, among: readonly T[]) {
    const options = among.map((value) => ({ value: String(value), label: value }));
    const chosen = await select<string>({ message: question, options });
    return isCancel(chosen) ? undefined : among.find((value) => value === chosen);
  },
  async line(question) {
    const said = await text({ message: question });
    return isCancel(said) ? undefined : said ?? "";
  },
};
