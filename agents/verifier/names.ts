/** Names in a claim that the evidence does not have. */
import type { Claim } from "./claim.ts";
import type { Reading } from "./evidence.ts";
import { type Finding, lacking } from "./finding.ts";
import type { Token } from "./tokens.ts";
import { isFunctionWord, stem } from "./words.ts";

/** Words with a capital in the middle of a sentence, that occur nowhere in the evidence. */
export function checkNames({ tokens, mentions }: Claim, { words, stems }: Reading): Finding[] {
  const capitals = tokens.filter((token) => isCapital(token)).length;
  const plain =
    tokens.filter(({ kind, text, lower }) => kind === "word" && text === lower && !isFunctionWord(lower)).length;
  if (capitals > plain * 2 && capitals > 6) return []; // a heading in capitals
  const taken = new Set(mentions.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)));
  return tokens.flatMap((token, i) => {
    if (!isCapital(token) || taken.has(i) || startsSentence(tokens, i) || isFunctionWord(token.lower)) return [];
    const joined = [tokens[i - 1], tokens[i + 1], tokens[i - 2], tokens[i + 2]].some((other) =>
      other?.kind === "word" && (words.has(other.lower + token.lower) || words.has(token.lower + other.lower))
    );
    const state = [`${token.lower} ${tokens[i + 1]?.lower}`, `${tokens[i - 1]?.lower} ${token.lower}`, token.lower]
      .map((name) => STATE_CODES.get(name)).find((code) => code !== undefined);
    if (
      state !== undefined && words.has(state) || joined || words.has(token.lower) || stems.has(stem(token.lower)) ||
      pieces(token.text).every((one) => stems.has(stem(one)))
    ) {
      return [];
    }
    return [lacking("name_missing", `${token.text} is not in the evidence`)];
  });
}

/** Postal codes of the states of the USA, by name, lower case: addresses have the one, notes the other. */
const STATE_CODES: ReadonlyMap<string, string> = new Map(
  ("alabama al,alaska ak,arizona az,arkansas ar,california ca,colorado co,connecticut ct,delaware de,florida fl,georgia ga," +
    "hawaii hi,idaho id,illinois il,indiana in,iowa ia,kansas ks,kentucky ky,louisiana la,maine me,maryland md," +
    "massachusetts ma,michigan mi,minnesota mn,mississippi ms,missouri mo,montana mt,nebraska ne,nevada nv," +
    "new hampshire nh,new jersey nj,new mexico nm,new york ny,north carolina nc,north dakota nd,ohio oh,oklahoma ok," +
    "oregon or,pennsylvania pa,rhode island ri,south carolina sc,south dakota sd,tennessee tn,texas tx,utah ut," +
    "vermont vt,virginia va,washington wa,west virginia wv,wisconsin wi,wyoming wy").split(",")
    .map((pair): [string, string] => [pair.slice(0, -3), pair.slice(-2)]),
);

const isCapital = ({ kind, text }: Token): boolean => kind === "word" && /^\p{Lu}/u.test(text) && text.length > 1;

/** The words of `OutdoorSeating`. */
const pieces = (text: string): string[] => text.split(/(?<=\p{Ll})(?=\p{Lu})/u).map((one) => one.toLowerCase());

/** After nothing, a full stop, a colon, a quote, a dash or a bullet a capital says nothing. */
function startsSentence(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  return before === undefined || before.kind === "symbol" && !before.glued && before.text !== "&" ||
    before.text === "." && tokens[at - 2]?.text.length !== 1 ||
    [":", "!", "?", '"', "“", "*", "•", "'"].includes(before.text);
}
