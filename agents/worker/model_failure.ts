/** What is known of a failure beyond its code: whether another attempt is worth it, and when. */
import { type Failure, FAILURES } from "../../core/mod.ts";
import { asFailure } from "../engine/task.ts";
import type { ReportedFailure } from "../types.ts";

/** A failure whose code says too little. */
export interface DetailedFailure extends Failure {
  /** Whether the same attempt may succeed, where the code's answer is not this one's. */
  readonly retryable?: boolean;
  /** How long whoever refused asked to be left alone, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** Statuses of HTTP below 500 after which the same request may succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** What a model's call threw. A status of HTTP decides whether it is worth another attempt: a 404 is none. */
export function modelFailure(thrown: unknown): DetailedFailure {
  const { code, detail } = asFailure(thrown);
  const [status, retryAfterMs] = [numberIn(thrown, "status"), numberIn(thrown, "retryAfterMs")];
  const permanent = code === "model_error" && status !== undefined && status < 500 && !PASSING.has(status);
  return {
    code,
    detail,
    ...(permanent ? { retryable: false } : {}),
    ...(retryAfterMs === undefined || retryAfterMs < 0 ? {} : { retryAfterMs }),
  };
}

/** The failure as a report has it. */
export function reported({ code, detail, retryable, retryAfterMs }: DetailedFailure): ReportedFailure {
  const known = { code, detail, retryable: retryable ?? FAILURES[code].retryable };
  return retryAfterMs === undefined ? known : { ...known, retryAfterMs };
}

/** A number that a thrown object has; it may be anything, and may throw when it is looked at. */
function numberIn(thrown: unknown, key: string): number | undefined {
  try {
    if (typeof thrown !== "object" || thrown === null || !(key in thrown)) return undefined;
    const value: unknown = Reflect.get(thrown, key);
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
