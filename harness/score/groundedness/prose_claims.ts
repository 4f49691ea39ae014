/** The claims of an answer that is text alone: what is found in it, without what it says of itself and of what is missing. */
import { type ClaimVerdict, splitClaims } from "../../../agents/verifier/mod.ts";
import { detectStatements, knownParties } from "../detector/mod.ts";
import { isFailedResult } from "../result_shape.ts";
import { isStranger } from "../shown.ts";
import { mayAccuse, statementsIn } from "../stranger.ts";
import type { SeenCall, TraceView } from "../view.ts";
import { verdictOn } from "./checker.ts";
import { effectVerdict } from "./effect_lines.ts";

/** A sentence of a text, with what the world has on record for it. */
export interface ProseClaim {
  readonly claim: string;
  readonly verdict: ClaimVerdict;
  /** What it may rest on: all of one body of texts, or all of another. */
  readonly bodies: readonly (readonly string[])[];
}

/** Who says so, before what is said: `[billing]`, `Billing:`, `- **Policy** (cached):`. */
const LABEL =
  /^\s*(?:[-*•]\s+|\d+[.)]\s+)?(?:\[[^\]\n]{1,80}\]|(?:\*\*|__)?[\p{L}][\p{L} _-]{1,30}(?:\*\*|__)?(?: \([^)\n]{1,40}\))?:(?=\s))\s*/u;
/** What a sentence says of the answer itself, or of why something is missing, is no finding. */
const OF_ITSELF =
  /\b(?:this|the|my|our) (?:answer|response|reply|report|summary|request)\b|\bwhat (?:is missing|it reported)\b|\b(?:that|this) part\b|^(?:reason|cause|error|details?|note):/i;

/**
 * Checks each sentence of a text that states no failure, no doubt, no substitute and nothing of the answer itself. Whose
 * results it rests on, the text need not say: it is borne out if all results together bear it out, or those of any one
 * server, or what stands in, or what people have said.
 *
 * @param most Claims that are checked, at most.
 */
export function proseClaims(text: string, view: TraceView, most: number): ProseClaim[] {
  if (!isStranger(view.shown)) return ofSections(text, view, most);
  const bodies = bodiesOf(view);
  const { hedges, overclaims, substitutions } = statementsIn(view);
  const aside = new Set([...hedges, ...overclaims]);
  const replaced = new Set(substitutions.map(({ sentence }) => sentence));
  return text.split(/[\r\n]+/).flatMap((line): ProseClaim[] => {
    const body = line.replace(LABEL, "").trim();
    const effect = effectVerdict(body, undefined, view);
    if (effect !== undefined) return [{ claim: body, verdict: effect, bodies }];
    return splitClaims(body).map((claim) => claim.replace(/ ?\(unconfirmed\)/g, "")).filter((claim) =>
      claim !== "" && !aside.has(claim) && !OF_ITSELF.test(claim) && !replaced.has(claim) && !mayAccuse(view, claim)
    ).map((claim) => ({ claim, bodies, verdict: bestOf(bodies.map((texts) => verdictOn(claim, texts))) }));
  }).slice(0, most);
}

/** Of a text by somebody whose answers have sections, and which has none. */
function ofSections(text: string, { calls, trace: { crew, scenario } }: TraceView, most: number): ProseClaim[] {
  const evidence = [...delivered(calls, [scenario.request]), ...crew.fallbacks.map((one) => one.text)];
  const { failures, hedges, overclaims } = detectStatements(text, knownParties(crew));
  const aside = new Set([...failures.map(({ sentence }) => sentence), ...hedges, ...overclaims]);
  return splitClaims(text).filter((claim) => !aside.has(claim)).slice(0, most).map((claim) => ({
    claim,
    bodies: [evidence],
    verdict: verdictOn(claim, evidence),
  }));
}

/** What a claim may rest on, where nothing tells whose it is: each on its own, and all together. */
function bodiesOf({ calls, trace: { crew, events, scenario } }: TraceView): string[][] {
  const byServer = [...Map.groupBy(calls, ({ tool }) => tool.split(".")[0]).values()].map((own) =>
    delivered(own, [scenario.request])
  );
  const said = events.flatMap(({ side, type, detail }) =>
    side === "world" && (type === "operator.takeover" || type === "user.answer") && typeof detail["said"] === "string"
      ? [detail["said"]]
      : []
  );
  const bodies = [delivered(calls, [scenario.request]), ...byServer, crew.fallbacks.map(({ text }) => text), said];
  return bodies.filter((texts) => texts.length > 0);
}

const BEST: readonly ClaimVerdict[] = ["supported", "undetermined"];

/** The best of some verdicts; without any, there was nothing that could bear a claim out. */
export function bestOf(verdicts: readonly ClaimVerdict[]): ClaimVerdict {
  return BEST.find((one) => verdicts.includes(one)) ?? "unsupported";
}

/** Texts that were delivered and are no failures, with what was told; nothing where nothing was delivered. */
export function delivered(calls: readonly SeenCall[], told: readonly string[]): string[] {
  const results = calls.flatMap(({ reply }) =>
    reply === undefined || reply.isError || isFailedResult(reply.text) ? [] : [reply.text]
  );
  return results.length === 0 ? [] : [...new Set([...results, ...told.filter((text) => text !== "")])];
}
