/** What the official clients of model providers do by themselves: two more attempts at what may succeed then. */
import { type Clock, sleep } from "../../core/mod.ts";

/** More attempts after the first, as in the clients of OpenAI and Anthropic. */
const RETRIES = 2;
/** The wait before the first of them, in milliseconds; twice as long before the second. */
const FIRST_WAIT_MS = 500;

/** The HTTP status of a failed model call, if it has one. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof Error && "status" in error && typeof error.status === "number" ? error.status : undefined;
}

/** Whether the clients would try again after this. */
export function isWorthRetrying(error: unknown): boolean {
  const status = statusOf(error);
  return status !== undefined && (status === 408 || status === 409 || status === 429 || status >= 500);
}

/** Makes a model call with the clients' own retries. */
export async function withClientRetries<T>(call: () => Promise<T>, clock: Clock, signal: AbortSignal): Promise<T> {
  for (let attempt = 0;; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt === RETRIES || !isWorthRetrying(error)) throw error;
      const asked = error instanceof Error && "retryAfterMs" in error ? error.retryAfterMs : undefined;
      await sleep(clock, typeof asked === "number" ? asked : FIRST_WAIT_MS * 2 ** attempt, signal);
    }
  }
}
