/** What the tests of this folder share: a live model on a clock that nobody waits for, and a provider that says what it is told. */
import { VirtualClock } from "../../../core/mod.ts";
import type { ModelRequest } from "../model.ts";
import type { ModelSpec } from "./choice.ts";
import { LiveModel, type LiveModelOptions } from "./live.ts";
import type { Provider, ProviderCall, ProviderReply, ProviderUsage } from "./provider.ts";
import { Purse } from "./purse.ts";
import { Throttle } from "./throttle.ts";

/** A model of a provider. */
export const SPEC: ModelSpec = { provider: "openai", name: "gpt-x" };

/** What a reply used. */
export const USAGE: ProviderUsage = { inputTokens: 100, outputTokens: 20, cachedTokens: 0, cacheWriteTokens: 0 };

/** A reply that is a text. */
export const REPLY: ProviderReply = { text: "a rose", calls: [], finish: "stop", usage: USAGE };

/** A request. */
export const REQUEST: ModelRequest = {
  agent: "poet",
  span: "run/poet/step1",
  system: "You write.",
  messages: [{ role: "user", text: "Write." }],
  tools: [],
};

/** An error as both official clients throw it. */
export function apiError(status: number | undefined, headers: Record<string, string> = {}, more: object = {}): Error {
  return Object.assign(new Error(`${status ?? ""} it went wrong`), { status, headers: new Headers(headers), ...more });
}

/** A provider that answers what each of these says, one after the other; an error is thrown. */
export function saying(...said: (ProviderReply | Error)[]): Provider & { readonly asked: ProviderCall[] } {
  const asked: ProviderCall[] = [];
  return {
    asked,
    holdsToForm: true,
    open: () => ({
      ask(call) {
        const reply = said[asked.push(call) - 1] ?? REPLY;
        return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
      },
    }),
  };
}

/** A live model, and the clock that it waits on. */
export function liveModel(
  provider: Provider,
  options: Partial<LiveModelOptions> = {},
): { readonly model: LiveModel; readonly clock: VirtualClock; readonly purse: Purse } {
  const clock = new VirtualClock();
  const purse = options.purse ?? new Purse();
  const throttle = new Throttle({ concurrent: 4 }, clock);
  const rest = { spec: SPEC, provider, throttle, clock, epochMs: () => clock.now(), apiKey: "sk-planted-key" };
  return { model: new LiveModel({ ...rest, ...options, purse }), clock, purse };
}
