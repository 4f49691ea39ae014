/** One call over HTTP, from its request to the last byte of its reply. */
import { toFailure } from "../../core/mod.ts";
import { errorBody, errorHeaders } from "../faults/model/api_error.ts";
import { encodeEvent, join, splitEvents } from "../faults/model/sse.ts";
import { bodyOf, collect, type Fields } from "../faults/model/wire.ts";
import {
  type ModelCall,
  ModelCallError,
  type ModelFailure,
  type ModelReply,
  type WireReply,
} from "../faults/model_hooks.ts";
import type { ModelObserver, ModelReplyEvent } from "../model/events.ts";
import type { BegunCall, ModelLink } from "../model/link.ts";
import type { ModelPassage } from "../model/passage.ts";
import type { Api, ApiRequest, ReadReply, ReplyHead } from "./api.ts";
import type { Conversations } from "./conversations.ts";
import { forward, type Upstream } from "./forward.ts";
import type { Answer } from "./server.ts";
import { ReplyTap } from "./tap.ts";

/** What an exchange is made of. */
export interface ExchangeOptions {
  readonly api: Api;
  readonly agent: string;
  /** The request, read. */
  readonly asked: ApiRequest;
  /** The request's body. */
  readonly body: { readonly text: string; readonly fields: Fields };
  readonly headers: Headers;
  readonly link: ModelLink;
  /** Where calls go, if they are forwarded. */
  readonly upstream: Upstream | undefined;
  readonly observe: ModelObserver;
  /** What later requests may go on from. */
  readonly conversations: Conversations;
  /** Aborts when the caller leaves before the answer is whole. */
  readonly signal: AbortSignal;
}

const OVER = new DOMException("the call is over", "AbortError");

/** The status of a failure that is not the provider's own. */
const STATUS: Readonly<Record<string, number>> = { rate_limited: 429, unauthorized: 401, timeout: 504 };

/** A reply, and its turn where that is known without reading the bytes. */
interface Rendered {
  readonly wire: WireReply;
  readonly known?: ReadReply;
  /** The whole body, where it is there at once. */
  readonly body?: string;
  /** Whether a provider has sent it, so that it knows it. */
  readonly upstream: boolean;
}

/** One call over HTTP. */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #life = new AbortController();
  readonly #begun: BegunCall<ModelCall>;
  readonly #passage: ModelPassage<ModelCall>;
  readonly #original: ModelCall;
  #over = false;

  /** Begins the call, and records what is asked. */
  constructor(options: ExchangeOptions) {
    const { agent, api, asked, link, observe, signal } = options;
    this.#options = options;
    signal.addEventListener("abort", () => this.#life.abort(signal.reason), { once: true });
    if (signal.aborted) this.#life.abort(signal.reason);
    this.#original = { agent, ...asked.call };
    this.#begun = link.begin(this.#original, this.#life.signal, true);
    this.#passage = this.#begun.passage;
    const { system, messages, tools } = asked.call;
    observe({
      type: "model_request",
      agent,
      call: this.#passage.call,
      api: api.id,
      model: asked.model,
      streamed: asked.streamed,
      system,
      messages,
      tools: tools.map(({ name }) => name),
    });
  }

  /** Carries the call out. Never throws. */
  async respond(): Promise<Answer> {
    try {
      const rendered = await this.#render();
      const { wire, known, body } = rendered;
      // Before a caller can have read it to its end.
      if (known !== undefined) this.#remember(known, rendered);
      if (known !== undefined && body !== undefined) {
        this.#end(wire.status, "whole", known);
        return { status: wire.status, headers: this.#headers(wire), body };
      }
      return this.#stream(rendered);
    } catch (error) {
      return this.#fail(error);
    }
  }

  async #render(): Promise<Rendered> {
    const { link, upstream } = this.#options;
    const passage = this.#passage;
    const given = await passage.ask();
    const rendered = given === undefined && upstream !== undefined
      ? await this.#forwarded(upstream)
      : this.#written(await passage.turn(given ?? await link.real(passage.request, passage.signal)));
    const { wire } = rendered;
    if (!passage.changesBytes || wire.status >= 300) return rendered;
    const whole = wire.streamed ? splitEvents(wire.chunks) : oneChunk(wire.chunks);
    return { wire: await passage.wire({ ...wire, chunks: whole }), upstream: rendered.upstream };
  }

  /** A turn in the protocol's words. */
  #written(reply: ModelReply): Rendered {
    const { api, asked } = this.#options;
    const { text, calls, finish, usage } = reply;
    const head = this.#head();
    const written = asked.streamed && asked.added === undefined ? undefined : api.write(reply, head);
    const kept = asked.added && written && api.read(written).kept;
    const known = { text, calls, finish, usage, ...(kept && { kept }) };
    const upstream = false;
    if (!asked.streamed) {
      const body = JSON.stringify(written);
      const headers = { "content-type": "application/json" };
      const wire = { api: api.id, status: 200, headers, streamed: false, chunks: bodyOf(body) };
      return { wire, known, body, upstream };
    }
    const events = api.events(reply, head);
    const chunks = (async function* () {
      for (const event of events) yield encodeEvent(event);
    })();
    const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
    return { wire: { api: api.id, status: 200, headers, streamed: true, chunks }, known, upstream };
  }

  /** What the provider says, with the turn changed where a fault may do that. */
  async #forwarded(upstream: Upstream): Promise<Rendered> {
    const { api, agent, asked, body, headers } = this.#options;
    const { request, signal, changesTurn } = this.#passage;
    const isSame = request === this.#original && asked.writtenAnew !== true;
    const text = isSame ? body.text : JSON.stringify(api.rewrite(body.fields, request));
    const wire = await forward(upstream, { api, agent, body: text, headers, signal });
    if (wire.status >= 300 || !changesTurn) return { wire, upstream: true };
    const tap = new ReplyTap(api, wire.streamed);
    for await (const chunk of wire.chunks) tap.push(chunk);
    const { error, text: said, calls, finish = "stop", usage = { inputTokens: 0, outputTokens: 0 } } = tap.read();
    if (error !== undefined) throw new ModelCallError({ status: 502, message: error, code: "model_error" });
    return this.#written(await this.#passage.turn({ text: said, calls, finish, usage }));
  }

  #stream(rendered: Rendered): Answer {
    const { wire, known } = rendered;
    const { api } = this.#options;
    const tap = known === undefined ? new ReplyTap(api, wire.streamed) : undefined;
    const body = {
      chunks: wire.chunks,
      passed: (chunk: Uint8Array) => {
        tap?.push(chunk);
        if (tap?.over === true) this.#remember(tap.read(), rendered);
      },
      ended: (broken?: { readonly error: unknown }) => {
        const how = broken === undefined ? "whole" : this.#passage.signal.aborted ? "cancelled" : "cut";
        const read = tap?.read() ?? known ?? { text: "", calls: [] };
        if (tap !== undefined && how === "whole") this.#remember(read, rendered);
        this.#end(wire.status, how, read);
      },
    };
    return { status: wire.status, headers: this.#headers(wire), body };
  }

  #fail(error: unknown): Answer {
    const { api } = this.#options;
    const failure = this.#failureOf(error);
    const cancelled = this.#passage.signal.aborted;
    this.#end(failure.status, cancelled ? "cancelled" : "whole", { text: "", calls: [], error: failure.message });
    const headers = {
      ...errorHeaders(failure, Date.now()),
      // What is wrong here will be wrong again: a script that is at its end, a bench that is closing.
      ...(!(error instanceof ModelCallError) && { "x-should-retry": "false" }),
    };
    return { status: failure.status, headers: this.#headers({ headers }), body: errorBody(api.id, failure) };
  }

  #failureOf(error: unknown): ModelFailure {
    if (error instanceof ModelCallError) return error.failure;
    if (this.#passage.signal.aborted) {
      return { status: 503, message: "the endpoint is closing, or the caller went away", code: "model_error" };
    }
    const { code, detail } = toFailure(error);
    return { status: STATUS[code] ?? 500, message: detail, code };
  }

  /** Keeps a reply that a later request may go on from: one that is good. */
  #remember({ text, calls, finish, error, kept }: ReadReply, { wire, upstream }: Rendered): void {
    const { asked: { added }, conversations } = this.#options;
    if (added === undefined || kept === undefined || finish === undefined || error !== undefined) return;
    if (wire.status >= 300) return;
    const messages = [...added.messages, { role: "assistant" as const, text, calls }];
    conversations.keep(kept.id, { ...added, messages, items: kept.items, upstream });
  }

  #end(status: number, ended: ModelReplyEvent["ended"], { kept: _, ...said }: ReadReply): void {
    if (this.#over) return;
    this.#over = true;
    const { agent, observe } = this.#options;
    observe({ type: "model_reply", agent, call: this.#passage.call, status, ...said, ended });
    // Ends what a fault has left unread of an upstream's reply.
    if (this.#options.upstream !== undefined || ended === "cancelled") this.#life.abort(OVER);
    this.#begun[Symbol.dispose]();
  }

  #head(): ReplyHead {
    const { agent, api, asked, body } = this.#options;
    return {
      id: `${api.ids}${agent}-${this.#passage.call}`,
      model: asked.model,
      created: Math.floor(Date.now() / 1000),
      wantsUsage: asked.wantsUsage,
      request: body.fields,
    };
  }

  #headers({ headers }: { readonly headers: Readonly<Record<string, string>> }): Record<string, string> {
    const name = this.#options.api.id === "anthropic" ? "request-id" : "x-request-id";
    // A header is ASCII, an agent's name may be anything.
    return { [name]: `req-${encodeURIComponent(this.#original.agent)}-${this.#passage.call}`, ...headers };
  }
}

async function* oneChunk(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield join(await collect(chunks));
}
