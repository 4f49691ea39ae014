/** The final answer's claims, each with what the world has on record for it, and what the bench's checker makes of them. */
import type { Section } from "../../../agents/mod.ts";
import { type ClaimVerdict, splitClaims } from "../../../agents/verifier/mod.ts";
import { eventsOf } from "../events.ts";
import type { TraceView } from "../view.ts";
import { verdictOn } from "./checker.ts";
import { effectVerdict } from "./effect_lines.ts";
import { bestOf, delivered, proseClaims } from "./prose_claims.ts";

/** A sentence of the answer, checked. */
export interface CheckedClaim {
  /** As it was said, without the marks that a renderer put there. */
  readonly claim: string;
  /** In whose section; none where the answer has no sections. */
  readonly worker: string | undefined;
  readonly verdict: ClaimVerdict;
  /** What it may rest on: all of one body of texts, or all of another. */
  readonly bodies: readonly (readonly string[])[];
}

/** Claims that are checked, at most: an answer may be as long as it likes. */
const MAX_CLAIMS = 200;

/** A claim before it is checked; a line that states an effect has its verdict already. */
type OpenClaim = Omit<CheckedClaim, "verdict" | "worker" | "bodies"> & { readonly verdict?: ClaimVerdict };

/**
 * Checks each sentence of the answer's sections: live ones against the results that were delivered to their worker and the
 * facts of its packets, cached ones against the fallback's text, a person's against what that person said. Of an answer
 * in prose alone, each sentence that states no failure, no doubt and nothing of the answer itself is checked against all results.
 * A live line that states an effect is held against the record of that effect.
 */
export function checkAnswer(view: TraceView): CheckedClaim[] {
  const { answer } = view;
  if (answer === undefined) return [];
  // What has failures and no section has no part that claims anything.
  if (answer.sections.length === 0) {
    return answer.failures.length > 0
      ? []
      : proseClaims(answer.text, view, MAX_CLAIMS).map((one) => ({ ...one, worker: undefined }));
  }
  return answer.sections.flatMap((section) => {
    const { worker, text, provenance } = section;
    const bodies = evidenceOf(section, view);
    const claims = provenance.kind === "live" ? claimsOf(text, worker, view) : sentencesOf(text);
    return claims.map((one) => ({ ...one, worker, bodies }));
  }).slice(0, MAX_CLAIMS).map(({ claim, worker, bodies, verdict }) => ({
    claim,
    worker,
    bodies,
    verdict: verdict ?? bestOf(bodies.map((texts) => verdictOn(claim, texts))),
  }));
}

/** The lines that state effects, judged, and the sentences of the others. */
function claimsOf(text: string, worker: string | undefined, view: TraceView): OpenClaim[] {
  return text.split(/[\r\n]+/).flatMap((part): OpenClaim[] => {
    const line = part.trim();
    const verdict = effectVerdict(line, view.shown.has("agents") ? worker : undefined, view);
    return verdict === undefined ? sentencesOf(line) : [{ claim: line, verdict }];
  });
}

/** Sentences, without "(unconfirmed)" and the severity before a finding. */
function sentencesOf(text: string): OpenClaim[] {
  return splitClaims(text).map((claim) =>
    claim.replace(/ ?\(unconfirmed\)/g, "").replace(/^(?:CRITICAL|HIGH|MEDIUM|LOW): /, "")
  ).filter((claim) => claim !== "").map((claim) => ({ claim }));
}

/** What a section's claims may rest on: all of one body of texts, or all of another. */
function evidenceOf({ worker, provenance }: Section, view: TraceView): string[][] {
  const { trace: { crew, events } } = view;
  switch (provenance.kind) {
    case "cached":
      return [crew.fallbacks.filter(({ specialist }) => specialist === worker).map(({ text }) => text)];
    case "human":
      return [
        eventsOf(events, "world", "operator.takeover").flatMap(({ detail }) =>
          detail["worker"] === worker && typeof detail["said"] === "string" ? [detail["said"]] : []
        ),
      ];
    case "live":
      return liveEvidence(worker, view);
  }
}

/** The results that were delivered to a worker, with what its packets told it. */
export function liveEvidence(worker: string, { calls, packets, shown, trace: { scenario } }: TraceView): string[][] {
  const told = [
    ...packets.filter(({ packet }) => packet.recipient === worker).map(({ packet }) => lines(packet.inputs)),
    ...shown.has("packets") ? [] : [scenario.request],
  ];
  // Whose calls they were, where it is not shown, nobody can be held to: it may be those of any one server.
  const results = shown.has("agents")
    ? [calls.filter(({ agent }) => agent === worker)]
    : [calls, ...Map.groupBy(calls, ({ tool }) => tool.split(".")[0]).values()];
  return results.map((own) => delivered(own, told));
}

function lines(inputs: { readonly [key: string]: unknown }): string {
  return Object.entries(inputs).map(([key, value]) =>
    `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`
  )
    .join("\n");
}
