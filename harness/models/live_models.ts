/** The live models of a run: clients, limits and counts that all cells share. Loaded only where one is chosen. */
import { type Model, type ModelRequest, type ModelTurn, ScriptedModel } from "../../agents/mod.ts";
import {
  API_KEY,
  BASE_URL,
  choiceLabel,
  type ModelChoice,
  type ModelSpec,
  specLabel,
  specsOf,
} from "../../agents/models/live/choice.ts";
import { LiveModelError } from "../../agents/models/live/errors.ts";
import { LiveModel, type LiveModelOptions } from "../../agents/models/live/live.ts";
import { type Price, priceOf, PRICES } from "../../agents/models/live/prices.ts";
import { connectTo, type ProviderOptions } from "../../agents/models/live/provider.ts";
import { OverLimit, Purse } from "../../agents/models/live/purse.ts";
import { Throttle } from "../../agents/models/live/throttle.ts";
import { type Clock, RealClock } from "../../core/mod.ts";
import { UsageError } from "../cli/exit.ts";
import { NotAsked } from "../judge/not_asked.ts";
import { type CellModel, type ModelProblem, type ModelSource, scriptedSource } from "../runner/model_source.ts";
import { scriptOf } from "../runner/script.ts";
import type { LiveOptions } from "./options.ts";
import { Outages } from "./outages.ts";
import { playedBy } from "./played.ts";

/** Where the providers are if nobody says otherwise. */
const ADDRESS = { anthropic: "https://api.anthropic.com", openai: "https://api.openai.com/v1" } as const;

/** How long one call may take, in milliseconds, whatever its caller would grant it. */
const CALL_TIMEOUT_MS = 240_000;

/** What live models are made of. */
export interface LiveModelsOptions extends LiveOptions {
  /** Reads a variable of the environment: keys and addresses are there and nowhere else. */
  readonly env: (name: string) => string | undefined;
  /**
   * What is counted of limits and waits.
   *
   * @default The machine's clock.
   */
  readonly clock?: Clock;
  /**
   * What tokens cost.
   *
   * @default The project's own table.
   */
  readonly prices?: ReadonlyMap<string, Price>;
  /** How often a call that failed in passing is made again. */
  readonly retries?: number;
  /** The judge, within the same limits; none if left out. */
  readonly judge?: ModelSpec;
}

/** The live models of a run. */
export interface LiveModels {
  /** The name that cells have. */
  readonly label: string;
  /** The keys that are sent. */
  readonly keys: readonly string[];
  /** Makes the model of a cell. */
  readonly source: ModelSource;
  /** Makes the judge of a cell, whose turns say what the provider calls it; none where none was chosen. */
  readonly judge?: () => Model;
  /** The money and the tokens of the run. */
  readonly purse: Purse;
  /** The same as `outage` of the judge, without which a run goes on; `undefined` if it was always there, or is not chosen. */
  judgeOutage(): string | undefined;
  /** Of the first provider that could be asked nothing: what happened, and what to do; `undefined` if there is none. */
  outage(): string | undefined;
}

/** Where a model is asked. */
export function addressOf(spec: ModelSpec, env: (name: string) => string | undefined): string {
  if (spec.provider === "compatible") return spec.baseUrl ?? "";
  return env(BASE_URL[spec.provider])?.trim() || ADDRESS[spec.provider];
}

/**
 * Gets ready to ask live models; asks none.
 *
 * @throws {UsageError} If a key is missing, the network may not be used, or a limit of money has no price to go by.
 */
export async function openLiveModels(choice: ModelChoice, options: LiveModelsOptions): Promise<LiveModels> {
  const { env, limits, streamed, concurrent, perMinute, clock = new RealClock(), prices = PRICES, retries } = options;
  const { judge } = options;
  const own = specsOf(choice);
  const specs = judge === undefined || own.some((one) => nameOf(one) === nameOf(judge)) ? own : [...own, judge];
  for (const spec of specs) await checkTask(spec, addressOf(spec, env));
  const keys = new Map(specs.map((spec) => [spec, keyOf(spec, env)]));
  const purse = new Purse(limits);
  const throttles = new Map<string, Throttle>();
  const made = new Map<string, LiveModelOptions>();
  for (const spec of specs) {
    const price = priceOf(spec, prices);
    if (limits.maxCostUsd !== undefined && price === undefined) {
      throw new UsageError(
        `--max-cost cannot be kept: the price of ${specLabel(spec)} is not known; give it with --prices FILE, of ` +
          "rows as in agents/models/live/prices.json (bench list --models shows them), or limit with --max-tokens",
      );
    }
    const address = addressOf(spec, env);
    // Limits are a server's, not a model's.
    const throttle = throttles.get(address) ??
      new Throttle({ concurrent, ...(perMinute === undefined ? {} : { perMinute }) }, clock);
    throttles.set(address, throttle);
    const apiKey = keys.get(spec) ?? "";
    const connection: ProviderOptions = { apiKey, baseUrl: address, streamed, timeoutMs: CALL_TIMEOUT_MS };
    const provider = await connectTo(spec.provider, connection);
    made.set(nameOf(spec), {
      ...{ spec, provider, purse, throttle, clock, apiKey },
      epochMs: () => Date.now(),
      ...(price === undefined ? {} : { price }),
      ...(retries === undefined ? {} : { retries }),
    });
  }
  const outages = new Outages();
  // Nothing that counts rests on a judge: that it is out ends no run.
  const ofJudge = new Outages();
  const judging = judge === undefined ? undefined : made.get(nameOf(judge));
  return {
    label: choiceLabel(choice),
    keys: [...new Set(keys.values())].filter((key) => key !== ""),
    source: (cell) => liveCell(choice, { made, outages }, cell),
    ...(judging === undefined ? {} : {
      judge: () => whileThere(new LiveModel({ ...judging, isNamed: true }), judging.spec, ofJudge),
    }),
    judgeOutage: () => ofJudge.first,
    purse,
    outage: () => outages.first,
  };
}

/** A model that is asked nothing more once its provider is known to be out. */
function whileThere(model: Model, spec: ModelSpec, outages: Outages): Model {
  const name = nameOf(spec);
  return {
    async next(request, signal) {
      const known = outages.of(name);
      if (known !== undefined) throw new NotAsked(known.code, known.detail);
      try {
        return await model.next(request, signal);
      } catch (error) {
        if (error instanceof LiveModelError && error.outage !== undefined) {
          outages.note(name, spec, error, error.outage);
        }
        throw error;
      }
    },
  };
}

function nameOf(spec: ModelSpec): string {
  return JSON.stringify([specLabel(spec), spec.baseUrl]);
}

/** The model of one cell: each agent has its own, or plays its script. */
function liveCell(
  { all, byAgent }: ModelChoice,
  { made, outages }: { readonly made: ReadonlyMap<string, LiveModelOptions>; readonly outages: Outages },
  options: Parameters<ModelSource>[0],
): CellModel {
  const script = restOf(options);
  const models = new Map([...made].map(([name, options]) => [name, new LiveModel(options)]));
  const refused = new Map<string, { message: string; calls: number }>();
  // Of a cell that has met one nothing more is asked: it is run again as a whole.
  let lost: { readonly error: LiveModelError; readonly problem: ModelProblem } | undefined;
  const ask = async (spec: ModelSpec, request: ModelRequest, signal: AbortSignal): Promise<ModelTurn> => {
    const name = nameOf(spec);
    const model = models.get(name) ?? script.model;
    try {
      const known = lost?.error ?? outages.of(name);
      if (known !== undefined) throw known;
      return await model.next(request, signal);
    } catch (error) {
      if (lost === undefined && error instanceof LiveModelError && error.outage !== undefined) {
        const what = outages.note(name, spec, error, error.outage);
        lost = { error, problem: { kind: "outage", agent: request.agent, what } };
      }
      throw error;
    }
  };
  const model: Model = {
    async next(request, signal) {
      try {
        const spec = byAgent.get(request.agent) ?? all ?? "scripted";
        return await (spec === "scripted" ? script.model.next(request, signal) : ask(spec, request, signal));
      } catch (error) {
        if (error instanceof OverLimit) {
          const before = refused.get(request.agent);
          refused.set(request.agent, { message: before?.message ?? error.detail, calls: (before?.calls ?? 0) + 1 });
        }
        throw error;
      }
    },
  };
  return {
    model,
    isForeseen: false,
    ...playedBy(options),
    // A conversation that begins again is asked, and paid for, again.
    resume: () => script.resume(),
    problems: () => [
      ...(lost === undefined ? [] : [lost.problem]),
      ...script.problems(),
      ...[...refused].map(([agent, { message, calls }]): ModelProblem => ({
        kind: "limit",
        agent,
        what: `${calls} of its calls ${calls === 1 ? "was" : "were"} refused: ${message}`,
      })),
    ],
  };
}

function keyOf(spec: ModelSpec, env: (name: string) => string | undefined): string {
  const name = API_KEY[spec.provider];
  const key = env(name)?.trim() ?? "";
  if (key === "" && spec.provider !== "compatible") {
    throw new UsageError(`${specLabel(spec)} needs a key in the environment: set ${name}`);
  }
  return key;
}

/** The script of those who have no live model. Nobody has foreseen how often they ask. */
function restOf(options: Parameters<ModelSource>[0]): Pick<CellModel, "model" | "resume" | "problems"> {
  const { scenario, clock, isForeign = false } = options;
  if (isForeign) return scriptedSource(options);
  const onlyIfSeen = Object.keys(scenario.canaries);
  const model = new ScriptedModel(scriptOf(scenario), clock, { playback: "lenient", onlyIfSeen });
  return { model, resume: () => model.resume(), problems: () => model.problems() };
}

/** Whether this task may ask the model. Any that may not has not even its client. */
async function checkTask(spec: ModelSpec, address: string): Promise<void> {
  if (!URL.canParse(address)) throw new UsageError(`${JSON.stringify(address)} is no address of ${specLabel(spec)}`);
  const needs = [
    { name: "env", variable: API_KEY[spec.provider] },
    { name: "net", host: new URL(address).host },
  ] as const;
  for (const need of needs) {
    if ((await Deno.permissions.query(need)).state === "granted") continue;
    const label = specLabel(spec);
    throw new UsageError(
      `${label} is a live model, and this task asks none: use deno task bench:live (frameworks play the script)`,
    );
  }
}
