/** Items of a request's lists of which the tasks have not one telling word. */

/** A bullet, or a number or letter that counts. */
const MARK = /^[ \t]*(?:[-*\u2022\u2013][ \t]+|\(?(\d{1,2}|[a-h])[.)][ \t]+)/iu;
/** The same within a line: a letter or number in brackets, or one with a full stop where something else has ended. */
const INLINE = /(?:^|[\s(])(\d{1,2}|[a-h])\)[ \t]+|(?:^|[:;,.?!][ \t]+)(\d{1,2})\.[ \t]+/giu;

/** What a task is told. */
export interface Told {
  readonly objective: string;
  /** As text. */
  readonly inputs: string;
}

/** A list with the words that bring it in. */
interface List {
  readonly intro: string;
  readonly items: readonly string[];
}

/** What says how something is to be done, or by when, and not what. */
const MANNER =
  /^(?:please\s+)?(?:do not|don['\u2019]t|no|never|not|be|keep|use|using|only|just|short|brief|polite|avoid|without|at most|at least|max|maximum|limit|format|stick|cite|quote|include (?:sources|links|references)|stay|make (?:it|sure)|remember|note|thanks|thank|cheers|asap|urgent|by|before|until|within|under|in (?:\w+|plain \w+)$|(?:answer|reply|respond|write|all) (?:\w+ )?in \w+|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b/iu;
/** What tells something, and asks for nothing. */
const TOLD =
  /^(?:i|i['\u2019]\w+|we|my|our|it|he|she|they|there|this|that|ordered|bought|paid|received|name|address|e-?mail|phone|date|amount|(?:the|a|an|his|her|their) [\p{L} ]{1,30} (?:is|are|was|were|has|have|had|came|arrived|shows?|says?))\b|^[\p{L}\p{N} #-]{1,30}:\s|\b(?:am|is|are|was|were|has|have|had|came|arrived|happened)\b/iu;
const ASKS = /^(?:who|what|when|where|which|why|how|whether|if|is|are|was|were|does|did|can|could|should|will)\b/iu;
/** A box that is ticked. */
const DONE = /^\[[x\u2713\u2714]\]/iu;
/** How lists of wishes are brought in, and how those of facts are. */
const WISHES =
  /\b(?:please|need|want|would like|can|could|tell|find|answers?|questions?|do|check|compare|report|cover|look|give|help|know|explain|describe|review|write|include|show|get|what|which|how|to-?dos?|tasks?|steps?)\b/iu;
const FACTS =
  /\b(?:details|facts|background|context|notes?|info(?:rmation)?|rules|constraints|requirements|happened|bought|ordered|contains?|consists?|examples?|sources|data|here (?:is|are)|options?|criteria|attached|so far|already|instructions)\b/iu;

/**
 * Items that ask for something, and of which neither the tasks nor what else the plan says has a telling word. Other words
 * for the same, or another language, are no omission: of a list that shares hardly a word with the plan nothing is said, nor
 * where as many tasks, or clauses of them, are left as items that nobody has a word of.
 *
 * @param tasks What each task is told.
 * @param beside What the plan says besides.
 */
export function unmetItems(request: string, tasks: readonly Told[], beside: string): string[] {
  const told = tasks.map(({ objective, inputs }) => wordsOf(`${objective} ${inputs}`));
  const clauses =
    tasks.flatMap(({ objective }) => objective.split(CLAUSE)).filter((clause) => wordsOf(clause).size > 0).length;
  const had = new Set([...told.flatMap((words) => [...words]), ...wordsOf(beside)]);
  return listsIn(request).flatMap(({ intro, items }) => {
    const areWishes = intro === "" || WISHES.test(intro) && !FACTS.test(intro);
    const taken = new Set<number>();
    let [met, found] = [0, 0];
    const unmet: string[] = [];
    for (const item of items) {
      const words = wordsOf(item);
      if (words.size === 0) continue;
      if (!words.isDisjointFrom(had)) {
        found++;
        const best = bestOf(words, told);
        if (best !== undefined) taken.add(best);
        if (words.values().some((word) => had.has(word) && /^\p{L}+$/u.test(word))) met++;
      } else if (isWish(item, areWishes)) unmet.push(item);
    }
    const spare = Math.max(tasks.length - taken.size, clauses - found);
    return met > 0 && met >= unmet.length && spare < unmet.length ? unmet : [];
  });
}

function isWish(item: string, areWishes: boolean): boolean {
  if (MANNER.test(item) || DONE.test(item)) return false;
  return item.includes("?") || ASKS.test(item) || areWishes && !TOLD.test(item);
}

/** The task that has most of an item's words. */
function bestOf(words: ReadonlySet<string>, tasks: readonly ReadonlySet<string>[]): number | undefined {
  let [best, most]: [number | undefined, number] = [undefined, 0];
  for (const [place, task] of tasks.entries()) {
    const { size } = words.intersection(task);
    if (size > most) [best, most] = [place, size];
  }
  return best;
}

function listsIn(request: string): List[] {
  const lists: List[] = [];
  let [intro, items, marks]: [string, string[], string[]] = ["", [], []];
  let [before, isOver] = ["", true];
  const end = () => {
    if (items.length > 1 && counts(marks)) lists.push({ intro, items });
    [items, marks] = [[], []];
  };
  for (const line of request.split("\n")) {
    const within = inlineLists(line);
    const mark = MARK.exec(line);
    if (within.length > 0) {
      end();
      lists.push(...within);
      before = line;
    } else if (mark !== null) {
      if (items.length === 0) intro = before;
      items.push(line.slice(mark[0].length).trim());
      marks.push((mark[1] ?? "-").toLowerCase());
      isOver = false;
    } else if (line.trim() === "") isOver = true;
    else {
      // What goes on is indented, or goes on in small letters.
      if (items.length > 0 && !isOver && /^\s|^\p{Ll}/u.test(line)) items[items.length - 1] += ` ${line.trim()}`;
      else end();
      before = line;
    }
  }
  end();
  return lists;
}

/** Lists that stand within a line. */
function inlineLists(line: string): List[] {
  const found = [...line.matchAll(INLINE)];
  if (found.length < 2 || !counts(found.map(([, letter, number]) => (letter ?? number ?? "").toLowerCase()))) return [];
  const [first] = found;
  const items = found.map(({ 0: mark, index }, i) => line.slice(index + mark.length, found[i + 1]?.index).trim());
  return [{ intro: line.slice(0, first?.index), items }];
}

/** Whether marks are those of one list: bullets, or numbers or letters that go on from the first. */
function counts(marks: readonly string[]): boolean {
  const places = marks.map((mark) => /^\d/.test(mark) ? Number(mark) : mark === "-" ? 0 : mark.charCodeAt(0) - 96);
  const isSame = new Set(places).size === 1 && (places[0] ?? 2) < 2;
  return isSame || places.every((place, i) => place === i + 1);
}

/** Where a task asks for one thing more. */
const CLAUSE = /[.?!;](?:\s|$)|,?\s(?:and|or|as well as)\s|,\s/u;

/** Words that any task or request may have. */
const PLAIN = new Set(
  ("about also and any been could does find for from give has have how into its just like look make more much need please say " +
    "see should show some state tell that the their them then there they this was what when where whether which who will with " +
    "would you your want know check").split(" "),
);

/** Telling words, without their endings: a guess that only has to be the same on both sides. */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return new Set(
    words.filter((word) => !PLAIN.has(word)).map((word) => word.replace(/(?<=\p{L}{3})(?:ies|ing|ed|es|s|e|y)$/u, "")),
  );
}
