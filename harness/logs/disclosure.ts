/** Whether a final answer tells of what came to nothing. */
import type { LogCall } from "./call.ts";
import { type FinalStatements, keyWords } from "./statements.ts";

/** The calls of one tool that came to nothing, and were made good by no other. */
export interface Lost {
  /** The tool. */
  readonly tool: string;
  /** Whether it was to change something. */
  readonly isEffect: boolean;
  /** Numbers of the calls. */
  readonly calls: readonly number[];
  /** What the last of them said. */
  readonly says: string;
  /** Whether all that is wrong is that there was nothing. */
  readonly isNothing: boolean;
}

/** Groups calls that came to nothing by their tool. */
export function lostTools(calls: readonly LogCall[]): Lost[] {
  return [...Map.groupBy(calls, ({ key }) => key)].map(([key, own]) => ({
    tool: own.at(-1)?.tool ?? key,
    isEffect: own[0]?.isEffect ?? false,
    calls: own.map(({ index }) => index),
    says: own.at(-1)?.failure?.says ?? "",
    isNothing: own.every(({ failure }) => failure?.kind === "nothing" || failure?.kind === "empty"),
  }));
}

/** Words for acts, and for looking up: what a statement that names no tool is about. */
const ACTS =
  /\b(?:sav(?:e|ed|ing)|writ(?:e|ten|ing)|wrote|creat(?:e|ed|ing|ion)|draw(?:n|ing)?|fill(?:s|ed|ing)?|canvas|sen[dt]|sending|upload\w*|generat\w*|export\w*|convert\w*|conversion|book(?:ed|ing)?|order(?:ed)?|updat\w*|delet\w*|edit\w*|execut\w*|run(?:ning)?|insert\w*|post(?:ed|ing)?|ma(?:ke|de|king)|buil[dt]\w*|produc\w*|add(?:ed|ing)?)\b/i;
const LOOKS =
  /\b(?:search\w*|retriev\w*|access\w*|find|found|fetch\w*|load\w*|look(?:ed|ing)?|data|information|prices?|pricing|results?|listings?|knowledge|web ?sites?|pages?|read(?:ing)?|sources?|current|real-time|live)\b/i;

/**
 * Whether one of the statements is about a tool that came to nothing. One that names another such tool is not; one that
 * names none is, if it speaks of acts where the tool was to act, and of looking up where it was to look up, or of neither.
 */
export function isDisclosed(
  lost: Lost,
  all: readonly Lost[],
  { failures, isError, saysNothing }: FinalStatements,
): boolean {
  if (isError || (lost.isNothing && saysNothing)) return true;
  return failures.some((sentence) => {
    const lower = sentence.toLowerCase();
    const names = ({ tool }: Lost) => keyWords(tool).some((word) => lower.includes(word));
    if (names(lost)) return true;
    if (all.some((other) => other !== lost && other.isEffect !== lost.isEffect && names(other))) return false;
    const [acts, looks] = [ACTS.test(sentence), LOOKS.test(sentence)];
    return acts === looks || (lost.isEffect ? acts : looks);
  });
}
