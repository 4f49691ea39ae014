/** Text in columns. */
import { printable } from "../../core/text.ts";

/**
 * Breaks a text into lines of at most `width` characters, between words; a longer word has a line of its own. Makes it
 * printable on the way.
 *
 * @param lead What the first line begins with; the others are indented as far.
 */
export function wrap(text: string, width: number, lead = ""): string[] {
  const indent = " ".repeat(lead.length);
  const lines: string[] = [];
  let line = lead;
  let empty = true;
  for (const word of printable(text.replace(/\s+/g, " ")).split(" ").filter((part) => part !== "")) {
    if (!empty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent;
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line.trimEnd()];
}
