/** What many faults on the model's side have in common. */
import type { Json } from "../../../core/mod.ts";
import type { LaneSupport } from "../fault.ts";
import type { ModelFailure, ModelReply, ModelToolCall, TurnVerdict } from "../model_hooks.ts";
import { findPlan } from "./plan.ts";

/** The lanes of a fault of bytes. */
export const ENDPOINT_ONLY: { readonly sim: LaneSupport; readonly wire: LaneSupport } = {
  sim: "it is in the bytes of a reply over HTTP, and in sim the model is called in the same process",
  wire: true,
};

/** The turn, changed. */
export function turned(reply: ModelReply, change: Partial<ModelReply>): TurnVerdict {
  return { do: "replace", reply: { ...reply, ...change } };
}

/** The turn as a last word: this text, no calls. */
export function lastWord(reply: ModelReply, text: string): TurnVerdict {
  return turned(reply, { text, calls: [], finish: "stop" });
}

/** The call fails. */
export function failed(failure: ModelFailure): { readonly do: "fail"; readonly failure: ModelFailure } {
  return { do: "fail", failure };
}

/** The call or the turn is lost. */
export const LOST = { do: "drop" } as const;

/** Whether a turn is a worker's note: a last word with something in it that is no plan. */
export function isNote({ text, calls, finish }: ModelReply): boolean {
  return calls.length === 0 && finish === "stop" && text.trim() !== "" && findPlan(text) === undefined;
}

/** The turn with its first call changed; `undefined` if it has none, or nothing is changed. */
export function onFirstCall(
  reply: ModelReply,
  change: (call: ModelToolCall) => ModelToolCall | undefined,
): TurnVerdict | undefined {
  const [first, ...rest] = reply.calls;
  const changed = first && change(first);
  return changed && turned(reply, { calls: [changed, ...rest] });
}

/** A call whose arguments are this text, which is no JSON object. */
export function rawCall({ id, name }: ModelToolCall, rawArguments: string): ModelToolCall {
  return { id, name, args: {}, rawArguments };
}

/** The first part of a text, cut between characters: at least one is left, and at least one is lost. */
export function firstPart(text: string, fraction: number): string {
  const characters = [...text];
  const length = Math.min(characters.length - 1, Math.max(1, Math.floor(characters.length * fraction)));
  return characters.slice(0, length).join("");
}

/** The member of an object under the first of these names that it has itself. */
export function memberOf(
  object: { readonly [key: string]: Json },
  names: readonly string[],
): { readonly key: string; readonly value: Json | undefined } {
  const key = names.find((name) => Object.hasOwn(object, name)) ?? names[0] ?? "";
  return { key, value: Object.hasOwn(object, key) ? object[key] : undefined };
}
