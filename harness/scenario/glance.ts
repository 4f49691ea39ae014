/**
 * Name and crew of a scenario file at a glance: parsing YAML takes milliseconds a file, and who asks for one scenario by its
 * name need not wait for all others.
 */
import { basename, dirname } from "node:path/posix";

/** A text that YAML takes for itself, and for nothing else. */
const PLAIN = /^[a-z][a-z0-9_-]*$/;
const WORDS: ReadonlySet<string> = new Set(["true", "false", "null"]);

/**
 * What a file may be called: its own words, and what it is called by its path where it has none or is not sound.
 *
 * @returns Nothing where only the parser can tell.
 */
export function glance(text: string, path: string): ReadonlySet<string> | undefined {
  // Any other beginning of a line could be that of a map in braces, of a second document, of a quoted key. White space counts
  // a mark of the byte order in, behind which a name would be overlooked, as it would in a map that is indented as a whole.
  if (/^[^a-z#\s]|^\ufeff/m.test(text) || /^(?:[ \t]*(?:#.*)?[\r\n]+)*[ \t]+[^#\s]/.test(text)) return undefined;
  const names = new Set([basename(path).replace(/\.ya?ml$/, ""), basename(dirname(path))]);
  // In a sound file nothing but a key of the whole begins a line with a letter.
  for (const { 0: line, index } of text.matchAll(/^(?:name|crew)\b.*$/gm)) {
    const value = /^\w+:[ \t]+(\S+)[ \t]*(?:[ \t]#.*)?$/.exec(line)?.[1];
    const goesOn = /^[\r\n]+[ \t]+[^#\s]/.test(text.slice(index + line.length));
    if (value === undefined || goesOn || !PLAIN.test(value) || WORDS.has(value)) return undefined;
    names.add(value);
  }
  return names;
}
