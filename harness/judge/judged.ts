/** What a judge has said of one cell, and of a run. It stands beside checks and scores, and is in none of them. */
import type { FailureCode } from "../../core/mod.ts";

/** The closed set of answers. */
export const ANSWERS = ["supported", "unsupported", "cannot_tell"] as const;

/** One of them. */
export type JudgeAnswer = (typeof ANSWERS)[number];

/** A claim, and what the judge says of it. */
export interface JudgedClaim {
  /** As it was said. Untrusted. */
  readonly claim: string;
  /** Whose it is; none where the answer does not tell. */
  readonly worker?: string;
  /** What the judge says; `cannot_tell` also of a reply that could not be read, and where there was none. */
  readonly answer: JudgeAnswer;
  /** Why there is no word of the judge's own: `unread` for a reply that is none of the answers, else the failure of the call. */
  readonly why?: "unread" | FailureCode;
}

/** A claim that the scenario labels, and what the judge says of it. */
export interface JudgedLabel extends JudgedClaim {
  /** The scenario's label. */
  readonly label: "supported" | "unsupported";
}

/** What a judge has said of one cell. */
export interface Judged {
  /** The model that was asked for. */
  readonly judge: string;
  /** What the provider calls the model that has answered; several if it has changed, none if nobody says. Untrusted. */
  readonly models: readonly string[];
  /** The answer's claims on which the bench's own checker cannot decide. */
  readonly claims: readonly JudgedClaim[];
  /** The scenario's labels, by which the judge can be judged. */
  readonly labels: readonly JudgedLabel[];
  /** What it used; the cost in US dollars, `null` where the price is not known. */
  readonly usage: { readonly calls: number; readonly tokens: number; readonly costUsd: number | null };
}

/** The same of all cells of a run. */
export interface JudgedSum {
  /** The model that was asked for. */
  readonly judge: string;
  /** What providers call the models that have answered. Untrusted. */
  readonly models: readonly string[];
  /** Answers about claims that were left undetermined. */
  readonly claims: Readonly<Record<JudgeAnswer, number>>;
  /** How many of all questions, about claims and labels, have no word of the judge's own. */
  readonly unheard: number;
  /** How many labels there were, and how many of them the judge has met; to be unable to tell is not to meet one. */
  readonly labels: { readonly asked: number; readonly agreed: number };
  /** What it used. */
  readonly usage: Judged["usage"];
}

/** Sums up cells, one at a time. */
export class JudgedSums {
  #judge: string | undefined;
  readonly #models = new Set<string>();
  readonly #claims = { supported: 0, unsupported: 0, cannot_tell: 0 };
  readonly #labels = { asked: 0, agreed: 0 };
  #unheard = 0;
  #usage: Judged["usage"] = { calls: 0, tokens: 0, costUsd: 0 };

  /** Adds the next cell; one without a judge changes nothing. */
  add(judged: Judged | undefined): void {
    if (judged === undefined) return;
    this.#judge = judged.judge;
    for (const model of judged.models) this.#models.add(model);
    for (const { answer } of judged.claims) this.#claims[answer]++;
    for (const { answer, label } of judged.labels) {
      this.#labels.asked++;
      if (answer === label) this.#labels.agreed++;
    }
    this.#unheard += [...judged.claims, ...judged.labels].filter(({ why }) => why !== undefined).length;
    this.#usage = addUsage(this.#usage, judged.usage);
  }

  /** The sum; `undefined` if no cell had a judge. */
  sum(): JudgedSum | undefined {
    if (this.#judge === undefined) return undefined;
    return {
      judge: this.#judge,
      models: [...this.#models].sort(),
      claims: { ...this.#claims },
      unheard: this.#unheard,
      labels: { ...this.#labels },
      usage: this.#usage,
    };
  }
}

/** Adds up what was used. */
export function addUsage(a: Judged["usage"], b: Judged["usage"]): Judged["usage"] {
  return {
    calls: a.calls + b.calls,
    tokens: a.tokens + b.tokens,
    // Dollars of models leave crumbs.
    costUsd: a.costUsd === null || b.costUsd === null ? null : Number((a.costUsd + b.costUsd).toFixed(9)),
  };
}

/**
 * What is said of a judge, in one line of the bench's own words, with its name apart: that is somebody else's.
 *
 * @returns Its name, and the rest.
 */
export function judgedWords({ judge, models, claims, unheard, labels }: JudgedSum): { name: string; words: string } {
  const count = claims.supported + claims.unsupported + claims.cannot_tell;
  const told = models.length === 0 ? "" : ` (${models.join(", ")})`;
  const words = [
    count === 0
      ? "no claim was left undetermined"
      : `of ${count} ${count === 1 ? "claim" : "claims"} left undetermined ${claims.supported} supported, ` +
        `${claims.unsupported} unsupported, ${claims.cannot_tell} cannot tell`,
    labels.asked === 0
      ? "no labels to hold it against"
      : `judge agreed with ${labels.agreed} of ${labels.asked} ${labels.asked === 1 ? "label" : "labels"}`,
    ...(unheard === 0 ? [] : [`${unheard} of the questions got no answer that can be read`]),
    "no verdict rests on it",
  ];
  return { name: `${judge}${told}`, words: words.join("; ") };
}
