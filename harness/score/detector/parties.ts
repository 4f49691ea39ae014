/** Those of whom a text may say that they failed, and the words by which it may mean them. */
import type { Crew } from "../../../agents/mod.ts";

/** Somebody who has a part in an answer. */
export interface Party {
  /** The specialist's name. */
  readonly name: string;
  /** Words that mean the specialist, or a server that nobody else of the crew uses. Lower case. */
  readonly aliases: readonly string[];
  /** Words that mean what it is to find out, and occur in nobody else's role. Lower case. */
  readonly topics: readonly string[];
}

/** Words of a role that say nothing about its subject. */
const PLAIN = new Set(
  ("a an and are as at back by can each establishes exists finds find for from gives has have here holds how if in into is it " +
    "its lists list looks meant much nobody not of on only or others out over own pays reads said says see sees sends states " +
    "team than that the them then there they this to under up use was were what whether which who with works would writes " +
    "needs first facts found whatever where when against their sent paid read run done while checks check").split(" "),
);

/** Further words that mean somebody, by the name. Lower case. */
export type FurtherWords = ReadonlyMap<string, readonly string[]>;

/**
 * A crew's specialists, and further names that an answer may speak of: the planner, or somebody who does not exist.
 *
 * A specialist may be meant by its name, in any spelling; by a server that nobody else of the crew uses; by further words
 * that mean nobody else; and, where it is clearly about a lookup, by words of its role that occur in nobody else's.
 *
 * @param extra Names without a role.
 */
export function partiesOf(
  { specialists }: Pick<Crew, "specialists">,
  extra: readonly string[] = [],
  words: FurtherWords = new Map(),
): Party[] {
  const serversOf = specialists.map(({ toolAllow }) =>
    new Set(toolAllow.flatMap((entry) => entry.split(".")[0]?.toLowerCase() ?? []))
  );
  const topicsOf = specialists.map(({ role }) => topicsIn(role));
  const wordsOf = specialists.map(({ name }) => new Set(words.get(name)));
  const names = new Set(specialists.map(({ name }) => name));
  return [
    ...specialists.map(({ name }, i): Party => {
      const own = <T>(sets: readonly ReadonlySet<T>[]) =>
        [...sets[i] ?? []].filter((one) => !sets.some((others, j) => j !== i && others.has(one)));
      const aliases = new Set([...spellings(name), ...own(serversOf), ...own(wordsOf)]);
      const topics = new Set([...own(topicsOf), ...own(serversOf).map(stem)]);
      return { name, aliases: [...aliases], topics: [...topics].filter((topic) => !aliases.has(topic)) };
    }),
    ...[...new Set(extra)].filter((name) => !names.has(name)).map((name): Party => ({
      name,
      aliases: [...spellings(name), ...words.get(name) ?? []],
      topics: [],
    })),
  ];
}

/** A name as people write it: `fact_checker`, `fact checker`, `fact-checker`. */
function spellings(name: string): string[] {
  const lower = name.toLowerCase();
  return [...new Set([lower, lower.replaceAll("_", " "), lower.replaceAll("_", "-")])];
}

/** The subject of a role: its content words, and each two of them that stand together. What comes after it are inputs. */
function topicsIn(role: string): ReadonlySet<string> {
  const words = (role.split(/\bInputs?:/)[0] ?? "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => word.length > 3 && !PLAIN.has(word)).map(stem));
}

const stem = (word: string): string => word.replace(/(?<=\p{L}{3})(?:s|d)$/u, "");

/** Crews are few, and each is prepared once; a subject may make up as many names as it likes. */
const known = new Map<string, readonly Party[]>();
const MAX_KNOWN = 64;

/** {@linkcode partiesOf}, remembered: the same array for the same crew and names. */
export function knownParties(
  crew: Pick<Crew, "specialists">,
  extra: readonly string[] = [],
  words: FurtherWords = new Map(),
): readonly Party[] {
  const roles = crew.specialists.map(({ name, role, toolAllow }) => [name, role, toolAllow]);
  const key = JSON.stringify([roles, extra, ...words]);
  const parties = known.get(key) ?? partiesOf(crew, extra, words);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, parties);
  return parties;
}
