/** The command line of a subject: its words, and a name that files and reports can bear. */
import { sha256 } from "../../../core/mod.ts";
import { UsageError } from "../../cli/exit.ts";

/** A command line that cannot be read. */
export class CommandLineError extends Error {
  /** `CommandLineError` */
  override readonly name = "CommandLineError";
}

/**
 * Splits a command into words as a shell does, with single and double quotes and backslashes. No shell is involved: nothing
 * is expanded, and nothing is a sign for pipes or files.
 *
 * @throws {CommandLineError} If it has no word, or a quote without an end.
 */
export function splitWords(text: string): [program: string, ...args: string[]] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let i = 0; i < text.length; i++) {
    const at = text.charAt(i);
    if (quote === undefined && /\s/.test(at)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === undefined && (at === "'" || at === '"')) {
      quote = at;
      word ??= "";
    } else if (at === quote) quote = undefined;
    else if (at === "\\" && quote !== "'") word = (word ?? "") + text.charAt(++i);
    else word = (word ?? "") + at;
  }
  if (quote !== undefined) throw new CommandLineError(`a quote ${quote} has no end`);
  if (word !== undefined) words.push(word);
  const [program, ...args] = words;
  if (program === undefined || program === "") throw new CommandLineError("there is no command");
  return [program, ...args];
}

/** Characters of a name; what is longer is cut. */
const MAX_NAME = 40;

/**
 * A name for a subject that is called by a command or an address: what a person would know it by, and six digits that
 * another command or address has not. The same text has the same name on every machine.
 *
 * @param kind `cmd` or `http`.
 * @param known What a person would know it by.
 * @param whole All that it is called by.
 */
export function nameOf(kind: "cmd" | "http", known: string, whole: readonly string[]): string {
  const readable = known.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+/, "").slice(0, MAX_NAME);
  return `${kind}-${readable || "subject"}-${sha256(JSON.stringify(whole)).slice(0, 6)}`;
}

/** The word of a command that a person would know it by: the first file that it is given, else the program. */
export function knownBy([program, ...args]: readonly [program: string, ...args: string[]]): string {
  const file = args.find((word) => !word.startsWith("-") && /\.\w+$/.test(word)) ?? program;
  return file.slice(file.lastIndexOf("/") + 1);
}

/** A command that can be a subject. */
export interface Command {
  /** The program and its arguments. */
  readonly words: readonly [program: string, ...args: string[]];
  /** What it is called in reports. */
  readonly name: string;
}

/**
 * Reads what stands behind `cmd:`.
 *
 * @throws {UsageError} If it is no command.
 */
export function readCommand(text: string): Command {
  try {
    const words = splitWords(text);
    return { words, name: nameOf("cmd", knownBy(words), words) };
  } catch (error) {
    if (!(error instanceof CommandLineError)) throw error;
    throw new UsageError(
      `--subject ${JSON.stringify(`cmd:${text}`)}: ${error.message}; as in "cmd: python my_agent.py"`,
    );
  }
}
