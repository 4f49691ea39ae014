/**
 * Models over HTTP on the loopback interface, with faults in between: what an unmodified client of OpenAI or Anthropic
 * can be pointed at.
 */
import { clip, type Clock, RealClock } from "../../core/mod.ts";
import type { Fault, FaultEntry } from "../faults/fault.ts";
import { errorBody } from "../faults/model/api_error.ts";
import { ModelCallError } from "../faults/model_hooks.ts";
import type { ModelObserver } from "../model/events.ts";
import { type ModelBinding, ModelLink, type NextTurn } from "../model/link.ts";
import { ANTHROPIC } from "./anthropic.ts";
import { type Api, BadRequestError } from "./api.ts";
import { Conversations } from "./conversations.ts";
import { Exchange } from "./exchange.ts";
import type { Upstream } from "./forward.ts";
import { authorize, HttpError, readBody, refuseStrangers } from "./http.ts";
import { listModels } from "./models.ts";
import { OPENAI } from "./openai.ts";
import { RESPONSES } from "./responses.ts";
import { type Answer, type Incoming, serveLoopback } from "./server.ts";

/** Where the turns come from. */
export type Backend = { readonly scripted: NextTurn } | { readonly forward: Upstream };

/** Options of {@linkcode endpoint}. */
export interface EndpointOptions {
  /** Where the turns come from. */
  readonly backend: Backend;
  /**
   * The faults; those at an agent are taken.
   *
   * @default none
   */
  readonly faults?: readonly FaultEntry[];
  /**
   * The faults that there are.
   *
   * @default MODEL_FAULTS
   */
  readonly catalogue?: ReadonlyMap<string, Fault>;
  /**
   * What all random numbers of the faults depend on.
   *
   * @default "1"
   */
  readonly seed?: string;
  /**
   * What faults wait on.
   *
   * @default The machine's clock.
   */
  readonly clock?: Clock;
  /** Told what really happens. Never of a header, so never of a key. */
  readonly observer?: ModelObserver;
  /**
   * The agents that there are.
   *
   * @default Any name is an agent's.
   */
  readonly agents?: readonly string[];
  /**
   * Who a call is from that names no agent, neither in its path nor as its model.
   *
   * @default The name of the model, if any name is an agent's; such calls are refused otherwise.
   */
  readonly agent?: string;
  /**
   * The agents that a call can name as its model.
   *
   * @default Those that there are.
   */
  readonly asModels?: readonly string[];
  /**
   * The port; 0 takes a free one.
   *
   * @default 0
   */
  readonly port?: number;
  /** What callers must give as their key. Without it anybody on this machine is answered. */
  readonly token?: string;
  /**
   * The longest body of a request, in bytes.
   *
   * @default 32 MiB
   */
  readonly maxBodyBytes?: number;
}

/** An endpoint that is up. */
export interface Endpoint extends AsyncDisposable {
  /** Its base, without `/v1`: what an Anthropic client takes. An OpenAI client takes it with `/v1`. */
  readonly url: string;
  /** The base of one agent. */
  urlOf(agent: string): string;
  /** Sets what the next cell wants; calls of the cell before are ended. */
  bind(binding: ModelBinding): void;
  /** Stops listening, ends every call, those that hang too, and waits until all connections are closed. */
  close(): Promise<void>;
}

const APIS: readonly Api[] = [OPENAI, RESPONSES, ANTHROPIC];
/** The most that is said about what is refused, in UTF-16 units. */
const MAX_SAID = 2000;
const PATH = /^(?:\/agents\/([^/]+))?(\/v1\/.+)$/;
const SILENT: ModelObserver = () => {};

/**
 * Opens an endpoint, and resolves when it listens. It needs `--allow-net=127.0.0.1`, and the upstream's host if it forwards.
 *
 * @throws {RangeError} If a fault is not in the catalogue.
 * @throws {z.ZodError} If a fault's parameters do not fit.
 * @throws {Error} If the port is taken.
 */
export async function endpoint(options: EndpointOptions): Promise<Endpoint> {
  const { faults = [], clock = new RealClock(), seed = "1", observer = SILENT } = options;
  const handler = new Handler(options);
  handler.bind({ faults, clock, seed, observer });
  const server = await serveLoopback(options.port ?? 0, (request) => handler.answer(request));
  const url = `http://127.0.0.1:${server.port}`;
  const close = async () => {
    handler.close();
    await server.close();
  };
  return {
    url,
    urlOf: (agent) => `${url}/agents/${encodeURIComponent(agent)}`,
    bind: (binding) => handler.bind(binding),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What is behind the server. */
class Handler {
  readonly #options: EndpointOptions;
  readonly #upstream: Upstream | undefined;
  readonly #link: ModelLink;
  #conversations = new Conversations();
  #observe: ModelObserver = SILENT;

  constructor(options: EndpointOptions) {
    const { backend, catalogue } = options;
    this.#options = options;
    this.#upstream = "forward" in backend ? backend.forward : undefined;
    this.#link = new ModelLink("scripted" in backend ? backend.scripted : refuse, catalogue && { catalogue });
  }

  bind(binding: ModelBinding): void {
    this.#link.bind(binding);
    // Another one: a call of the cell before may still come to its end.
    this.#conversations = new Conversations();
    this.#observe = binding.observer;
  }

  close(): void {
    this.#link.close();
  }

  async answer(request: Incoming): Promise<Answer> {
    const { headers, method } = request;
    const [, name, path = ""] = PATH.exec(request.path) ?? [];
    const api = APIS.find((api) => api.path === path);
    try {
      refuseStrangers(request);
      authorize(headers, this.#options.token);
      if (path === "/v1/models" || path.startsWith("/v1/models/")) {
        const { agent = "default", agents, asModels } = this.#options;
        return listModels({ ...request, path }, agents ?? asModels ?? [agent]);
      }
      if (api === undefined) {
        throw new HttpError(
          404,
          "there is no such path; there are chat/completions, responses, messages and models, below /v1",
        );
      }
      if (method !== "POST") throw new HttpError(405, `${path} takes POST`);
      return await this.#call(request, api, name);
    } catch (error) {
      return this.#reject(api?.id ?? (headers.has("anthropic-version") ? "anthropic" : "openai"), error);
    }
  }

  async #call(request: Incoming, api: Api, name: string | undefined): Promise<Answer> {
    const { maxBodyBytes = 32 * 2 ** 20 } = this.#options;
    const body = await readBody(request, maxBodyBytes);
    const [link, upstream, observe, conversations] = [this.#link, this.#upstream, this.#observe, this.#conversations];
    const asked = api.parse(body.fields, {
      forwards: upstream !== undefined,
      past: (reply) => conversations.find(reply),
      item: (id) => conversations.item(id),
    });
    const agent = this.#agentOf(name, asked.model);
    const { headers, signal } = request;
    const exchange = new Exchange({ api, agent, asked, body, headers, link, upstream, observe, conversations, signal });
    return await exchange.respond();
  }

  #agentOf(name: string | undefined, model: string): string {
    const { agents, agent, asModels = agents } = this.#options;
    const given = name === undefined ? undefined : decode(name);
    const found = given ?? (asModels?.includes(model) ? model : agent ?? model);
    if (found !== agent && agents?.includes(found) === false) {
      const there = [...agents, ...(agent === undefined ? [] : [agent])].join(", ");
      throw new HttpError(404, `there is no agent "${found}"; there are: ${there}`);
    }
    return found;
  }

  #reject(api: Api["id"], error: unknown): Answer {
    const blame = error instanceof BadRequestError ? error.blame : {};
    const status = error instanceof HttpError
      ? error.status
      : error instanceof BadRequestError
      ? blame.status ?? 400
      : 503;
    // It may quote what was asked, however long that is.
    const message = clip(error instanceof Error ? error.message : String(error), MAX_SAID);
    this.#observe({ type: "model_rejected", status, message });
    const headers = {
      "content-type": "application/json",
      "x-should-retry": "false",
      // What is left of a body that is not read would be taken for the next request.
      ...(status === 413 && { connection: "close" }),
    };
    const { param, code: apiCode } = blame;
    const failure = { status, message, code: "model_error", ...(apiCode !== undefined && { apiCode }) } as const;
    return { status, headers, body: errorBody(api, failure, param && clip(param, MAX_SAID)) };
  }
}

/** A part of a path, decoded. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new HttpError(400, "the agent's name in the path is not encoded as URLs are");
  }
}

/** Never asked: an endpoint that forwards has no model of its own. */
function refuse(): Promise<never> {
  throw new ModelCallError({ status: 500, message: "this endpoint forwards", code: "internal" });
}
