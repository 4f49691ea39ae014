/** A command line of `run`, made again of the options that were typed. */
import { COMMANDS } from "./commands.ts";
import type { RunOptions } from "./options.ts";

/** Options that change no cell, nor what is kept of one. What `--input` names is part of the scenario. */
const INDIFFERENT: ReadonlySet<string> = new Set([
  ...["jobs", "output", "json", "list", "resume", "input"],
  // How far live models may go, and how fast: a run that met a limit goes on with a higher one.
  ...["record", "maxCost", "maxTokens", "callsAtOnce", "callsPerMinute", "stream"],
]);

/** The options by which the cells of a run could differ, or what is kept of them: by their long names. */
export function mattering(options: Pick<RunOptions, "typed">): Record<string, string> {
  const pairs = typedOf(options).filter(({ key }) => !INDIFFERENT.has(key));
  return Object.fromEntries(pairs.map(({ flag, values }) => [flag, values.join(" ")]));
}

/** `run`, selectors and options as somebody would type them in a shell; without `--resume`. */
export function commandOf(options: Pick<RunOptions, "typed" | "selectors">): string {
  const flags = typedOf(options).filter(({ key }) => key !== "resume").flatMap(words);
  return ["run", ...options.selectors.map(quoted), ...flags].join(" ");
}

/** Options that say who is run and how: the same scenario without them is another run, and another outcome. */
const SAME: ReadonlySet<string> = new Set([
  ...["lane", "subject", "deadline", "seed", "model", "replay", "input"],
  // Nobody should spend without a limit who had set one.
  ...["maxCost", "maxTokens", "prices"],
]);

/** Those options that {@linkcode SAME} lists and somebody has typed, each with its value, as typed in a shell. */
export function sameAgain(options: Pick<RunOptions, "typed">): string[] {
  return typedOf(options).filter(({ key }) => SAME.has(key)).flatMap(words);
}

/** The task that such a command needs: live models have one of their own. */
export function taskOf(command: string): string {
  return / --(?:model|judge) /.test(command) && !/ --replay /.test(command) ? "bench:live" : "bench";
}

/** Those that differ from their defaults, in the order of help. A switch has an empty value. */
function typedOf({ typed = {} }: Pick<RunOptions, "typed">) {
  const [{ options }] = COMMANDS;
  const given = new Map(Object.entries(typed));
  return options.flatMap(([flags, , fallback]) => {
    const flag = /--([a-z-]+)/.exec(flags)?.[1] ?? "";
    const key = flag.replace(/-[a-z]/g, (part) => part.slice(1).toUpperCase());
    const value = given.get(key);
    if (value === undefined || value === fallback) return [];
    const values = Array.isArray(value) ? value.map(String) : [value === true ? "" : String(value)];
    return [{ key, flag, values }];
  });
}

function words({ flag, values }: { readonly flag: string; readonly values: readonly string[] }): string[] {
  return values.map((value) => value === "" ? `--${flag}` : `--${flag} ${quoted(value)}`);
}

/** As a POSIX shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
