/** Answers to what a worker has to know first, out of what the plan has resolved already. */
import { canonicalJson, type Json } from "../../core/mod.ts";
import type { Plan } from "../planner/plan.ts";
import type { Handoff } from "../types.ts";

/**
 * Everything that a plan has resolved: its facts, and what the inputs of its tasks have besides; of those a key with two
 * values is left out.
 */
export function resolvedFacts(plan: Plan | null): Map<string, Json> {
  const facts = plan?.facts ?? {};
  const known = new Map<string, Json>(Object.entries(facts));
  const rivals = new Set<string>();
  for (const { inputs } of plan?.tasks ?? []) {
    for (const [key, value] of Object.entries(inputs)) {
      if (Object.hasOwn(facts, key)) continue;
      const old = known.get(key);
      if (old !== undefined && canonicalJson(old) !== canonicalJson(value)) rivals.add(key);
      known.set(key, value);
    }
  }
  for (const key of rivals) known.delete(key);
  return known;
}

/**
 * The fact that a question names: all words of its key occur in the question. Nothing is guessed: a question that names
 * several is answered by none, and a fact that the worker has already is no answer to it.
 *
 * @example
 * ```ts
 * import { factFor } from "./clarify.ts";
 * import assert from "node:assert/strict";
 *
 * const facts = new Map([["order_id", "12345"], ["currency", "USD"]]);
 * assert.deepEqual(factFor("What is the order id?", facts, {}), ["order_id", "12345"]);
 * assert.equal(factFor("Which customer?", facts, {}), undefined);
 * ```
 */
export function factFor(
  question: string,
  facts: ReadonlyMap<string, Json>,
  inputs: Handoff["inputs"],
): [key: string, value: Json] | undefined {
  const asked = new Set(wordsOf(question));
  const named = [...facts].filter(([key]) => {
    const words = wordsOf(key);
    return words.length > 0 && words.every((word) => asked.has(word)) && !Object.hasOwn(inputs, key);
  });
  return named.length === 1 ? named[0] : undefined;
}

/** The packet with an answer among its inputs. */
export function clarified(packet: Handoff, question: string, answer: string): Handoff {
  return { ...packet, inputs: { ...packet.inputs, clarification: { question, answer } } };
}

function wordsOf(text: string): string[] {
  return text.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
