/** What a foreign subject's run comes to, for whoever judges it. */
import type { Answer } from "../../../agents/mod.ts";
import { clip, oneLine } from "../../../core/mod.ts";
import { ForeignEnd, type ForeignWorld } from "../foreign.ts";
import { AnswerError, readAnswer } from "./answer.ts";
import type { ModelFront } from "./model_front.ts";
import { MAX_OUTPUT_BYTES, type ProcessEnd } from "./process.ts";

type Judge = Pick<ForeignWorld, "record" | "signal">;

/** How much of a process's last words is told, in characters. */
const COMPLAINT = 200;

/**
 * What the end of a process comes to. An answer counts with exit code 0 alone: a program that says that it has failed is
 * believed, and what it had answered before is told and read all the same.
 *
 * @throws {ForeignEnd} If that is no answer.
 */
export function ofProcess(end: ProcessEnd, { record, signal }: Judge): Answer {
  const { code, left } = end;
  record("subject.process", { code, signal: end.signal, left });
  if (signal.aborted) {
    throw new ForeignEnd(
      end.signal === "SIGKILL" ? "it ignored SIGTERM and was killed" : "it was still running, and ended when told to",
    );
  }
  if (end.isFlooding) throw new ForeignEnd(`it wrote more than ${MAX_OUTPUT_BYTES} bytes to its output, and was ended`);
  if (end.signal !== null) throw new ForeignEnd(withComplaint(`it was ended by ${end.signal}`, end.complaint));
  if (code === 0) return ofText(end.output, { record });
  try {
    const answer = ofText(end.output, { record });
    throw new ForeignEnd(withComplaint(`it answered, and then exited with code ${code}`, end.complaint), answer);
  } catch (error) {
    if (error instanceof ForeignEnd && error.answer !== undefined) throw error;
    throw new ForeignEnd(withComplaint(`it exited with code ${code} and without an answer`, end.complaint));
  }
}

/**
 * What some bytes come to that are meant as an answer.
 *
 * @param empty What is said of none at all; of a process's output if left out.
 * @throws {ForeignEnd} If they are none.
 */
export function ofText(bytes: Uint8Array, { record }: Pick<Judge, "record">, empty?: string): Answer {
  try {
    const { answer, shows } = readAnswer(decode(bytes), empty);
    record("subject.shows", { shows: [...shows] });
    return answer;
  } catch (error) {
    if (error instanceof AnswerError) throw new ForeignEnd(error.message);
    throw error;
  }
}

/** Says of a run in which no model was asked that nothing can be said about it. */
export function sayIfSilent({ played, refused }: ModelFront, { record }: Pick<Judge, "record">): void {
  if (played > 0) return;
  const why = refused === undefined
    ? "no model calls seen: the subject asked nobody at OPENAI_BASE_URL or ANTHROPIC_BASE_URL, so it was no part of the scenario"
    : `no model call was understood; the last was refused: ${refused}`;
  record("subject.unplayable", { why });
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new AnswerError("its output is not UTF-8");
  }
}

function withComplaint(what: string, complaint: string): string {
  return complaint === "" ? what : `${what}: ${clip(oneLine(complaint), COMPLAINT)}`;
}
