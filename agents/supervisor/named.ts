/** Things that a request names in one breath, as in `orders 1182, 1183 and order 1184`, and of which the tasks name some. */

/** A number, a file, an address, an id; or a name with a capital, of one word or more. */
const NAME = /[\p{L}\p{N}](?:[\p{L}\p{N}._/@-]*[\p{L}\p{N}])?/gu;
/** What joins things in one breath, a noun before the second one aside. */
const JOINED = /^(?:,?\s+(?:(and|as well as)|(or)|(&))\s+|\s*(,)\s*|\s*\/\s*)(?:the\s+)?(?:(\p{Ll}+)\s+)?[#\u2116]?$/u;
/** What is no thing to look into: parts of dates and of the day, titles, whoever writes. */
const NO_THING = new Set(
  ("january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec " +
    "monday tuesday wednesday thursday friday saturday sunday mr mrs ms dr prof ok usd eur gbp chf").split(" "),
);
/** What counts or measures, and names nothing. */
const AMOUNT =
  /^\p{N}{1,2}$|^\p{N}+[.,/]\p{N}+$|^\p{N}+(?:st|nd|rd|th)$|^\p{N}+(?:[.,]\p{N}+)?\p{L}{1,3}$|^\p{N}{1,4}([./-])\p{N}{1,2}\1\p{N}{1,4}$/iu;
const ABBREVIATION = /^(?:\p{L}\.)+\p{L}$/u;
const BEFORE_AMOUNT =
  /(?:[$\u20ac\u00a3\u00a5]\s*|\b(?:between|about|around|roughly|approximately|some|from|within|over|under|almost|nearly|paid|pay|cost|costs|chapters?|pages?|steps?|items?|rows?|lines?|articles?)\s+)$/iu;
const AFTER_AMOUNT =
  /^\s*(?:[$\u20ac\u00a3\u00a5%]|(?:dollars?|euros?|cents?|pounds?|usd|eur|gbp|percent|days?|weeks?|months?|years?|hours?|minutes?|seconds?|times|people|persons|items|pieces|words|tokens|lines|characters|km|kg|miles)\b)/iu;
/** A sentence that tells something: names of people and places in it are no more than that. */
const TELLS =
  /^\W*(?:i|we|my|our|he|she|they|it|his|her|their|this|that|there|the|a|an|on|in|at|last|yesterday|today|hello|hi|dear|thanks|thank|best|kind|warm|regards|yours|sincerely|cheers|greetings|as|since|when|after|because|before|by|until|while|if|for|with|from|about|to|must|should|needs?|runs?)\b|^\s*[\p{L} ]{1,20}:/iu;
/** How a question begins that both sides of an "or" are needed for. */
const CHOICE = /^\W*(?:which|who|what|where|how|is|are|was|were|does|do|did|has|have)\b/iu;
/** Words by which tasks mean the others without a name. */
const THE_OTHERS =
  /\b(?:both|the others?|others|the rest|remaining|each of|each one|one by one|(?:the|all) (?:two|three|four|five|six|\d+)|all (?:these|those|of them))\b/iu;

/** As far as a sentence is looked at from a name, in UTF-16 units. */
const NEAR = 400;

interface Name {
  readonly text: string;
  readonly index: number;
  readonly isWord: boolean;
}

/** Names of a request, of which the tasks have others of the same breath and not these. */
export function unnamed(request: string, tasks: string): string[] {
  if (THE_OTHERS.test(tasks)) return [];
  const has = namesIn(tasks);
  const small = ` ${tasks}`;
  return breathsOf(request).flatMap((breath) => {
    // Words that tasks have in small letters are no names.
    if (
      breath.some(({ text, isWord }) => isWord && !tasks.includes(text) && small.includes(` ${text.toLowerCase()}`))
    ) {
      return [];
    }
    const missing = breath.filter((name) => !has(name, breath));
    // `The CEO and the finance chief`: it may be the other one in other words.
    if (breath.some((name) => name.isWord && !missing.includes(name) && isJoined(name.text, tasks))) return [];
    return missing.length < breath.length ? missing.map(({ text }) => text) : [];
  });
}

/** Whether a name is joined to something in the tasks. */
function isJoined(name: string, tasks: string): boolean {
  for (let at = tasks.indexOf(name); at >= 0; at = tasks.indexOf(name, at + name.length)) {
    const [before, after] = [
      tasks.slice(Math.max(0, at - 20), at),
      tasks.slice(at + name.length, at + name.length + 20),
    ];
    if (/(?:,|\b(?:and|or|&)) (?:the )?$/u.test(before) || /^(?:,|,? (?:and|or)|\s?&) /u.test(after)) return true;
  }
  return false;
}

function breathsOf(request: string): Name[][] {
  const names = readNames(request);
  const breaths: Name[][] = [];
  let [joined, isList] = [false, true];
  let noun: string | undefined;
  const end = () => {
    // What is joined by commas alone may be a date, an address, a number with its thousands.
    if (!joined || !isList) breaths.pop();
  };
  for (const [i, name] of names.entries()) {
    const before = names[i - 1];
    const link = before === undefined ? undefined : linkOf(before, name, noun, request);
    if (link !== undefined) {
      // `Portland, Oregon and Austin, Texas` are two.
      if (joined && link === "," && name.isWord) isList = false;
      joined ||= link === "and";
      breaths.at(-1)?.push(name);
      continue;
    }
    end();
    [joined, isList] = [false, true];
    noun = /(\p{Ll}+)\s+(?:the\s+)?$/u.exec(request.slice(Math.max(0, name.index - 60), name.index))?.[1];
    breaths.push([name]);
  }
  end();
  return breaths;
}

/** Numbers with thousands are one, and so are names of several words. */
function readNames(request: string): Name[] {
  const names: Name[] = [];
  for (const { 0: text, index } of request.matchAll(NAME)) {
    const before = request.slice(Math.max(0, index - 40), index);
    const isThing = /[\p{N}@]|\p{L}[./]\p{L}/u.test(text) && !ABBREVIATION.test(text);
    const isFirst = index === 0 || /(?:[.?!:\u00b6]|\n)\s*$/u.test(before);
    const isWord = !isThing && /^\p{Lu}\p{L}/u.test(text) && !isFirst && !NO_THING.has(text.toLowerCase());
    const last = names.at(-1);
    const isOneWithLast = last !== undefined && isWord && last.isWord &&
      request.slice(last.index + last.text.length, index) === " ";
    if (isOneWithLast) names[names.length - 1] = { ...last, text: `${last.text} ${text}` };
    else if (isWord || isThing && !isAmount(text, before, request.slice(index + text.length))) {
      names.push({ text, index, isWord });
    }
  }
  return names;
}

function isAmount(text: string, before: string, after: string): boolean {
  if (AMOUNT.test(text)) return true;
  // Of what is joined to thousands by a comma without a space, or stands for money or time.
  return /^\p{N}+$/u.test(text) &&
    (/\p{N},$/u.test(before) || /^,\p{N}/u.test(after) || BEFORE_AMOUNT.test(before) || AFTER_AMOUNT.test(after));
}

/** How a name is joined to the one before it; `undefined` if it is not, or if they are not of a kind. */
function linkOf(a: Name, b: Name, noun: string | undefined, request: string): "and" | "," | undefined {
  const link = JOINED.exec(request.slice(a.index + a.text.length, b.index).replace(/\s+/gu, " "));
  if (link === null || a.isWord !== b.isWord || shapeOf(a) !== shapeOf(b)) return undefined;
  const [, , or, ampersand, comma, word] = link;
  if (word !== undefined && (noun === undefined || singular(word) !== singular(noun))) return undefined;
  // Firms are called so.
  if (ampersand !== undefined && b.isWord) return undefined;
  // In what is only told, names and phone numbers are nothing to look into.
  const isDoubtful = b.isWord || or !== undefined || /^\p{N}+(?:-\p{N}+)+$/u.test(b.text);
  if (isDoubtful && !isAsked(request, a.index, b.index, or !== undefined)) return undefined;
  return comma === undefined ? "and" : ",";
}

const singular = (noun: string): string => noun.replace(/s$/u, "");

/** Whether a sentence asks for something: it is a question, or it does not begin as what only tells. Of a choice, what asks for both. */
function isAsked(request: string, from: number, to: number, isChoice: boolean): boolean {
  const start = request.slice(Math.max(0, from - NEAR), from).split(/[.?!]\s+|\n/u).at(-1) ?? "";
  const rest = request.slice(to, to + NEAR);
  const end = rest[rest.search(/[.!?](?:\s|$)|\n/u)];
  return isChoice ? end === "?" && CHOICE.test(start) : end === "?" || !TELLS.test(start);
}

/** What kind of name it is: words in capitals or not; where else there are letters, and where how many digits. */
function shapeOf({ text, isWord }: Name): string {
  if (isWord) return text === text.toUpperCase() ? "A" : "a";
  const ofFile = /\.(\p{L}{1,5})$/u.exec(text);
  if (ofFile !== null) return "file";
  return /^\p{N}+$/u.test(text) ? text.replace(/\p{N}/gu, "9") : text.replace(/\p{L}+/gu, "a").replace(/\p{N}+/gu, "9");
}

const RANGE = /(\p{L}{0,8})[-_]?(\p{N}{1,9})\s*(?:-|\u2013|to|through|until)\s*(?:\p{L}{1,8}[-_]?)?(\p{N}{1,9})/gu;

/** What tasks name, in whatever form: a file without its folder or a folder without the file, the number of an id, a range. */
function namesIn(tasks: string): (name: Name, breath: readonly Name[]) => boolean {
  const words = tasks.toLowerCase();
  const had = new Set<string>();
  for (const [token] of words.matchAll(NAME)) {
    had.add(token);
    for (const part of token.split(/[._/@-]+/u)) had.add(part);
    had.add(token.slice(token.lastIndexOf("/") + 1));
  }
  const ranges = [...words.matchAll(RANGE)].map(([, kind = "", low, high]) => ({
    kind,
    low: Number(low),
    high: Number(high),
  }));
  const hasWord = (word: string) =>
    had.has(word) || word.length >= 6 && had.values().some((other) => other.startsWith(word.slice(0, -2)));
  return ({ text, isWord }, breath) => {
    const name = text.toLowerCase();
    if (isWord) {
      const others = new Set(
        breath.filter((one) => one.text !== text).flatMap((one) => one.text.toLowerCase().split(" ")),
      );
      const own = name.split(" ").filter((word) => !others.has(word));
      return own.length === 0 || own.some(hasWord) || isSpeltOut(text, tasks);
    }
    if (had.has(name) || had.has(name.slice(name.lastIndexOf("/") + 1))) return true;
    const folders = name.split("/").slice(0, -1);
    if (folders.length > 0 && words.includes(`${folders.join("/")}/ `)) return true;
    const [, kind = "", digits = ""] = /^(\p{L}*)[-_]?(\p{N}+)$/u.exec(name) ?? [];
    if (digits === "") return false;
    const place = Number(digits);
    return digits.length > 2 && had.has(digits) ||
      ranges.some((range) => range.low <= place && place <= range.high && (range.kind === kind || range.kind === ""));
  };
}

/** Whether an abbreviation stands there in full: the EU as the European Union. */
function isSpeltOut(text: string, tasks: string): boolean {
  if (!/^\p{Lu}{2,5}$/u.test(text)) return false;
  return new RegExp([...text].map((letter) => `\\b${letter}\\p{L}+`).join("\\W+(?:(?:of|the|and)\\W+)*"), "u").test(
    tasks,
  );
}
