import { clip, oneLine } from "../../core/mod.ts";

/**
 * Every mend the parser makes, by id. The rule: *how* a plan is written is mended, *what* it says never is, so no
 * type is coerced, no bracket or quote is invented, and nothing that is missing is filled in.
 *
 * Taking a plan out of prose, a fence or reasoning tags is extraction and no repair, and so is counting a plan that
 * is given twice as one. Nor is the short spelling of a field (`worker`, `ask`, `needs`). That is what the development
 * replies count as `ok`.
 */
export const REPAIRS = {
  byte_order_mark: "A byte order mark was skipped.",
  odd_whitespace: "White space that JSON does not know was read as white space.",
  comment: "A comment was skipped.",
  trailing_comma: "A comma before a closing bracket was skipped.",
  smart_quotes: "Typographic quotes were read as the quotes of a string.",
  single_quotes: "Single quotes were read as the quotes of a string.",
  unquoted_key: "A key without quotes was read as a string.",
  python_literal: "True, False or None was read as its JSON counterpart.",
  control_character: "A raw line break or control character inside a string was kept.",
  bad_escape: "A backslash before a character that needs none was dropped.",
  duplicate_key: "A key was given twice with the same value.",
  stray_closer: "A closing bracket too many after the plan was skipped.",
  json_in_string: "JSON inside a string was read.",
  unwrapped: "The plan was taken out of an object or a list around it.",
  top_level_array: "A bare list of tasks was read as a plan.",
  renamed_key: "A field under another usual name was read.",
  duplicate_field: "A field was given under two names with the same value.",
  unknown_key: "A key that the plan has no use for was left out.",
  null_as_absent: "null for an optional field was read as leaving it out.",
  duplicate_dependency: "A dependency was listed twice.",
  trimmed_name: "White space around a specialist's name was trimmed.",
} as const satisfies Record<string, string>;

/** Names one kind of mend. */
export type RepairId = keyof typeof REPAIRS;

/** A mend that was made, so that plan quality can be scored apart from it. */
export interface Repair {
  /** Which kind it is. */
  readonly id: RepairId;
  /** How often it was made. */
  readonly count: number;
  /** Where it was made first: `line:column` in the reply. */
  readonly at: string;
  /** The key, name or text that it concerns, where there is one. Untrusted: for display only. */
  readonly subject?: string;
}

/** Most entries one log keeps: a hostile reply may hold a hundred thousand different unknown keys. */
const MAX_ENTRIES = 64;

/** Gathers repairs, one entry for each kind and subject. */
export class RepairLog {
  readonly #entries = new Map<string, Repair>();

  /** Adds a repair, or counts it if there was one like it. */
  add(id: RepairId, at: string, subject?: string, count = 1): void {
    const shown = subject === undefined ? undefined : quote(subject);
    const own = shown === undefined ? id : `${id} ${shown}`;
    const key = this.#entries.has(own) || this.#entries.size < MAX_ENTRIES ? own : id;
    const old = this.#entries.get(key);
    const named = key === id || shown === undefined ? {} : { subject: shown };
    this.#entries.set(key, old ? { ...old, count: old.count + count } : { id, count, at, ...named });
  }

  /** Adds all repairs of another list. */
  addAll(repairs: Iterable<Repair>): void {
    for (const { id, at, subject, count } of repairs) this.add(id, at, subject, count);
  }

  /** The entries, in the order in which each was first made. */
  list(): Repair[] {
    return [...this.#entries.values()];
  }
}

/** Shows an untrusted name: on one line, harmless to a terminal, and short. */
export function quote(name: string): string {
  return oneLine(clip(name, 60));
}
