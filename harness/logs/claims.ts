/** The final answer's statements against what the tools said. */
import { splitClaims } from "../../agents/verifier/mod.ts";
import { verdictOn } from "../score/groundedness/checker.ts";
import { isAnswered, type LogCall } from "./call.ts";
import type { FinalStatements } from "./statements.ts";

/** Verdicts on the statements of one answer. */
export interface ClaimCounts {
  readonly supported: number;
  readonly unsupported: number;
  readonly undetermined: number;
  /** Statements that were not looked at: there are too many. */
  readonly skipped: number;
  /** The first that no result bears out. Untrusted. */
  readonly first: string | undefined;
}

/** Bounds: an answer and its results may be as long as they like. Claims; UTF-16 units of one result, and of all. */
const MAX_CLAIMS = 40;
const MAX_TEXT = 8_000;
const MAX_TEXTS = 60_000;

/** Checks each statement but those of failures and of the whole; `undefined` where no result could bear any out. */
export function claimsOf(
  final: string,
  calls: readonly LogCall[],
  task: string,
  said: FinalStatements,
): ClaimCounts | undefined {
  const results = calls.filter((call) => isAnswered(call) && !call.isDiscovery && call.text?.trim() !== "");
  if (results.length === 0) return undefined;
  let left = MAX_TEXTS;
  const texts = [task, ...results.map(({ text = "", args }) => `${args}\n${text}`)].flatMap((text) => {
    const part = text.slice(0, Math.min(MAX_TEXT, left));
    left -= part.length;
    return part === "" ? [] : [part];
  });
  const aside = [...said.failures, ...said.whole].slice(0, 100);
  const prose = final.slice(0, 20_000).replace(/```[\s\S]*?(?:```|$)/g, "\n").replace(/^\s*#.*$/gm, "");
  // "Perfect!" and titles state nothing.
  const claims = splitClaims(prose).filter((claim) =>
    !aside.some((one) => one.includes(claim) || claim.includes(one)) &&
    (claim.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= 4 && !/[:?]\**$/.test(claim.trim())
  );
  const counts = { supported: 0, unsupported: 0, undetermined: 0 };
  let first: string | undefined;
  for (const claim of claims.slice(0, MAX_CLAIMS)) {
    const verdict = verdictOn(claim, texts);
    counts[verdict]++;
    if (verdict === "unsupported") first ??= claim;
  }
  return { ...counts, skipped: Math.max(0, claims.length - MAX_CLAIMS), first };
}
