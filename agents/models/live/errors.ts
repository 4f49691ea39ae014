/** From what a client throws to one of the closed set of codes. Nothing a provider says is quoted with a secret in it. */
import { clip, CodedError, type FailureCode, oneLine, withoutSecretsOfErrors } from "../../../core/mod.ts";
import { type HeaderReader, retryAfterMs } from "./retry_after.ts";

/** A reply that came and cannot be read. */
export class MalformedReply extends Error {
  /** Tells it from other errors. */
  override readonly name = "MalformedReply";
}

/**
 * Why a provider can be asked nothing at all, however often. `unreachable`: no connection comes about. `key`: it refuses the
 * key. `name`: it has no such model. `quota`: what the account had is used up. That is the fault of whoever began the run,
 * and says nothing of whoever asked.
 */
export type Outage = "unreachable" | "key" | "name" | "quota";

/** A model call that failed. */
export class LiveModelError extends CodedError {
  /** Status of HTTP; `undefined` where there was none. */
  readonly status: number | undefined;
  /** After what time the provider wants to be asked again, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Whether the same call may succeed. */
  readonly passing: boolean;
  /** Whether the provider has refused the call as a whole, so that nothing of it can be on the bill. */
  readonly free: boolean;
  /** Why every other call will fail, too; `undefined` where another may succeed. */
  readonly outage: Outage | undefined;

  /**
   * An error with all that is known of it.
   *
   * @param detail What happened, for people.
   */
  constructor(code: FailureCode, detail: string, known: {
    readonly status?: number | undefined;
    readonly retryAfterMs?: number | undefined;
    readonly passing: boolean;
    readonly free: boolean;
    readonly outage?: Outage | undefined;
  }) {
    super(code, detail);
    this.status = known.status;
    this.retryAfterMs = known.retryAfterMs;
    this.passing = known.passing;
    this.free = known.free;
    this.outage = known.outage;
  }
}

/** Statuses below 500 after which the same request may succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/**
 * Statuses of whoever stands between: what is behind may have done, and billed, all of it. 520 to 527 are Cloudflare's, 529 is
 * Anthropic's own.
 */
const OF_A_GATEWAY: ReadonlySet<number> = new Set([408, 499, 502, 504, 520, 521, 522, 523, 524, 525, 526, 527]);

/** What the providers call an error inside of a stream, where there is no status any more. */
const STREAMED: ReadonlyMap<string, {
  readonly code: FailureCode;
  readonly passing: boolean;
  readonly outage?: Outage;
}> = new Map([
  ["rate_limit_error", { code: "rate_limited", passing: true }],
  ["authentication_error", { code: "unauthorized", passing: false, outage: "key" }],
  ["permission_error", { code: "unauthorized", passing: false, outage: "key" }],
  ["timeout_error", { code: "timeout", passing: true }],
  ["invalid_request_error", { code: "model_error", passing: false }],
  ["not_found_error", { code: "model_error", passing: false, outage: "name" }],
  ["request_too_large", { code: "model_error", passing: false }],
]);

/** What Deno says of a connection that never came about: nobody listens, no such host, no such port. */
const UNREACHABLE = /client error \(Connect\)|Requests to port \d+ are blocked/;

/** How many causes of an error are looked at: one may be its own. */
const MOST_CAUSES = 4;

/** How long a provider's words may get. */
const MOST_WORDS = 300;

/**
 * Reads what a client has thrown. Both official clients throw an error with `status`, `headers` and `message`; anything
 * else is a reply that could not be read, or a connection that broke.
 *
 * @param epochMs The time, in milliseconds since 1970, for dates of `Retry-After`.
 * @param secrets Keys that were sent: a provider may quote them.
 */
export function liveModelError(thrown: unknown, epochMs: number, secrets: readonly string[]): LiveModelError {
  if (thrown instanceof LiveModelError) return thrown;
  const words = wordsOf(thrown, secrets);
  const status = numberIn(thrown, "status");
  if (status === undefined) {
    const type = textIn(thrown, "type") ?? textIn(thrown, "code");
    if (thrown instanceof Error && /Timeout/.test(thrown.constructor.name)) {
      return new LiveModelError("timeout", `the provider did not answer: ${words}`, { passing: true, free: false });
    }
    const known = type === undefined ? undefined : STREAMED.get(type);
    const isUnreachable = known === undefined && UNREACHABLE.test(chainOf(thrown));
    const { code, passing, outage = isUnreachable ? "unreachable" as const : undefined } = known ??
      { code: "model_error" as const, passing: true };
    // Where nobody was reached, nobody has done anything.
    return new LiveModelError(code, words, { passing, free: isUnreachable, outage });
  }
  const after = headersOf(thrown);
  const told = after === undefined ? undefined : retryAfterMs(after, epochMs);
  const should = after?.get("x-should-retry");
  // What is used up is used up: a wait does not bring it back (OpenAI's error codes, "insufficient_quota").
  const isSpent = textIn(thrown, "code") === "insufficient_quota" || status === 402;
  const passing = !isSpent && should !== "false" && (status >= 500 || PASSING.has(status) || should === "true");
  return new LiveModelError(codeOf(status), `${status}: ${words}`, {
    status,
    ...(told === undefined || isSpent ? {} : { retryAfterMs: told }),
    passing,
    free: !OF_A_GATEWAY.has(status),
    outage: isSpent ? "quota" : outageOf(status),
  });
}

function outageOf(status: number): Outage | undefined {
  if (status === 401 || status === 403) return "key";
  return status === 404 ? "name" : undefined;
}

function codeOf(status: number): FailureCode {
  if (status === 429) return "rate_limited";
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 408 || status === 504) return "timeout";
  return "model_error";
}

function wordsOf(thrown: unknown, secrets: readonly string[]): string {
  const said = chainOf(thrown);
  // The clients put the status first, and so does this file. A page of HTML is nobody's message.
  const own = said.replace(/^\d{3}\s*/, "").replace(/<[^>]*>/g, " ");
  const clean = secrets.reduce(
    (text, secret) => secret === "" ? text : text.replaceAll(secret, "[redacted]"),
    own,
  );
  const words = clip(oneLine(withoutSecretsOfErrors(clean)).trim(), MOST_WORDS);
  return words === "" ? "the provider does not say why" : words;
}

/** The message of an error, and those of its causes. What Deno says of each fetch is no message. */
function chainOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const said: string[] = [];
  for (let one: unknown = thrown; one instanceof Error && said.length < MOST_CAUSES; one = one.cause) {
    if (one.message !== "fetch failed") said.push(one.message);
  }
  return said.join(": ");
}

function headersOf(thrown: unknown): HeaderReader | undefined {
  if (typeof thrown !== "object" || thrown === null || !("headers" in thrown)) return undefined;
  return thrown.headers instanceof Headers ? thrown.headers : undefined;
}

function numberIn(thrown: unknown, key: string): number | undefined {
  const value = memberOf(thrown, key);
  return typeof value === "number" ? value : undefined;
}

function textIn(thrown: unknown, key: string): string | undefined {
  const value = memberOf(thrown, key);
  return typeof value === "string" ? value : undefined;
}

function memberOf(thrown: unknown, key: string): unknown {
  return typeof thrown === "object" && thrown !== null && key in thrown ? Reflect.get(thrown, key) : undefined;
}
