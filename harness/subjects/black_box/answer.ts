/**
 * What a foreign subject may answer: a text, or the documented JSON. Whatever begins with `{` is meant to be that JSON, and
 * has to be.
 */
import * as z from "zod";
import { type Answer, contracts, type Shown } from "../../../agents/mod.ts";
import { oneLine } from "../../../core/mod.ts";

/** An answer that is none. */
export class AnswerError extends Error {
  /** `AnswerError` */
  override readonly name = "AnswerError";
}

/** An answer as it was read. */
export interface ReadAnswer {
  /** The answer. */
  readonly answer: Answer;
  /** What it lets be seen. */
  readonly shows: readonly Shown[];
}

/** How many failures, and how many sections, an answer may have: each is looked for in all of the text. */
const MAX_PARTS = 100;

/** The documented JSON. */
export const ForeignAnswer = z.strictObject({
  /** What the user reads. */
  answer: z.string().regex(/\S/, "it is empty"),
  /** How good it is, in the subject's own judgement. Left out, the answer is no more than its text. */
  status: z.enum(["complete", "degraded", "failed"]).optional(),
  /** Every part that failed. */
  failures: z.array(z.strictObject({
    /** Who, by the crew's name. */
    specialist: z.string().min(1),
    /** Why, out of the closed set of codes. */
    code: contracts.Code,
    /** The same in words. */
    detail: z.string().default(""),
    /** What is missing because of it. */
    effect: z.string().default(""),
    /** What stands in. */
    substituted: contracts.Provenance.optional(),
  })).max(MAX_PARTS).optional(),
  /** The parts of the answer, by whoever did them. */
  sections: z.array(z.strictObject({
    worker: z.string().min(1),
    text: z.string(),
    provenance: contracts.Provenance.default({ kind: "live" }),
  })).max(MAX_PARTS).optional(),
}).refine(({ status, failures, sections }) => status !== undefined || (failures ?? sections) === undefined, {
  message: "failures and sections need a status beside them",
});

/**
 * Reads an answer.
 *
 * @param empty What is said of one that is empty.
 * @throws {AnswerError} If it is empty, or was meant to be the documented JSON and is not.
 */
export function readAnswer(written: string, empty = "it wrote no answer to its output"): ReadAnswer {
  const text = written.trim();
  if (text === "") throw new AnswerError(empty);
  if (!text.startsWith("{")) return { answer: { status: "complete", text, sections: [], failures: [] }, shows: [] };
  const parsed = ForeignAnswer.safeParse(parse(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
    throw new AnswerError(
      oneLine(`its answer is not the documented JSON (answer, status, failures, sections): ${where}${issue?.message}`),
    );
  }
  const { answer, status, failures = [], sections = [] } = parsed.data;
  return {
    answer: {
      status: status ?? "complete",
      text: answer,
      sections,
      failures: failures.map(({ substituted, ...failure }) => ({
        ...failure,
        ...(substituted === undefined ? {} : { substituted }),
      })),
    },
    shows: status === undefined ? [] : ["answer"],
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AnswerError(oneLine(`its answer begins like JSON and is none: ${why}`));
  }
}
