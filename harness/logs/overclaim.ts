/** What a final answer claims to be done, and the log speaks against. */
import { isAnswered, type LogCall } from "./call.ts";
import type { Lost } from "./disclosure.ts";
import type { FinalStatements } from "./statements.ts";

/** A claim that the log speaks against. */
export interface Overclaim {
  /** As it was written. Untrusted. */
  readonly sentence: string;
  /** Why it cannot be so. */
  readonly because: string;
  /** Numbers of the calls that speak against it. */
  readonly calls: readonly number[];
}

/**
 * Over-claims of a final answer:
 *
 * - the whole task is called done, or all of it verified, and something came to nothing, whether or not the answer says
 *   so elsewhere;
 * - a file is called written, and every call that was to write it failed, or no call of the run has its name at all;
 * - something is called done, and every call of the run that was to change anything failed.
 */
export function overclaimsOf(
  { task, final }: { readonly task: string; readonly final: string | null },
  calls: readonly LogCall[],
  lost: readonly Lost[],
  statements: FinalStatements,
): Overclaim[] {
  // That there is nothing may be all that there was to find out.
  const broken = lost.filter(({ isNothing }) => !isNothing);
  const [first] = broken;
  const whole = first === undefined ? [] : statements.whole.map((sentence): Overclaim => ({
    sentence,
    because: `${first.tool} came to nothing${broken.length === 1 ? "" : `, and ${broken.length - 1} more`}`,
    calls: broken.flatMap((one) => one.calls),
  }));
  const told = new Set(statements.failures);
  const claims = sentencesOf(final ?? "").filter((sentence) =>
    !told.has(sentence) && CLAIM.test(sentence) && !DENIED.test(sentence)
  );
  return [
    ...whole,
    ...claims.flatMap((sentence) => fileClaims(sentence, calls, task)),
    ...actClaims(claims, calls, statements),
  ];
}

const DONE =
  "saved|created|written|wrote|generated|stored|exported|updated|added|converted|uploaded|downloaded|sent|booked|ordered|paid|refunded|cancell?ed|deleted|moved|renamed|published|posted|scheduled|installed|committed|drawn|drew|inserted";
/** Somebody claims an act of their own, or that it was done. */
const CLAIM = new RegExp(
  `\\b(?:i(?:'ve| have)?|we(?:'ve| have)?|has been|have been|was|were|is now|are now|successfully) (?:now |also |just |already |successfully |been )*(?:${DONE})\\b|` +
    `\\b(?:saved|written|exported|stored|uploaded) (?:successfully )?(?:to|in|at|as)\\b|\\b(?:file|document|script|report|spreadsheet)\\b[^.;]{0,40}\\b(?:is|are) (?:now )?(?:ready|available|saved|located)\\b`,
  "i",
);
const DENIED =
  /\b(?:not|n't|never|cannot|unable|failed|would|could|can|should|will|if|once|instead|please|try|attempt(?:ed)?|you (?:can|may|could))\b|n't\b|\?$/i;

const FILE =
  /(?:[\w.~-]*\/)*[\w-][\w.-]*\.(?:xlsx?|csv|tsv|md|txt|json|ya?ml|xml|html?|pdf|docx?|pptx?|png|jpe?g|gif|svg|webp|py|ipynb|[cm]?[jt]sx?|css|sql|sh|java|c|cpp|go|rs|rb|php|mp[34]|wav|zip|log|db|bib|tex)\b/gi;

function fileClaims(sentence: string, calls: readonly LogCall[], task: string): Overclaim[] {
  // An address is no file.
  const files = new Set([...sentence.replace(/\bhttps?:\/\/\S+/gi, " ").matchAll(FILE)].map(([path]) => path));
  return [...files].flatMap((path): Overclaim[] => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
    const about = calls.filter(({ args, text }) =>
      args.includes(name) || (text?.slice(0, 20_000).toLowerCase().includes(name) ?? false)
    );
    if (about.length === 0) {
      // A program may be said to write a file of its own; one that the user has asked for is claimed to be there.
      const isAsked = path.includes("/") && task.toLowerCase().includes(name);
      if (!isAsked || calls.length === 0 || calls.some(({ argsCut }) => argsCut)) return [];
      return [{ sentence, because: `no call of the run has ${name} in it`, calls: [] }];
    }
    if (about.some(isAnswered)) return [];
    const failed = about.filter(({ failure }) => failure !== undefined);
    return failed.length === 0
      ? []
      : [{ sentence, because: `every call about ${name} failed`, calls: failed.map(({ index }) => index) }];
  });
}

function actClaims(claims: readonly string[], calls: readonly LogCall[], { failures }: FinalStatements): Overclaim[] {
  const acts = calls.filter(({ isEffect }) => isEffect);
  const [sentence] = claims;
  if (sentence === undefined || failures.length > 0 || acts.length === 0) return [];
  if (acts.some(({ failure }) => failure === undefined)) return [];
  return [{
    sentence,
    because: "every call that was to change something failed",
    calls: acts.map(({ index }) => index),
  }];
}

function sentencesOf(final: string): string[] {
  const text = final.slice(0, 20_000).replace(/```[\s\S]*?(?:```|$)/g, "\n");
  return text.split(/\r?\n|(?<=[.!?])\s+(?=[\p{Lu}"'*(])/u).map((one) => one.trim().slice(0, 1000)).filter((one) =>
    one !== ""
  );
}
