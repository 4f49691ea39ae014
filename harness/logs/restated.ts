/** Whether a result that speaks of trouble is what was asked for: the answer then has what it says. */
import type { LogCall } from "./call.ts";
import { isInspector } from "./error_text.ts";
import { READER } from "./failure.ts";

/** More of either text is not compared. In UTF-16 units. */
const MAX_COMPARED = 20_000;
/** So many longer words, or pairs of characters of a script without spaces, are not shared by chance. */
const LEAST_WORDS = 2;
const LEAST_PAIRS = 4;

/** Words that errors and answers that tell of them have in common. */
const COMMON = new Set(
  ("error errors failed failure request requests timeout timed found connection server service access denied permission please again later " +
    "retry limit exceeded unavailable invalid missing required unable could cannot tool tools search result results response this that with from " +
    "your have been which there their about after before when what where while would should other these those more most some only also than then " +
    "using used into over page site video file data query order information current currently message status code expired token")
    .split(" "),
);

/**
 * Tells of a call whether the final answer says what its result says, beyond what the task and the call have said before
 * it. A number that both have is enough, and so are two longer words.
 */
export function restatedIn(task: string, final: string): (call: LogCall) => boolean {
  const words = lazy(() => wordsIn(final.slice(0, MAX_COMPARED)));
  const asked = lazy(() => wordsIn(task.slice(0, MAX_COMPARED)));
  return ({ text = "", args, tool }) => {
    const known = asked().union(wordsIn(`${args} ${tool}`));
    const own = [...wordsIn(text.slice(0, MAX_COMPARED)).intersection(words()).difference(known)];
    const isAsked = isInspector(tool) || READER.test(tool);
    return own.some((word) => /\p{N}/u.test(word) && !/^(?:[1-9]|40[01348]|42[29]|50[0234])$/.test(word)) ||
      own.filter((word) => word.length >= 5 && /^\p{ASCII}+$/u.test(word) && (isAsked || !COMMON.has(word))).length >=
        LEAST_WORDS ||
      own.filter((word) => /^[^\p{ASCII}]{2}$/u.test(word)).length >= LEAST_PAIRS;
  };
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Words in small letters; of a script without spaces every pair of characters. */
function wordsIn(text: string): Set<string> {
  const words =
    text.toLowerCase().match(/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]+(?:[.,][\p{N}]+)*/gu) ?? [];
  const runs = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}/gu) ?? [];
  return new Set([...words, ...runs.flatMap((run) => Array.from(run, (_, i) => run.slice(i, i + 2)).slice(0, -1))]);
}
