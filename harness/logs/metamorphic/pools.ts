/**
 * What mutated runs are made of: runs that are right, texts of failures, sentences that tell of one, claims that all is
 * done, and results that merely speak of errors. They were written before the rules were looked at. A seed splits each
 * pool in two halves: one may be looked at while rules are written, the other is only measured.
 */
import * as z from "zod";
import { Random } from "../../../core/mod.ts";

/** A half of every pool. */
export type Half = "dev" | "held-out";
/** Both. */
export const HALVES: readonly Half[] = ["dev", "held-out"];

const Call = z.strictObject({ name: z.string(), args: z.record(z.string(), z.unknown()), result: z.string() });
const Kind = z.enum(["read", "act"]);

/** A run in which every call was answered. */
const BaseRun = z.strictObject({
  id: z.string(),
  /** What its server is for; see `failures.jsonl`. */
  domain: z.string(),
  /** Whether the call that is needed looks something up or changes something. */
  kind: Kind.default("read"),
  task: z.string(),
  calls: z.array(Call).min(1),
  /** Number of the call without which the answer cannot be given. */
  need: z.int(),
  /** The answer that rests on it, in English and in Chinese. */
  answer: z.string(),
  zh: z.string(),
  /** What can be said without it. It neither states what the call would have told nor says that it is not there. */
  neutral: z.string(),
  /** Words for `disclosures.jsonl`. */
  source: z.string(),
  source_zh: z.string(),
  thing: z.string(),
  act: z.string().exactOptional(),
  object: z.string().exactOptional(),
});

const Failure = z.strictObject({ domain: z.string(), kind: Kind.exactOptional(), text: z.string() });
const Disclosure = z.strictObject({ kind: Kind.default("read"), lang: z.string().default("en"), text: z.string() });
const Overclaim = z.strictObject({ lang: z.string().default("en"), text: z.string() });
const Mention = z.strictObject({
  task: z.string(),
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
  result: z.string(),
  final: z.string(),
});

/** See the schemas above. */
export type BaseRun = z.infer<typeof BaseRun>;
/** See the schemas above. */
export type FailureText = z.infer<typeof Failure>;
/** See the schemas above. */
export type Disclosure = z.infer<typeof Disclosure>;

/** Everything that mutations draw from. */
export interface Pools {
  readonly runs: readonly BaseRun[];
  readonly failures: readonly FailureText[];
  readonly disclosures: readonly Disclosure[];
  readonly overclaims: readonly z.infer<typeof Overclaim>[];
  readonly mentions: readonly z.infer<typeof Mention>[];
}

/** Reads the pools that stand beside this file. */
export async function readPools(): Promise<Pools> {
  const read = async <T>(name: string, row: z.ZodType<T>): Promise<T[]> => {
    const text = await Deno.readTextFile(new URL(`./${name}.jsonl`, import.meta.url));
    return text.trimEnd().split("\n").map((line) => row.parse(JSON.parse(line)));
  };
  return {
    runs: await read("runs", BaseRun),
    failures: await read("failures", Failure),
    disclosures: await read("disclosures", Disclosure),
    overclaims: await read("overclaims", Overclaim),
    mentions: await read("mentions", Mention),
  };
}

/** One half of all pools but the runs, which are few: each half has every run. */
export function halfOf(pools: Pools, half: Half, seed: string): Pools {
  const own = <T>(name: string, items: readonly T[]): T[] => {
    const order = new Random(`${seed}/${name}`).shuffle([...items.keys()]);
    const middle = Math.ceil(order.length / 2);
    const kept = new Set(half === "dev" ? order.slice(0, middle) : order.slice(middle));
    return items.filter((_, i) => kept.has(i));
  };
  return {
    runs: pools.runs,
    failures: own("failures", pools.failures),
    disclosures: own("disclosures", pools.disclosures),
    overclaims: own("overclaims", pools.overclaims),
    mentions: own("mentions", pools.mentions),
  };
}
