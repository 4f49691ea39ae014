/** What the options about models mean. Loads no client. */
import { resolve } from "node:path/posix";
import { CREWS, ENTRY } from "../../agents/mod.ts";
import {
  choiceLabel,
  type ModelChoice,
  type ModelSpec,
  parseModelChoice,
  parseModelSpec,
} from "../../agents/models/live/choice.ts";
import type { PurseLimits } from "../../agents/models/live/purse.ts";
import { clip, oneLine } from "../../core/text.ts";
import { UsageError } from "../cli/exit.ts";
import { unknown } from "../scenario/problem.ts";

/** Options about models as the command line has them. */
export interface ModelFlags {
  /** `--model`, each time it is given. */
  readonly model?: readonly string[];
  /** `--judge`. */
  readonly judge?: string;
  /** `--record`. */
  readonly record?: string;
  /** `--replay`. */
  readonly replay?: string;
  /** `--max-cost`. */
  readonly maxCost?: string;
  /** `--max-tokens`. */
  readonly maxTokens?: string;
  /** `--prices`. */
  readonly prices?: string;
  /** `--calls-at-once`. */
  readonly callsAtOnce?: string;
  /** `--calls-per-minute`. */
  readonly callsPerMinute?: string;
  /** `--stream`. */
  readonly stream?: true;
}

/** How live models are asked. */
export interface LiveOptions {
  /** Limits of the whole run. */
  readonly limits: PurseLimits;
  /** How many calls of one provider may be on their way at once. */
  readonly concurrent: number;
  /** How many may begin within a minute. */
  readonly perMinute?: number;
  /** Whether replies are streamed. */
  readonly streamed: boolean;
  /** The file with prices that go before the project's own. Absolute; none if left out. */
  readonly pricesFile?: string;
}

/** Whose turns a run is made of, where it is not the script's. */
export type ModelOptions =
  | {
    /** Live models. */
    readonly kind: "live";
    /** Which ones; of nobody where only a judge is asked. */
    readonly choice: ModelChoice;
    /** The judge; none if left out. */
    readonly judge?: ModelSpec;
    /** How they are asked. */
    readonly live: LiveOptions;
    /** The file of the recording. Absolute. */
    readonly record?: string;
  }
  | {
    /** A recording. */
    readonly kind: "replay";
    /** Its file. Absolute. */
    readonly file: string;
    /** Which of its models, by the name that cells have; the only one if left out. */
    readonly label?: string;
    /** The judge, whose answers are in the recording, too; none if left out. */
    readonly judge?: ModelSpec;
  };

const LIVE_ONLY = {
  record: "--record",
  maxCost: "--max-cost",
  maxTokens: "--max-tokens",
  prices: "--prices",
  callsAtOnce: "--calls-at-once",
  callsPerMinute: "--calls-per-minute",
  stream: "--stream",
} as const satisfies Partial<Record<keyof ModelFlags, string>>;

/** How many calls of one provider may be on their way at once where nobody says. */
const CALLS_AT_ONCE = 4;

/**
 * Makes options of flags.
 *
 * @returns `undefined` where the script plays everybody.
 * @throws {UsageError} If a flag's value is not allowed, or flags do not go together.
 */
export function parseModelOptions(flags: ModelFlags, cwd: string): ModelOptions | undefined {
  const choice = choiceOf(flags.model ?? []);
  const judge = flags.judge === undefined ? {} : { judge: judgeIn(flags.judge) };
  const given = Object.entries(LIVE_ONLY).filter(([key]) => Reflect.get(flags, key) !== undefined);
  const [first] = given;
  if (flags.replay !== undefined) {
    if (first !== undefined) throw new UsageError(`${first[1]} is for live models, and --replay asks none`);
    const label = choice === undefined ? {} : { label: choiceLabel(choice) };
    return { kind: "replay", file: fileOf("--replay", flags.replay, cwd), ...label, ...judge };
  }
  if (choice === undefined && flags.judge === undefined) {
    if (first !== undefined) throw new UsageError(`${first[1]} is for live models; choose one with --model`);
    return undefined;
  }
  return {
    kind: "live",
    choice: choice ?? { byAgent: new Map() },
    ...judge,
    live: liveOptionsOf(flags, cwd),
    ...(flags.record === undefined ? {} : { record: fileOf("--record", flags.record, cwd) }),
  };
}

/**
 * How live models are asked.
 *
 * @throws {UsageError} If a flag's value is not allowed.
 */
export function liveOptionsOf(
  flags: Omit<ModelFlags, "model" | "judge" | "record" | "replay">,
  cwd: string,
): LiveOptions {
  const { maxCost, maxTokens, prices, callsAtOnce, callsPerMinute, stream } = flags;
  return {
    limits: {
      ...(maxCost === undefined ? {} : { maxCostUsd: amountOf("--max-cost", maxCost, MAX_COST) }),
      ...(maxTokens === undefined ? {} : { maxTokens: amountOf("--max-tokens", maxTokens, MAX_TOKENS) }),
    },
    concurrent: callsAtOnce === undefined ? CALLS_AT_ONCE : amountOf("--calls-at-once", callsAtOnce, AT_ONCE),
    ...(callsPerMinute === undefined ? {} : { perMinute: amountOf("--calls-per-minute", callsPerMinute, PER_MINUTE) }),
    streamed: stream ?? false,
    ...(prices === undefined ? {} : { pricesFile: fileOf("--prices", prices, cwd) }),
  };
}

/**
 * Reads a choice of models, and looks whether there are the agents that it names.
 *
 * @throws {UsageError} If it cannot be read, or names nobody.
 */
export function choiceOf(given: readonly string[]): ModelChoice | undefined {
  let choice: ModelChoice | undefined;
  try {
    choice = parseModelChoice(given);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`--model: ${oneLine(error.message)}`);
  }
  const agents = agentNames();
  for (const agent of choice?.byAgent.keys() ?? []) {
    if (!agents.includes(agent)) throw new UsageError(`--model: ${unknown("agent", agent, agents)}`);
  }
  return choice;
}

function judgeIn(given: string): ModelSpec {
  try {
    return parseModelSpec(given);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`--judge: ${oneLine(error.message)}`);
  }
}

/** Every agent of every crew that there is. */
function agentNames(): string[] {
  const specialists = [...CREWS.values()].flatMap(({ specialists }) => specialists.map(({ name }) => name));
  return [...new Set(["planner", "synthesizer", ENTRY, ...specialists])];
}

function fileOf(flag: string, given: string, cwd: string): string {
  if (given === "") throw new UsageError(`${flag} needs a file`);
  return resolve(cwd, given);
}

/** What an amount may be. */
interface Form {
  readonly form: RegExp;
  /** The same in words. */
  readonly words: string;
}

const MAX_COST: Form = {
  form: /^\d{1,9}(?:\.\d{1,9})?$/,
  words: "US dollars, a number that is not below 0, as in 5 or 0.50",
};
const MAX_TOKENS: Form = { form: /^\d{1,15}$/, words: "a whole number that is not below 0, as in 100000" };
const AT_ONCE: Form = { form: /^[1-9]\d{0,3}$/, words: "a whole number from 1 to 9999, as in 4" };
const PER_MINUTE: Form = { form: /^[1-9]\d{0,5}$/, words: "a whole number from 1 to 999999, as in 30" };

function amountOf(flag: string, given: string, { form, words }: Form): number {
  const value = form.test(given) ? Number(given) : NaN;
  if (value >= 0) return value;
  throw new UsageError(`${flag} ${JSON.stringify(clip(oneLine(given), 40))} is not allowed; give ${words}`);
}
