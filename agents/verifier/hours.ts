/** Opening hours: days and times of a claim against fields named for days of the week. */
import type { Claim } from "./claim.ts";
import type { Field, Reading } from "./evidence.ts";
import { against, bearing, type Finding } from "./finding.ts";
import type { Token } from "./tokens.ts";

const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const EVERY = [0, 1, 2, 3, 4, 5, 6];
const RANGE_WORDS = new Set(["to", "through", "thru", "until", "till", "-", "–", "—"]);

/** Some days that a claim speaks of, and the token at which they stand. */
interface DaySet {
  readonly days: readonly number[];
  readonly at: number;
}

/** From and to, in minutes since midnight; each may be read in more than one way. */
interface Span {
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly at: number;
}

/** Minutes by day; `undefined` stands for a day whose value is no span. */
type Week = ReadonlyMap<number, { readonly span: readonly [number, number] | undefined; readonly field: Field }>;

/** Compares a claim about opening hours with the hours in the evidence; nothing if either has none. */
export function checkHours(claim: Claim, { fields }: Reading): Finding[] {
  const spans = spansOf(claim);
  if (!claim.tokens.some(({ lower }) => SPEAKS_OF_HOURS.has(lower)) && spans.length === 0) return [];
  const [week, days] = [weekOf(fields), daySets(claim.tokens)];
  if (week.size === 0) return spans.length === 0 ? [] : emptyHours(fields);
  const sources = [...new Set([...week.values()].map(({ field }) => field.source))];
  const closed = days.flatMap(({ days }) => days).filter((day) => !week.has(day));
  const denied = days.some(({ at }) => claim.negated[at]) || claim.tokens.some(({ lower }) => lower === "closed");
  if (closed.length > 0 && !denied) {
    return [against("time", `no hours are given for ${closed.map((day) => DAYS[day]).join(", ")}`, sources)];
  }
  const wrong = pairUp(days, spans).flatMap(([on, span]) => compare(on, span, week));
  if (wrong.length > 0) return [against("time", wrong.slice(0, 3).join("; "), sources)];
  return spans.length > 0 || days.length > 0 ? [bearing("time", "the hours are those of the evidence", sources)] : [];
}

const SPEAKS_OF_HOURS = new Set(["open", "opens", "hours", "operates", "operate", "operating", "closes", "opening"]);

function emptyHours(fields: readonly Field[]): Finding[] {
  const empty = fields.filter(({ label, polarity }) => polarity === "null" && label.includes("hours"));
  return empty.length === 0 ? [] : [against("null_asserted", "the hours are empty", empty.map(({ source }) => source))];
}

/** The fields whose name ends in a day of the week. */
function weekOf(fields: readonly Field[]): Week {
  const week = new Map<number, { span: readonly [number, number] | undefined; field: Field }>();
  for (const field of fields) {
    const day = DAYS.indexOf(field.label.at(-1) ?? "");
    if (day < 0 || week.has(day) || field.polarity !== "yes") continue;
    const [from, to] = field.mentions.filter((one) => one.kind === "time");
    const [open, close] = [from?.minutes[0], to?.minutes[0]];
    week.set(day, {
      span: open === undefined || close === undefined || open === close ? undefined : [open, close],
      field,
    });
  }
  return week;
}

/** `Monday to Friday`, `Fridays and Saturdays`, `weekdays`, `daily`, `seven days a week`, in order. */
function daySets(tokens: readonly Token[]): DaySet[] {
  const sets: DaySet[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const word = tokens[i]?.lower ?? "";
    if (word === "weekdays" || word === "weekday") sets.push({ days: EVERY.slice(0, 5), at: i });
    if (word === "weekends" || word === "weekend") sets.push({ days: EVERY.slice(5), at: i });
    const everyDay = word === "every" && tokens[i + 1]?.lower === "day" ||
      word === "seven" && tokens[i + 1]?.lower === "days" || word === "7" && tokens[i + 1]?.lower === "days";
    if (word === "daily" || everyDay) sets.push({ days: EVERY, at: i });
    const first = dayOf(word);
    if (first < 0) continue;
    const days = [first];
    let end = i;
    for (let k = i + 1; k < tokens.length; k++) {
      const last = dayOf(tokens[k]?.lower ?? "");
      const link = tokens[k]?.lower ?? "";
      if (RANGE_WORDS.has(link) && dayOf(tokens[k + 1]?.lower ?? "") >= 0) {
        const to = dayOf(tokens[k + 1]?.lower ?? "");
        for (let day = days.at(-1) ?? first; day !== to;) days.push(day = (day + 1) % 7);
        end = k += 1;
      } else if (last >= 0) {
        days.push(last);
        end = k;
      } else if (link !== "," && link !== "and" && link !== "&") {
        break;
      }
    }
    sets.push({ days: [...new Set(days)], at: i });
    i = end;
  }
  return sets;
}

/** The day that a word names: in full, in the plural, or short (`Tues`), unless that is a word of its own. */
function dayOf(word: string): number {
  const short = word.length >= 3 && word.length <= 5 && !["sun", "sat", "wed"].includes(word);
  return DAYS.findIndex((day) => word === day || word === `${day}s` || short && day.startsWith(word));
}

/** Pairs of times with a range word between them. */
function spansOf({ mentions, tokens }: Claim): Span[] {
  const spans: Span[] = [];
  for (const [i, from] of mentions.entries()) {
    const to = mentions[i + 1];
    if (from.kind !== "time" || to?.kind !== "time" || to.from - from.to !== 1) continue;
    if (!RANGE_WORDS.has(tokens[from.to]?.lower ?? "") && tokens[from.to]?.lower !== "and") continue;
    spans.push({ from: from.minutes, to: to.minutes, at: from.from });
  }
  return spans;
}

/** Which days a span is said of: all, if there is one span or one set; else by turns in the order of the text. */
function pairUp(days: readonly DaySet[], spans: readonly Span[]): [readonly number[], Span][] {
  if (spans.length === 1 && spans[0] !== undefined && days.length > 0) {
    const [span] = spans;
    const near = days.length === 1
      ? days
      : days.filter(({ at }, i) => at < span.at && (days[i + 1]?.at ?? Infinity) > span.at);
    return (near.length > 0 ? near : days.slice(0, 1)).map(({ days }) => [days, span]);
  }
  if (spans.length === days.length) {
    return spans.map((span, i) => [days[i]?.days ?? [], span]);
  }
  return spans.map((span) => {
    const before = days.filter(({ at }) => at < span.at).at(-1);
    return [before?.days ?? [], span];
  });
}

function compare(days: readonly number[], span: Span, week: Week): string[] {
  const agrees = (day: number) => {
    const hours = week.get(day)?.span;
    return hours === undefined || span.from.includes(hours[0]) && span.to.includes(hours[1]);
  };
  if (days.length === 0) {
    return [...week.keys()].some((day) => agrees(day)) ? [] : ["no day has these hours"];
  }
  return days.filter((day) => !agrees(day)).map((day) => `${DAYS[day]} has ${week.get(day)?.field.value}`);
}
