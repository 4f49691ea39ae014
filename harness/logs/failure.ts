/** Whether a call came to nothing: by what the log flags, by the shape of what came back, or by what it plainly is. */
import { inBandError } from "../../agents/mod.ts";
import { clip, oneLine } from "../../core/mod.ts";

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
}

/** What is known of a call. */
export interface Seen {
  readonly tool: string;
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
  const make = (kind: FailureKind, says: string): Failure => ({
    kind,
    says: clip(oneLine(says.slice(0, 1000).trim()), 200),
    ofArguments: OF_ARGUMENTS.test(says.slice(0, 1000)),
  });
  const said = seen.text?.trim() ?? "";
  const flagged = flags.map(saysFlag).find((text) => text !== undefined);
  if (flagged !== undefined || isError) return make("flag", said === "" ? flagged ?? "an error without words" : said);
  const marked = saysFlag(inBand);
  if (marked !== undefined) return make("in_band", said === "" ? marked : said);
  if (seen.text === undefined) return undefined;
  const shaped = inBandError(seen.text);
  if (shaped !== undefined) return make("in_band", shaped);
  if (isErrorText(said, seen)) return make("in_band", said);
  if (isHollow(said) && !seen.cut) return make("hollow", said);
  if (seen.isEffect || seen.cut) return undefined;
  if (said === "") return make("empty", "nothing came back");
  return said.length < 300 && NOTHING.test(said) ? make("nothing", said) : undefined;
}

/** A result that says that there is nothing, and nothing else. */
const NOTHING =
  /^(?:\[\s*\]|\{\s*\}|\{\s*"(?:results?|items?|data|hits|matches|records|articles|documents)"\s*:\s*\[\s*\]\s*\}|(?:sorry, )?(?:no|0|zero) (?:\w+ ){0,3}?(?:results?|match(?:es)?|items?|records?|entries|documents?|articles?|data|files|notes|listings?|products?|papers?)\b(?: (?:were |was |are )?(?:found|available|matched|returned|exist))?[^\n]{0,160}|nothing (?:was )?found[^\n]{0,100})$/i;

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
  /\b(?:invalid (?:arguments?|params?|parameters?|input)|validation error|is a required property|is not of type|missing required|required (?:argument|parameter|property|field)|unexpected keyword|-32602|invalid_type)\b|\bzod/i;

/** Longest text that is taken for an error's: those of tools are short, and a document that is about one is not. */
const MAX_ERROR_TEXT = 600;

/** What an error says, behind the word. "Error: the film, a review" has none of it. */
const CUE =
  "time-?out|timed out|not found|no such|refused|denied|invalid|required|exceed|fail(?:ed|ure)|unable|cannot|could not|can't|couldn't|" +
  "anomaly|too (?:many|quickly|large|long)|unavailable|unauthori[sz]ed|forbidden|not (?:defined|supported|allowed|exist|available|permitted|installed|reachable)|" +
  "does not|doesn't|expired|limit|network|status(?: code)?|exception|missing|traceback|net::err_|\\berr_[a-z]+|[45]\\d\\d\\b|api key|not a |no (?:canvas|session|connection|response|permission)";

/** What HTTP calls its failures (RFC 9110 §15). */
const REASON =
  "bad request|unauthori[sz]ed|forbidden|not found|method not allowed|request time-?out|too many requests|internal server error|" +
  "not implemented|bad gateway|service (?:temporarily )?unavailable|gateway time-?out";

const ERROR_TEXTS: readonly RegExp[] = [
  new RegExp(
    `^(?:an? )?(?:unexpected |internal |fatal |server |tool )?(?:error|exception)\\b[^\\n]{0,80}?(?:[:\\-–]|occurred)[^]*?(?:${CUE})`,
    "i",
  ),
  /^(?:\w+\.)*[A-Z]\w*(?:Error|Exception)\b[ :(]/,
  /^error (?:executing|calling|invoking|running|fetching|in|while)\b/i,
  /^mcp error -?\d+/i,
  /^traceback \(most recent call last\)/i,
  /^(?:the )?(?:tool(?: call)?|request|operation|connection|call|query|command|execution|server|api|search|fetch|navigation)\b[^\n]{0,60}?\b(?:timed out|failed|was refused|refused|aborted|was cancell?ed|unavailable|is not defined|is not available|not responding)\b/i,
  /^(?:failed|unable|could not|couldn't|cannot) (?:to )?[a-z]+ [^\n]{2,400}$/i,
  /^(?:(?:api )?rate limit|quota)\b[^\n]{0,40}\b(?:exceeded|reached|hit)/i,
  /^(?:too many requests|access denied|permission denied|unauthori[sz]ed|forbidden|service unavailable|bad gateway|gateway time-?out|internal server error|connection (?:error|refused|reset|timed out|timeout))\b[^\n]{0,200}$/i,
  new RegExp(`^(?:http(?:/\\d(?:\\.\\d)?)? ?(?:error |status )?)?[45]\\d\\d[ :.-]+(?:${REASON})`, "i"),
  /^(?:input|output|schema)? ?validation error\b/i,
  /^(?:unknown|invalid|no such|undefined) (?:tool|server|method|command|function|argument|parameter)s?\b/i,
  /^no results (?:were )?found[^]{0,200}\b(?:bot detection|rate limit|try again|blocked)/i,
];

/** Tools whose results are somebody's text: what reads like an error there may be a line of a log. */
const READER =
  /(?:^|[._-])(?:read|open|view|cat|get|fetch)[._-]?(?:text[._-]?)?(?:file|document|note|page|log|content|resource|email|message)/i;

function isErrorText(whole: string, { tool, values }: Seen): boolean {
  const text = whole.replace(/^(?:[#>*\s]|❌|⚠️?)+/u, "").replace(/^error[*\s]*\n\s*/i, "");
  if (text === "" || text.length > MAX_ERROR_TEXT) return !READER.test(tool) && isCrash(whole);
  if (!isErrorLike(text)) return !READER.test(tool) && isCrash(whole);
  if (!READER.test(tool)) return true;
  // Of what was read the tool knows no name; of what it could not read it says which.
  const lower = text.toLowerCase();
  return !text.includes("\n") && (/\bE[A-Z]{4,}\b/.test(text) || values.some((value) => lower.includes(value)));
}

const isErrorLike = (text: string): boolean =>
  ERROR_TEXTS.some((pattern) => pattern.test(text)) || /^Error: [^\n]{0,80}\bE[A-Z]{4,}\b/.test(text);

/** A program that was run and broke: its traceback, or its exit code beside what it complained of. */
function isCrash(text: string): boolean {
  if (text.length > 10 * MAX_ERROR_TEXT) return false;
  if (/traceback \(most recent call last\):/i.test(text)) return /^(?:\w+\.)*\w*(?:Error|Exception)\b/m.test(text);
  return /"(?:exit_?code|returncode|return_code)"\s*:\s*-?[1-9]/i.test(text) &&
    /"(?:stderr|error)"\s*:\s*"[^"]/i.test(text);
}

const PLACEHOLDER =
  /^(?:loading|please wait|just a moment|one moment(?: please)?|redirecting|checking (?:your browser|if the site connection is secure).{0,80}|(?:please )?(?:enable|turn on) (?:javascript|js|cookies).{0,80}|(?:you need to enable )?javascript (?:is|must be) (?:required|disabled|enabled).{0,80}|you need to enable javascript.{0,80}|verify(?:ing)? (?:that )?you are (?:a )?human.{0,80}|are you (?:a robot|human).{0,20}|.{0,40}captcha.{0,40}|access denied)[ .…!]*$/i;
const MAX_HOLLOW = 500;

function isHollow(text: string): boolean {
  if (text === "" || text.length > MAX_HOLLOW) return false;
  const last = text.split("\n").map((line) => line.trim()).filter((line) => line !== "").at(-1) ?? "";
  return PLACEHOLDER.test(last.replace(/^[#>*\s]+/, ""));
}
