/** What a judge has said of one cell, and of a run. It stands beside checks and scores, and is in none of them. */
import type { FailureCode } from "../../core/mod.ts";

/** The closed set of answers. */
export const ANSWERS = ["supported", "unsupported", "cannot_tell"] as const;

/** One of them. */
export type JudgeAnswer = (typeof ANSWERS)[number];

/**
 * What becomes of a question: an answer, or none. `unread`: the judge was asked, and its reply is none of the answers.
 * `not_reached`: it was asked, and no reply came. `not_asked`: it was not asked at all, because of a limit of the run, because
 * its provider was known to be out, or because a recording has nothing of it. Of the last two nothing is known of the judge.
 */
export const HEARINGS = [...ANSWERS, "unread", "not_reached", "not_asked"] as const;

/** One of them. */
export type Hearing = (typeof HEARINGS)[number];

/** A claim, and what the judge says of it. */
export interface JudgedClaim {
  /** As it was said. Untrusted. */
  readonly claim: string;
  /** Whose it is; none where the answer does not tell. */
  readonly worker?: string;
  /** What the judge says, or why it has said nothing. */
  readonly answer: Hearing;
  /** The failure of the call, where no reply came or none was asked for. */
  readonly why?: FailureCode;
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
  /** What became of the questions about claims that were left undetermined. */
  readonly claims: Readonly<Record<Hearing, number>>;
  /**
   * About how many labels the judge was asked and has replied, and how many of them it has met: not to be able to tell, and
   * to say what nobody can read, is to meet none. Those about which no reply came, or none was asked for, stand apart: they
   * say nothing of the judge.
   */
  readonly labels: {
    readonly asked: number;
    readonly agreed: number;
    readonly notReached: number;
    readonly notAsked: number;
  };
  /** What it used. */
  readonly usage: Judged["usage"];
}

/** Sums up cells, one at a time. */
export class JudgedSums {
  #judge: string | undefined;
  readonly #models = new Set<string>();
  readonly #claims = { supported: 0, unsupported: 0, cannot_tell: 0, unread: 0, not_reached: 0, not_asked: 0 };
  readonly #labels = { asked: 0, agreed: 0, notReached: 0, notAsked: 0 };
  #usage: Judged["usage"] = { calls: 0, tokens: 0, costUsd: 0 };

  /** Adds the next cell; one without a judge changes nothing. */
  add(judged: Judged | undefined): void {
    if (judged === undefined) return;
    this.#judge = judged.judge;
    for (const model of judged.models) this.#models.add(model);
    for (const { answer } of judged.claims) this.#claims[answer]++;
    for (const { answer, label } of judged.labels) {
      if (answer === "not_reached") this.#labels.notReached++;
      else if (answer === "not_asked") this.#labels.notAsked++;
      else this.#labels.asked++;
      if (answer === label) this.#labels.agreed++;
    }
    this.#usage = addUsage(this.#usage, judged.usage);
  }

  /** The sum; `undefined` if no cell had a judge. */
  sum(): JudgedSum | undefined {
    if (this.#judge === undefined) return undefined;
    return {
      judge: this.#judge,
      models: [...this.#models].sort(),
      claims: { ...this.#claims },
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
export function judgedWords({ judge, models, claims, labels }: JudgedSum): { name: string; words: string } {
  const count = HEARINGS.reduce((sum, one) => sum + claims[one], 0);
  const [unreached, unasked] = [claims.not_reached + labels.notReached, claims.not_asked + labels.notAsked];
  const told = models.length === 0 ? "" : ` (${models.join(", ")})`;
  const words = [
    count === 0
      ? "no claim was left undetermined"
      : `of ${count} ${count === 1 ? "claim" : "claims"} left undetermined ${claims.supported} supported, ` +
        `${claims.unsupported} unsupported, ${claims.cannot_tell} cannot tell${
          claims.unread === 0 ? "" : `, ${claims.unread} with a reply that is none of these`
        }`,
    labels.asked === 0
      ? "no labels to hold it against"
      : `judge agreed with ${labels.agreed} of ${labels.asked} ${labels.asked === 1 ? "label" : "labels"}`,
    ...(unreached === 0 ? [] : [`${unreached} ${unreached === 1 ? "question" : "questions"} got no reply`]),
    ...(unasked === 0 ? [] : [`${unasked} ${unasked === 1 ? "question was" : "questions were"} not asked`]),
    "no verdict rests on it",
  ];
  return { name: `${judge}${told}`, words: words.join("; ") };
}
