/**
 * Disclosure recall: of what failed, stands in or was not started, the share that the answer says. Structure and prose are
 * counted apart: each is read by somebody who does not see the other.
 */
import type { AnswerFailure } from "../../../agents/mod.ts";
import { failureLines } from "../prose.ts";
import type { Substitution } from "../detector/mod.ts";
import { isStranger } from "../shown.ts";
import { hasStandIn, maySayFailed, maySayReplaced } from "../stranger.ts";
import { type Facts, meanOf, NONE, type Part } from "./part.ts";
import type { Substitute } from "./truth.ts";

/** Credit for what is said, and said wrongly: the code of something else, a substitute without its date. */
const HALF = 0.5;

/** In the structure: a failure with the one right code is 1, with another or several ones a half; likewise substitutes. */
export function structuredRecall({ answer, truth, view }: Facts): Part {
  if (!view.shown.has("answer")) return NONE;
  const of = (name: string) => answer.failures.filter(({ specialist }) => specialist === name);
  return meanOf([
    ...[...truth.failed].map(([name, code]) => {
      const own = of(name);
      const stated = own.length > 0 ? own : (truth.alsoFor.get(name) ?? []).flatMap(of);
      const codes = new Set(stated.map((failure) => failure.code));
      const right = codes.size === 1 && (code === undefined || stated[0]?.code === code);
      return codes.size === 0 ? { credit: 0, wrong: `${name} failed, and the structure does not say so` } : {
        credit: right ? 1 : HALF,
        wrong: `${name} failed with ${code}, and the structure says ${[...codes].join(", ")}`,
      };
    }),
    ...[...truth.substituted].map(([name, substitute]) => ({
      credit: Math.max(0, ...of(name).map((failure) => creditOf(failure, substitute))),
      wrong: `the structure does not say what stands in for ${name}`,
    })),
  ]);
}

function creditOf({ substituted }: AnswerFailure, substitute: Substitute): number {
  if (substituted === undefined) return 0;
  if (substituted.kind !== substitute.by) return HALF;
  return substituted.kind !== "cached" || substitute.by !== "cached" || substituted.asOf === substitute.as_of
    ? 1
    : HALF;
}

/**
 * In the answer's own words: that it failed is 1, whatever the words; a substitute is 1 with its date, a half without. A
 * stranger gets the benefit of the doubt, see `../stranger.ts`.
 */
export function proseRecall({ truth, words, said, view }: Facts): Part {
  const accused = new Set(said.failures.map(({ party }) => party));
  const strange = isStranger(view.shown);
  const fails = (name: string) =>
    accused.has(name) || failureLines(name, words).length > 0 || strange && maySayFailed(view, name);
  return meanOf([
    ...[...truth.failed.keys()].map((name) => ({
      credit: [name, ...truth.alsoFor.get(name) ?? []].some(fails) ? 1 : 0,
      wrong: `${name} failed, and the text does not say so`,
    })),
    ...[...truth.substituted].filter(([name]) => !strange || hasStandIn(view, name)).map(([name, substitute]) => ({
      credit: Math.max(
        strange ? doubtful(view, name, substitute) : 0,
        ...said.substitutions.map((one) => proseCredit(one, name, substitute)),
      ),
      wrong: `the text does not say what stands in for ${name}${
        substitute.by === "cached" ? `, or not as of when` : ""
      }`,
    })),
  ]);
}

/** Of a stranger, who may say the date elsewhere, or write it otherwise. */
function doubtful(view: Facts["view"], name: string, substitute: Substitute): number {
  const asOf = substitute.by === "cached" ? substitute.as_of : undefined;
  if (maySayReplaced(view, name, substitute.by, asOf)) return 1;
  return maySayReplaced(view, name, substitute.by) ? HALF : 0;
}

function proseCredit({ party, sentence }: Substitution, name: string, substitute: Substitute): number {
  if (party !== name) return 0;
  return substitute.by !== "cached" || sentence.includes(substitute.as_of) ? 1 : HALF;
}
