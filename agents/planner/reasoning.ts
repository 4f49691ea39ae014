/**
 * Tags around a model's reasoning. What stands inside is no answer, however much it looks like one.
 *
 * All tags count as one family, so that a mismatched closer still closes; they nest.
 */

const NAMES =
  "think(?:ing)?|thoughts?|reason(?:ing)?|reflect(?:ion)?|scratch_?pad|analysis|draft|(?:inner_?)?monologue";
const OPEN = String
  .raw`<(?:\w{1,20}:)?(?:${NAMES})(?:\s[^<>]{0,200})?>|<\|begin_of_thought\|>|\[think(?:ing)?\]|<\|think(?:ing)?\|>|◁think▷` +
  String.raw`|<\|channel\|>\s?(?:analysis|commentary)[^<]{0,80}<\|message\|>`;
const CLOSE = String
  .raw`<\/(?:\w{1,20}:)?(?:${NAMES})\s?>|<\|end_of_thought\|>|\[\/think(?:ing)?\]|<\|\/think(?:ing)?\|>|◁\/think▷|<\|end\|>`;
const TAG = new RegExp(`(${OPEN})|${CLOSE}`, "giu");
const TAG_HERE = new RegExp(`(${OPEN})|${CLOSE}`, "iuy");

/** A tag at an offset. */
export interface ReasoningTag {
  readonly kind: "open" | "close";
  /** Offset after the tag. */
  readonly end: number;
}

/** The reasoning tag that stands at an offset, if one does. */
export function reasoningTag(text: string, at: number): ReasoningTag | undefined {
  TAG_HERE.lastIndex = at;
  const found = TAG_HERE.exec(text);
  return found === null ? undefined : { kind: found[1] === undefined ? "close" : "open", end: at + found[0].length };
}

/** The offset after the reasoning whose opening tag ends at `from`, or `undefined` if the reasoning never ends. */
export function reasoningEnd(text: string, from: number): number | undefined {
  TAG.lastIndex = from;
  for (let depth = 1; depth > 0;) {
    const found = TAG.exec(text);
    if (found === null) return undefined;
    depth += found[1] === undefined ? -1 : 1;
  }
  return TAG.lastIndex;
}
