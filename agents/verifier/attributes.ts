/** Yes-or-no and empty fields against what a claim says of them. */
import type { Claim } from "./claim.ts";
import type { Field, Polarity, Reading } from "./evidence.ts";
import { against, bearing, type Finding } from "./finding.ts";
import { stem } from "./words.ts";
import { findTopic, type Topic, topicsOf } from "./labels.ts";

/** Checks every field whose value is yes, no or nothing and that the claim speaks of. */
export function checkAttributes(claim: Claim, { fields }: Reading): Finding[] {
  const spoken = attributesOf(fields).map((topic) => ({ topic, at: findTopic(topic.words, claim) })).filter(({ at }) =>
    at >= 0
  );
  if (spoken.length === 0) return [];
  const single = new Set(spoken.flatMap(({ topic }) => topic.group ? [] : topic.fields));
  // Where null stands beside false it means that nothing is known, and a claim that denies it asserts what is not there.
  const tells = fields.some(({ polarity, value }) => polarity === "no" && PLAIN_ANSWER.test(value.toLowerCase()));
  return spoken.filter(({ topic }) => !topic.group || !topic.fields.some((field) => single.has(field)))
    .map(({ topic, at }) => {
      const quoted = topic.fields.find((field) => isQuoted(claim, field));
      if (quoted !== undefined) {
        return bearing("polarity", `${topic.words.join(" ")}: ${quoted.value}`, [quoted.source]);
      }
      const predicate = predicateOf(topic);
      const place = predicate === undefined ? at : claim.tokens.findIndex(({ lower }) => predicate.has(stem(lower)));
      if (place < 0 || isOpen(claim, place)) return undefined;
      return judge(topic, answerAfter(claim, at) ?? claim.negated[place] === true, tells);
    }).filter((one) => one !== undefined);
}

/** The attributes of the evidence; those of one reading are found once. */
function attributesOf(fields: readonly Field[]): readonly Topic[] {
  const before = attributes.get(fields);
  if (before !== undefined) return before;
  const found = topicsOf(fields.filter(({ tokens }) => tokens.length <= MAX_WORDS)).filter(isAttribute);
  attributes.set(fields, found);
  return found;
}

const attributes = new WeakMap<readonly Field[], readonly Topic[]>();

/** Words with which a claim leaves open whether something is so. */
const OPEN = new Set(["whether", "will", "would", "should", "pending", "awaiting", "awaits"]);
/** Tokens before a word in which it may have been left open. */
const OPEN_SPAN = 8;

function isOpen({ tokens, negated }: Claim, at: number): boolean {
  return negated[at] !== true && tokens.slice(Math.max(0, at - OPEN_SPAN), at + 3).some(({ lower }) => OPEN.has(lower));
}

/** Whether the claim has the value itself, word for word, of at least two words: `refund: none on file`. */
function isQuoted({ tokens }: Claim, { tokens: value }: Field): boolean {
  return value.length >= 2 && tokens.some((_, i) => value.every(({ lower }, k) => tokens[i + k]?.lower === lower));
}

/** Whether a claim that lists fields with their values denies this one: `WiFi: no`. */
function answerAfter({ tokens }: Claim, at: number): boolean | undefined {
  const answer = tokens[at + 1]?.text === ":" ? tokens[at + 2]?.lower : undefined;
  return answer === undefined ? undefined : ["no", "false", "none", "not"].includes(answer);
}

/** What a value such as `not yet reversed` says no to: a claim has to speak of that as well. */
function predicateOf({ fields: [first, more] }: Topic): ReadonlySet<string> | undefined {
  if (first === undefined || more !== undefined || !/^\s*not\b/i.test(first.value)) return undefined;
  return first.stems.length === 0 ? undefined : new Set(first.stems);
}

/** Tokens that an answer may have; longer ones are prose. */
const MAX_WORDS = 8;

/** A topic whose values are mostly yes, no or nothing: a date or a name that is missing once makes no attribute. */
function isAttribute({ fields }: Topic): boolean {
  return fields.some(({ value }) => PLAIN_ANSWER.test(value.slice(0, 40).toLowerCase()));
}

const PLAIN_ANSWER = /^\s*(?:true|false|yes|no|none|null|not|never|n\/a)\b|^\s*$/;

function judge({ fields, words }: Topic, denied: boolean, tells: boolean): Finding | undefined {
  const has = (polarity: Polarity): Field[] => fields.filter((field) => field.polarity === polarity);
  const [yes, no, none] = [has("yes"), has("no"), has("null")];
  const name = words.join(" ");
  const sources = (some: readonly Field[]) => [...new Set(some.map(({ source }) => source))];
  if (yes.length > 0) {
    const detail = `${name}: ${yes[0]?.value.slice(0, 80)}`;
    return denied
      ? against("polarity", `${detail}, and the claim denies it`, sources(yes))
      : bearing("polarity", detail, sources(yes));
  }
  if (no.length > 0) {
    const detail = `${name}: ${no[0]?.value.slice(0, 80)}`;
    return denied ? bearing("polarity", detail, sources(no)) : against("polarity", detail, sources(no));
  }
  return denied && !tells ? undefined : against("null_asserted", `${name} is empty`, sources(none));
}
