/** Whether a call came to nothing: by what the log flags, by the shape of what came back, or by what it plainly is. */
import { clip, oneLine } from "../../core/mod.ts";
import { shapeOf } from "./error_shape.ts";
import { wordsOf } from "./tool_words.ts";
import { bareText, isErrorText, isTroubleText, isUndoneText, MAX_ERROR_TEXT } from "./error_text.ts";

/**
 * How a failure shows:
 *
 * - `flag`: the log or a wrapping of the result says so;
 * - `in_band`: the result calls itself a success and has the shape of an error (see `inBandError`), or is the text of one;
 * - `hollow`: a page that has not been loaded, or that asks whether one is a human, and nothing else;
 * - `empty`: something was to be read, and there is not one character;
 * - `nothing`: what was to be read is said not to be there. That may be the answer, so that hardly anything need be said of
 *   it: see `isDisclosed`.
 */
export type FailureKind = "flag" | "in_band" | "hollow" | "empty" | "nothing";

/** What went wrong. */
export interface Failure {
  readonly kind: FailureKind;
  /** What was said, in one line. Untrusted. */
  readonly says: string;
  /** Whether it is about the arguments of the call alone. */
  readonly ofArguments: boolean;
  /**
   * Whether the result cannot be read otherwise. A short text that merely speaks of trouble may be what was asked for: see
   * `restatedIn`.
   */
  readonly isSure: boolean;
}

/** What is known of a call. */
export interface Seen {
  readonly tool: string;
  /** In lower case. */
  readonly args: string;
  readonly values: readonly string[];
  readonly isEffect: boolean;
  readonly text: string | undefined;
  readonly cut: boolean;
}

/** What the log says itself. */
export interface Flags {
  /** Of the wrapping. */
  readonly isError: boolean;
  /** Each `true`, or what the error says. */
  readonly flags: readonly unknown[];
  readonly inBand: unknown;
}

/** What went wrong in a call; `undefined` if nothing did, or nobody can know. */
export function failureOf(seen: Seen, { isError, flags, inBand }: Flags): Failure | undefined {
  const make = (kind: FailureKind, says: string, isSure = true): Failure => ({
    kind,
    says: clip(oneLine(says.slice(0, 1000).trim()), 200),
    ofArguments: OF_ARGUMENTS.test(says.slice(0, 1000)),
    isSure,
  });
  const said = seen.text?.trim() ?? "";
  const flagged = flags.map(saysFlag).find((text) => text !== undefined);
  if (flagged !== undefined || isError) return make("flag", said === "" ? flagged ?? "an error without words" : said);
  const marked = saysFlag(inBand);
  if (marked !== undefined) return make("in_band", said === "" ? marked : said);
  if (seen.text === undefined) return undefined;
  const shape = shapeOf(seen.text, seen.tool);
  if (shape !== undefined && "error" in shape) return make("in_band", shape.error);
  if (said === "" && !seen.isEffect && !seen.cut) return make("empty", "nothing came back");
  const isNothing = !seen.isEffect && !seen.cut && (shape !== undefined || (said.length < 300 && NOTHING.test(said)));
  // Of what it looked for in vain a tool may say why; that there is nothing may be the answer.
  if (isNothing && !BLOCKED.test(said)) return make("nothing", said);
  if (isUndone(said, seen)) return make("in_band", said);
  const sureness = troubleIn(said, seen);
  if (sureness !== undefined) return make("in_band", said, sureness === "plain");
  return isHollow(said) && !seen.cut ? make("hollow", said) : undefined;
}

/** A result that says that there is nothing, and nothing else. */
const NOTHING =
  /^(?:\[\s*\]|\{\s*\}|(?:sorry, |found )?(?:no|0|zero) (?:\w+ ){0,3}?(?:results?|match(?:es)?|items?|records?|entries|documents?|articles?|data|files|notes|listings?|products?|papers?|hits?|rows?|flights?|hotels?|places?|videos?)\b(?: (?:were |was |are )?(?:found|available|matched|returned|exist))?[^\n]{0,160}|nothing (?:was )?found[^\n]{0,100}|(?:没有找到|未找到|暂无|查无)[^\n]{0,60}|total(?: \w+)? found: 0)$/i;
const BLOCKED = /\b(?:bot detection|rate limit|blocked|delisted|captcha)\b/i;

/** What a flag says, or `undefined` if it is not raised. */
function saysFlag(flag: unknown): string | undefined {
  if (flag === true) return "the log flags an error";
  if (typeof flag === "string") {
    const bare = flag.trim();
    return bare === "" || /^(?:false|none|null|no|ok|0)$/i.test(bare) ? undefined : bare;
  }
  if (typeof flag !== "object" || flag === null || Object.keys(flag).length === 0) return undefined;
  const message: unknown = Reflect.get(flag, "message");
  return typeof message === "string" && message.trim() !== "" ? message : JSON.stringify(flag);
}

const OF_ARGUMENTS =
  /\b(?:invalid (?:arguments?|params?|parameters?|input)|validation error|is a required property|is not of type|missing required|required (?:argument|parameter|property|field)|field required|unexpected keyword|-32602|invalid_type)\b|\bzod/i;

/** Names of tools whose results are somebody's text: what reads like an error there may be a line of a log. */
export const READER =
  /(?:^|[._-])(?:read|open|view|cat|get|fetch)[._-]?(?:text[._-]?)?(?:file|document|note|page|log|content|resource|email|message)/i;

function troubleIn(whole: string, { tool, values }: Seen): ReturnType<typeof isTroubleText> {
  const isReader = READER.test(tool);
  const text = bareText(whole);
  if (!isReader && isCrash(whole)) return "plain";
  if (text.length > MAX_ERROR_TEXT) return undefined;
  if (!isReader) return isTroubleText(text);
  if (text.includes("\n")) return undefined;
  const found = isTroubleText(text);
  // Of what was read the tool knows no name; of what it could not read it says which.
  const lower = text.toLowerCase();
  const isNamed = /\bE[A-Z]{4,}\b/.test(text) || values.some((value) => lower.includes(value));
  return found === undefined ? undefined : isNamed && isErrorText(text) ? "plain" : "likely";
}

/** Acts that work or do not, and have no number or truth to give back; what a program that was run prints is its own. */
const DELIVERS = new Set(["pay", "send", "refund", "cancel", "transfer", "charge"]);
const RUNS = new Set(["run", "execute", "build", "generate", "test", "tests", "make", "replace"]);

/** Whether an act says that it was not done, in words that are not those it was called with: a state may be set to "declined". */
function isUndone(whole: string, { tool, args, isEffect }: Seen): boolean {
  const words = wordsOf(tool);
  if (!isEffect || words.some((word) => RUNS.has(word))) return false;
  if (/^(?:false|40[13]|50[23])$/i.test(whole)) return words.some((word) => DELIVERS.has(word));
  const text = bareText(whole);
  const verb = /\b(?:declined|rejected|refused|denied|failed|aborted|expired)\b/i.exec(text)?.[0].toLowerCase();
  return isUndoneText(text) && (verb === undefined || !args.includes(verb));
}

/** A program that was run and broke: its traceback, or its exit code beside what it complained of. */
function isCrash(text: string): boolean {
  if (text.length > 10 * MAX_ERROR_TEXT) return false;
  if (/traceback \(most recent call last\):/i.test(text)) {
    return /^(?:\w+\.)*\w*(?:Error|Exception|Timeout)\b/m.test(text);
  }
  return /"(?:exit_?code|returncode|return_code)"\s*:\s*-?[1-9]/i.test(text) &&
    /"(?:stderr|error)"\s*:\s*"[^"]/i.test(text);
}

const PLACEHOLDER =
  /^(?:loading|please wait|just a moment|one moment(?: please)?|attention required|redirecting|checking (?:your browser|if the site connection is secure).{0,80}|(?:please )?(?:enable|turn on) (?:javascript|js|cookies).{0,80}|(?:you need to enable )?javascript (?:is|must be) (?:required|disabled|enabled).{0,80}|you need to enable javascript.{0,80}|verify(?:ing)? (?:that )?you are (?:a )?human.{0,80}|are you (?:a robot|human).{0,20}|.{0,40}captcha.{0,40}|access (?:to this page has been )?denied|(?:please )?(?:complete|pass) the security check.{0,60}|sorry, you have been blocked|.{0,30}under maintenance.{0,40})[ .…!]*$/i;
const MAX_HOLLOW = 500;
/** A page that keeps somebody out is longer as HTML. */
const MAX_HOLLOW_PAGE = 20_000;

function isHollow(text: string): boolean {
  if (text === "") return false;
  if (/^<(?:!doctype html|html)\b/i.test(text)) {
    const title = text.length > MAX_HOLLOW_PAGE ? "" : /<title[^>]*>([^<]{0,200})<\/title>/i.exec(text)?.[1] ?? "";
    return title.split(/ ?[|·–—] ?/).some((part) => PLACEHOLDER.test(part.trim()));
  }
  const bare = text.replace(/^contents of \S{1,2000}:\s*/i, "");
  if (bare.length > MAX_HOLLOW) return false;
  const last = bare.split("\n").map((line) => line.trim()).filter((line) => line !== "").at(-1) ?? "";
  return PLACEHOLDER.test(last.replace(/^[#>*\s]+/, ""));
}
