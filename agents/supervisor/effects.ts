/** What a worker has done, stated from the record of its calls where none of its claims tells of it. */
import { asMade } from "../gate/denial.ts";
import { clip, type FailureCode, oneLine } from "../../core/mod.ts";
import type { Effect, Finding, Report } from "../types.ts";

/** A sentence that stands, and the observations that it rests on. */
export interface Told {
  /** The sentence. */
  readonly claim: string;
  /** Ids of the observations. */
  readonly evidence: readonly string[];
}

/** The longest part of a result, and of arguments, that is quoted, in UTF-16 units. */
const QUOTE = 300;

/**
 * One finding for each effect that no claim tells of. A claim tells of an effect if it names a code that is in the
 * result and not in the call: whoever names it is speaking of this one. Where it is not known whether there was an effect at
 * all, a claim that rests on the result will do.
 *
 * @param told Sentences that the observations bear out.
 * @param code Why the report failed, if it has: `outcome_unknown` says itself which calls are in doubt.
 */
export function untold(effects: readonly Effect[], told: readonly Told[], code?: FailureCode): Finding[] {
  const named = new Set(told.flatMap(({ claim }) => codesIn(claim)));
  const rested = new Set(told.flatMap(({ evidence }) => evidence));
  const findings = new Map<string, Finding>();
  for (const { observation, state } of effects) {
    if (state === "unknown" && code === "outcome_unknown") continue;
    if (state === "possible" && rested.has(observation.id)) continue;
    const codes = state === "unknown" ? [] : codesOf(observation);
    if (codes.some((one) => named.has(one))) continue;
    const { tool, args, text } = observation;
    const call = codes.length > 0 ? tool : `${tool} ${quote(JSON.stringify(args))}`;
    const claim = state === "unknown"
      ? `${call} may have been carried out: nobody knows`
      // Its server's word, and no more: one that says ok may have done nothing.
      : `${call} ${state === "done" ? "was reported done" : "answered"}: ${quote(asMade(text))}`;
    // The same twice is one effect that was asked for twice.
    findings.set(claim, { claim, observations: [observation], verdict: "supported" });
  }
  return [...findings.values()];
}

/**
 * What other attempts at a packet have done and the report that stands does not tell, each as a report of its own.
 *
 * @param stands Its findings have been checked.
 */
export function untoldBefore(attempts: readonly Report[], stands: Report): Report[] {
  const told = stands.findings.filter(({ verdict }) => verdict !== "undetermined")
    .map(({ claim, observations }): Told => ({ claim, evidence: observations.map(({ id }) => id) }));
  return attempts.flatMap((report) => {
    if (report === stands) return [];
    const findings = untold(report.effects ?? [], told);
    if (findings.length === 0) return [];
    told.push(...findings.map(({ claim }) => ({ claim, evidence: [] })));
    return [{ ...report, findings, note: findings.map(({ claim }) => claim).join("\n") }];
  });
}

/** What in a result tells it from others: words with a letter and a digit that the call did not have. */
function codesOf({ args, text }: Effect["observation"]): string[] {
  const given = new Set(codesIn(JSON.stringify(args)));
  return codesIn(text).filter((code) => !given.has(code));
}

function codesIn(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? [];
  return words.filter((word) => word.length >= 4 && /\p{N}/u.test(word) && /\p{L}/u.test(word));
}

const quote = (text: string): string => clip(oneLine(text), QUOTE);
