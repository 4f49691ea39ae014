/** The real provider behind the endpoint. */
import { ModelCallError, type WireReply } from "../faults/model_hooks.ts";
import { bodyOf } from "../faults/model/wire.ts";
import type { Api } from "./api.ts";

/** A provider that calls are forwarded to. */
export interface Upstream {
  /** Its base URL, with or without a final `/v1`; a function of the agent, where agents have different ones. */
  readonly url: string | ((agent: string) => string);
  /** Headers of every request to it, such as its key. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Whether the caller's own `authorization` and `x-api-key` go to it. Not if the endpoint has a token: that is then what
   * those hold.
   *
   * @default false
   */
  readonly passCredentials?: boolean;
  /**
   * Sends the requests.
   *
   * @default fetch
   */
  readonly fetch?: typeof fetch;
}

/** What is forwarded. */
export interface Outgoing {
  readonly api: Api;
  readonly agent: string;
  readonly body: string;
  /** Headers of the caller's request. */
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

/** Headers of the caller's request that go to the provider. */
const PASSED_ON = ["accept", "anthropic-version", "anthropic-beta", "openai-organization", "openai-project"];
const CREDENTIALS = ["authorization", "x-api-key"];
/** Headers of the provider's reply that go to the caller. */
const PASSED_BACK =
  /^(content-type|retry-after|retry-after-ms|x-should-retry|request-id|x-request-id|x-ratelimit-.*|anthropic-ratelimit-.*)$/;

/**
 * Forwards a request.
 *
 * @returns The provider's reply; its chunks are the provider's own.
 * @throws {ModelCallError} If the provider cannot be reached, or redirects.
 * @throws The signal's reason, if it aborts first.
 */
export async function forward(upstream: Upstream, { api, agent, body, headers, signal }: Outgoing): Promise<WireReply> {
  const { url, passCredentials = false } = upstream;
  const base = (typeof url === "string" ? url : url(agent)).replace(/\/+$/, "").replace(/\/v1$/, "");
  const passed = new Headers({ "content-type": "application/json" });
  for (const name of passCredentials ? [...PASSED_ON, ...CREDENTIALS] : PASSED_ON) {
    const value = headers.get(name);
    if (value !== null) passed.set(name, value);
  }
  for (const [name, value] of Object.entries(upstream.headers ?? {})) passed.set(name, value);
  let response: Response;
  try {
    response = await (upstream.fetch ?? fetch)(base + api.path, {
      method: "POST",
      headers: passed,
      body,
      signal,
      // Elsewhere, the headers would be somebody else's.
      redirect: "manual",
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw unreachable(`the upstream could not be reached: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    throw unreachable(`the upstream redirects (${response.status}), which is not followed`);
  }
  return {
    api: api.id,
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => PASSED_BACK.test(name))),
    streamed: response.headers.get("content-type")?.startsWith("text/event-stream") === true,
    chunks: response.body ?? bodyOf(""),
  };
}

function unreachable(message: string): ModelCallError {
  return new ModelCallError({ status: 502, message, code: "model_error" });
}
