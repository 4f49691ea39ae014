/** Which model speaks for which agent, as the command line has it. Loads no client. */

/**
 * Who has the model. `anthropic` and `openai`: the providers. `compatible`: any server that speaks OpenAI's chat
 * completions, such as llama.cpp's or Ollama.
 */
export type ProviderName = "anthropic" | "openai" | "compatible";

/** One model of a provider. */
export interface ModelSpec {
  /** Who has it. */
  readonly provider: ProviderName;
  /** What its provider calls it. */
  readonly name: string;
  /** Where it is, with `/v1`; not there for a provider's own address. */
  readonly baseUrl?: string;
}

/** Which model speaks for whom. An agent that has none is played by the scenario's script. */
export interface ModelChoice {
  /** The model of every agent that is not named; the script's if left out. */
  readonly all?: ModelSpec;
  /** Models of agents by name; `scripted` for the script. */
  readonly byAgent: ReadonlyMap<string, ModelSpec | "scripted">;
}

/** How a model is written, for messages. */
export const MODEL_FORM = "anthropic:NAME, openai:NAME or compatible:NAME@http://HOST:PORT/v1";

/** What stands in cells, files and tables must not be able to break out of them. */
const NAME = /^[\w][\w.:/+-]{0,119}$/;

/**
 * Reads one model.
 *
 * @throws {RangeError} If it is none. The message says what is allowed.
 * @example
 * ```ts
 * import { parseModelSpec } from "./choice.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(parseModelSpec("compatible:llama3.2:3b@http://127.0.0.1:11434/v1"), {
 *   provider: "compatible",
 *   name: "llama3.2:3b",
 *   baseUrl: "http://127.0.0.1:11434/v1",
 * });
 * ```
 */
export function parseModelSpec(text: string): ModelSpec {
  const { provider, rest = "" } = /^(?<provider>[a-z]+):(?<rest>.*)$/s.exec(text)?.groups ?? {};
  if (provider !== "anthropic" && provider !== "openai" && provider !== "compatible") {
    throw new RangeError(`${JSON.stringify(text)} is no model; give ${MODEL_FORM}`);
  }
  const { name, url } = /^(?<name>.*?)@(?<url>https?:.*)$/s.exec(rest)?.groups ?? { name: rest };
  if (name === undefined || !NAME.test(name)) {
    throw new RangeError(`${JSON.stringify(text)} names no model after ${provider}: (letters, digits and . _ : / + -)`);
  }
  if (provider !== "compatible") {
    if (url === undefined) return { provider, name };
    throw new RangeError(
      `${JSON.stringify(text)}: only compatible: takes an address; for ${provider} set ${BASE_URL[provider]}`,
    );
  }
  if (url === undefined || !URL.canParse(url)) {
    throw new RangeError(`${JSON.stringify(text)} has no address; give compatible:${name}@http://HOST:PORT/v1`);
  }
  const { username, password } = new URL(url);
  if (username !== "" || password !== "") {
    throw new RangeError(`the address of compatible:${name} holds a credential; put it into COMPATIBLE_API_KEY`);
  }
  return { provider, name, baseUrl: url.replace(/\/+$/, "") };
}

/** The variables with which a provider's address is replaced, the same as its client's own. */
export const BASE_URL = { anthropic: "ANTHROPIC_BASE_URL", openai: "OPENAI_BASE_URL" } as const;

/** The variables that hold the keys. That of `compatible` may be left out. */
export const API_KEY = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  compatible: "COMPATIBLE_API_KEY",
} as const satisfies Record<ProviderName, string>;

/**
 * Reads a choice: models for all agents or, as in `planner=openai:NAME`, for one.
 *
 * @returns `undefined` where the script plays all of them.
 * @throws {RangeError} If one is no model, or the same is chosen twice.
 */
export function parseModelChoice(given: readonly string[]): ModelChoice | undefined {
  const byAgent = new Map<string, ModelSpec | "scripted">();
  let all: ModelSpec | "scripted" | undefined;
  for (const one of given) {
    const { agent, model = one } = /^(?<agent>\w+)=(?<model>.+)$/s.exec(one)?.groups ?? {};
    const spec = model === "scripted" ? model : parseModelSpec(model);
    if (agent === undefined ? all !== undefined : byAgent.has(agent)) {
      throw new RangeError(`${agent ?? "every agent"} has two models; give one`);
    }
    if (agent === undefined) all = spec;
    else byAgent.set(agent, spec);
  }
  if (all !== undefined && all !== "scripted") return { all, byAgent };
  return [...byAgent.values()].some((spec) => spec !== "scripted") ? { byAgent } : undefined;
}

/** The models of a choice, each once. */
export function specsOf({ all, byAgent }: ModelChoice): ModelSpec[] {
  const specs = [...byAgent.values(), ...(all === undefined ? [] : [all])].filter((spec) => spec !== "scripted");
  return [...new Map(specs.map((spec) => [`${specLabel(spec)}@${spec.baseUrl}`, spec])).values()];
}

/** A model's name in cells and tables. Its address is a fact of somebody's machine, and is left out. */
export function specLabel({ provider, name }: ModelSpec): string {
  return `${provider}:${name}`;
}

/** A choice's name in cells and tables: the same whatever the order in which it was given. */
export function choiceLabel({ all, byAgent }: ModelChoice): string {
  const label = (spec: ModelSpec | "scripted") => spec === "scripted" ? spec : specLabel(spec);
  const named = [...byAgent].sort(([a], [b]) => a < b ? -1 : 1).map(([agent, spec]) => `${agent}=${label(spec)}`);
  return [...named, label(all ?? "scripted")].join("+");
}
