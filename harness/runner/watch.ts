/** Records what the world sees: each model request and turn, each frame between hub and server. */
import type { Model } from "../../agents/mod.ts";
import { type Clock, CodedError, type Json, sha256, sleep, toFailure } from "../../core/mod.ts";
import type { WorldEvent } from "../../servers/mod.ts";
import type { Recording } from "../trace/recorder.ts";

/** Digests that are remembered; a subject may send as many prompts as it likes. */
const MAX_DIGESTS = 256;

/** Options of {@linkcode watchModel}. */
export interface WatchOptions {
  /** Gives every turn a moment of its own, so that a shuffling clock can put concurrent turns in any order. */
  readonly yieldOn?: Clock;
}

const digests = new Map<string, string>();

/** SHA-256 of a prompt. There are few, and each cell sends the same ones. */
function digestOfPrompt(prompt: string): string {
  const known = digests.get(prompt);
  if (known !== undefined) return known;
  if (digests.size >= MAX_DIGESTS) digests.clear();
  const hash = sha256(prompt);
  digests.set(prompt, hash);
  return hash;
}

/** A model whose requests and turns are recorded. System prompts are recorded once each, by their digest. */
export function watchModel(model: Model, recorder: Recording, { yieldOn }: WatchOptions = {}): Model {
  const recorded = new Set<string>();
  const digestOf = (prompt: string): string => {
    const hash = digestOfPrompt(prompt);
    if (!recorded.has(hash)) {
      recorded.add(hash);
      recorder.record("world", "model.prompt", `run/prompts/${hash.slice(0, 12)}`, { hash, text: prompt });
    }
    return hash;
  };
  return {
    async next(request, signal) {
      const { agent, span, system, messages, tools } = request;
      recorder.record("world", "model.request", span, {
        agent,
        prompt: digestOf(system),
        messages: messages as unknown as Json,
        tools: tools.map(({ name }) => name),
      });
      try {
        if (yieldOn !== undefined) await sleep(yieldOn, 0, signal);
        const turn = await model.next(request, signal);
        recorder.record("world", "model.turn", span, { agent, ...turn as unknown as { [key: string]: Json } });
        return turn;
      } catch (error) {
        const failure = signal.aborted ? { code: "cancelled", detail: "the caller went away" } : toFailure(error);
        const status = statusOf(error);
        recorder.record("world", "model.error", span, {
          agent,
          code: failure.code,
          detail: failure.detail,
          ...(status === undefined ? {} : { status }),
        });
        throw error;
      }
    },
  };
}

/** The status of HTTP that a failed call has, whoever failed it: a fault, or a provider. */
function statusOf(error: unknown): number | undefined {
  return error instanceof CodedError && "status" in error && typeof error.status === "number"
    ? error.status
    : undefined;
}

/** Records what really happens between hub and servers. A call stands under the span that its caller named in `_meta`. */
export function watchLink(recorder: Recording): (event: WorldEvent) => void {
  const spans = new Map<string, string>();
  return (event) => {
    const server = `run/servers/${event.server}`;
    const { type, ...detail } = event;
    let span = server;
    if ("call" in event && event.tool !== undefined) {
      const key = `${event.server}.${event.tool}#${event.call}`;
      const named = event.type === "request" ? event.meta["brownout/span"] : undefined;
      if (typeof named === "string") spans.set(key, named);
      span = spans.get(key) ?? server;
    }
    recorder.record("world", `server.${type}`, span, detail as unknown as { [key: string]: Json });
  };
}
