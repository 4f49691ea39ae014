/** The final answer's claims, each with what the world has on record for it, and what the bench's checker makes of them. */
import type { Section } from "../../../agents/mod.ts";
import { type ClaimVerdict, splitClaims } from "../../../agents/verifier/mod.ts";
import { detectStatements, knownParties } from "../detector/mod.ts";
import { isFailedResult } from "../result_shape.ts";
import type { TraceView } from "../view.ts";
import { verdictOn } from "./checker.ts";

/** A sentence of the answer, checked. */
export interface CheckedClaim {
  /** As it was said, without the marks that a renderer put there. */
  readonly claim: string;
  /** In whose section; none where the answer has no sections. */
  readonly worker: string | undefined;
  readonly verdict: ClaimVerdict;
}

/** Claims that are checked, at most: an answer may be as long as it likes. */
const MAX_CLAIMS = 200;

/**
 * Checks each sentence of the answer's sections: live ones against the results that were delivered to their worker and the
 * facts of its packets, cached ones against the fallback's text, a person's against what that person said. Of an answer
 * in prose alone, each sentence that states no failure, no doubt and nothing of the answer itself is checked against all results.
 */
export function checkAnswer(view: TraceView): CheckedClaim[] {
  const { answer } = view;
  if (answer === undefined) return [];
  // What has failures and no section has no part that claims anything.
  if (answer.sections.length === 0) return answer.failures.length > 0 ? [] : checkProse(answer.text, view);
  return answer.sections.flatMap((section) => {
    const evidence = evidenceOf(section, view);
    return claimsOf(section.text).map((claim) => ({ claim, worker: section.worker, evidence }));
  }).slice(0, MAX_CLAIMS).map(({ claim, worker, evidence }) => ({
    claim,
    worker,
    verdict: verdictOn(claim, evidence),
  }));
}

/** The sentences of a section, without "(unconfirmed)" and the severity before a finding. */
function claimsOf(text: string): string[] {
  return splitClaims(text).map((claim) =>
    claim.replace(/ ?\(unconfirmed\)/g, "").replace(/^(?:CRITICAL|HIGH|MEDIUM|LOW): /, "")
  ).filter((claim) => claim !== "");
}

function evidenceOf({ worker, provenance }: Section, view: TraceView): string[] {
  const { calls, packets, trace: { crew, events } } = view;
  switch (provenance.kind) {
    case "cached":
      return crew.fallbacks.filter(({ specialist }) => specialist === worker).map(({ text }) => text);
    case "human":
      return events.flatMap(({ side, type, detail }) =>
        side === "world" && type === "operator.takeover" && detail["worker"] === worker &&
          typeof detail["said"] === "string"
          ? [detail["said"]]
          : []
      );
    case "live": {
      const results = calls.filter(({ agent }) => agent === worker);
      const told = packets.filter(({ packet }) => packet.recipient === worker).map(({ packet }) =>
        lines(packet.inputs)
      );
      return delivered(results, [...told]);
    }
  }
}

/** Texts that were delivered and are no failures, with what was told; nothing where nothing was delivered. */
function delivered(calls: TraceView["calls"], told: readonly string[]): string[] {
  const results = calls.flatMap(({ reply }) =>
    reply === undefined || reply.isError || isFailedResult(reply.text) ? [] : [reply.text]
  );
  return results.length === 0 ? [] : [...new Set([...results, ...told.filter((text) => text !== "")])];
}

function lines(inputs: { readonly [key: string]: unknown }): string {
  return Object.entries(inputs).map(([key, value]) =>
    `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`
  )
    .join("\n");
}

function checkProse(text: string, { calls, trace: { crew, scenario } }: TraceView): CheckedClaim[] {
  const evidence = [...delivered(calls, [scenario.request]), ...crew.fallbacks.map((one) => one.text)];
  const { failures, hedges, overclaims } = detectStatements(text, knownParties(crew));
  const aside = new Set([...failures.map(({ sentence }) => sentence), ...hedges, ...overclaims]);
  return splitClaims(text).filter((claim) => !aside.has(claim)).slice(0, MAX_CLAIMS).map((claim) => ({
    claim,
    worker: undefined,
    verdict: verdictOn(claim, evidence),
  }));
}
