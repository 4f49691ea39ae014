/** A live model: what is asked goes to a provider, within the run's limits, and comes back as any model's turn. */
import { type Clock, sleep } from "../../../core/mod.ts";
import type { Model, ModelRequest, ModelTurn } from "../model.ts";
import { inputTokens, outputTokens } from "../tokens.ts";
import type { ModelSpec } from "./choice.ts";
import { type LiveModelError, liveModelError } from "./errors.ts";
import { costOf, mostOf, type Price } from "./prices.ts";
import type { Provider, ProviderCall, ProviderReply, ProviderSession, ProviderUsage } from "./provider.ts";
import type { Amount, Purse } from "./purse.ts";
import type { Throttle } from "./throttle.ts";

/** The most tokens of a reply where whoever asks sets no limit. Reasoning counts. */
export const MAX_OUTPUT_TOKENS = 8192;

/** How often a call that failed in passing is made again. */
export const RETRIES = 2;

/** The longest wait that a provider may ask for, in milliseconds. Who asks for more is not asked again here. */
export const MAX_WAIT_MS = 60_000;

/** The wait before the first retry where the provider does not say, in milliseconds; twice as long before the next. */
const BACKOFF_MS = 500;

/** Tokens that a provider may add to a request on its own: around tools, and around each message. */
const OVERHEAD_TOKENS = 1000;
const MESSAGE_TOKENS = 16;

/** What a live model is made of. Everything but the session is shared by all cells of a run. */
export interface LiveModelOptions {
  /** Which model. */
  readonly spec: ModelSpec;
  /** Its provider. */
  readonly provider: Provider;
  /** What its tokens cost; not known if left out. */
  readonly price?: Price;
  /** The run's money and tokens. */
  readonly purse: Purse;
  /** How often the provider may be asked. */
  readonly throttle: Throttle;
  /** What retries wait on. */
  readonly clock: Clock;
  /** The time, in milliseconds since 1970, for dates that providers name. */
  readonly epochMs: () => number;
  /** The key that is sent: no message may quote it. */
  readonly apiKey: string;
  /** How often a call that failed in passing is made again; {@linkcode RETRIES} if left out. */
  readonly retries?: number;
  /**
   * Whether its turns say what the provider calls the model.
   *
   * @default {false}
   */
  readonly isNamed?: boolean;
}

/**
 * One cell's view of a live model.
 *
 * A call is made again after a failure that passes, as long as its caller waits: it asks a model and changes nothing, so
 * whatever its turn is going to do has not been done. What has had an effect is never repeated here; that is for whoever
 * executes calls. The provider's word on when to come again is kept, within {@linkcode MAX_WAIT_MS}.
 */
export class LiveModel implements Model {
  readonly #session: ProviderSession;
  /** Whether the model takes a form; found out by asking. */
  #takesForm: boolean;

  /** A model for one cell. */
  constructor(private readonly options: LiveModelOptions) {
    this.#session = options.provider.open();
    this.#takesForm = options.provider.holdsToForm;
  }

  /**
   * Asks for the next turn.
   *
   * @throws {LiveModelError} If the call fails.
   * @throws {OverLimit} If it might pass a limit of the run.
   * @throws The signal's reason, if it aborts.
   */
  async next(request: ModelRequest, signal: AbortSignal): Promise<ModelTurn> {
    const { retries = RETRIES, throttle, clock } = this.options;
    for (let attempt = 0;; attempt++) {
      const call = this.#call(request);
      const outcome = await this.#attempt(call, signal);
      if (!("failed" in outcome)) return this.#turn(request, outcome);
      const { failed } = outcome;
      if (failed.status === 400 && call.format !== undefined) {
        // Older models refuse forms; the parser needs none. Another call may have found that out in the meantime.
        this.#takesForm = false;
        continue;
      }
      const wait = failed.retryAfterMs ?? BACKOFF_MS * 2 ** attempt;
      if (failed.retryAfterMs !== undefined && wait <= MAX_WAIT_MS) throttle.pause(wait);
      if (!failed.passing || attempt >= retries || wait > MAX_WAIT_MS) throw failed;
      await sleep(clock, wait, signal);
    }
  }

  async #attempt(
    call: ProviderCall,
    signal: AbortSignal,
  ): Promise<ProviderReply | { readonly failed: LiveModelError }> {
    const { throttle, purse, price, epochMs, apiKey } = this.options;
    const most = mostUsedBy(call, this.#session.hiddenBytes?.(call) ?? 0, price);
    using _begun = await throttle.enter(signal);
    const held = await purse.reserve(most, signal);
    try {
      const reply = await this.#session.ask(call, signal);
      const { usage } = reply;
      held.settle(usage && { tokens: tokensOf(usage), costUsd: costOf(usage, price) });
      return reply;
    } catch (thrown) {
      const failed = liveModelError(thrown, epochMs(), [apiKey]);
      // A reply that broke off is paid for up to where it did, and nobody says where that was.
      held.settle(failed.free && !signal.aborted ? { tokens: 0, costUsd: 0 } : undefined);
      signal.throwIfAborted();
      return { failed };
    }
  }

  #call({ agent, system, messages, tools, maxOutputTokens = MAX_OUTPUT_TOKENS, format }: ModelRequest): ProviderCall {
    return {
      agent,
      model: this.options.spec.name,
      system,
      messages,
      tools,
      maxOutputTokens: Math.min(maxOutputTokens, MAX_OUTPUT_TOKENS),
      ...(format === undefined || !this.#takesForm ? {} : { format }),
    };
  }

  #turn(request: ModelRequest, { text, calls, finish, usage, model }: ProviderReply): ModelTurn {
    const named = model === undefined || !this.options.isNamed ? {} : { model };
    if (usage === undefined) {
      return {
        ...{ text, calls, finish, ...named },
        usage: { inputTokens: inputTokens(request), outputTokens: outputTokens(text, calls) },
      };
    }
    const costUsd = costOf(usage, this.options.price);
    return {
      ...{ text, calls, finish, ...named },
      usage: {
        inputTokens: usage.inputTokens,
        outputTokens: usage.outputTokens,
        ...(usage.cachedTokens === 0 ? {} : { cachedTokens: usage.cachedTokens }),
        ...(costUsd === undefined ? {} : { costUsd }),
      },
    };
  }
}

/** An upper bound: a token is a byte at least, whatever the model's words are. */
function mostUsedBy(
  { system, messages, tools, maxOutputTokens, format }: ProviderCall,
  hiddenBytes: number,
  price?: Price,
): Amount {
  const text = JSON.stringify([
    system,
    messages,
    tools.map(({ name, description, inputSchema }) => [name, description, inputSchema]),
    format ?? null,
  ]);
  const bytes = new TextEncoder().encode(text).length + hiddenBytes;
  const input = bytes + OVERHEAD_TOKENS + MESSAGE_TOKENS * messages.length;
  return { tokens: input + maxOutputTokens, costUsd: mostOf(input, maxOutputTokens, price) };
}

function tokensOf({ inputTokens, outputTokens }: ProviderUsage): number {
  return inputTokens + outputTokens;
}
