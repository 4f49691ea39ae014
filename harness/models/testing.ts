/** What the tests of live models share: the project's own endpoint as the provider, with a scenario's script behind it. */
import { type ModelTurn, ScriptedModel } from "../../agents/mod.ts";
import { safeName } from "../../agents/hub/names.ts";
import { RealClock } from "../../core/mod.ts";
import type { FaultEntry } from "../../servers/mod.ts";
import { type Endpoint, endpoint, type EndpointOptions } from "../../servers/endpoint/mod.ts";
import type { ModelCall, ModelEvent } from "../../servers/model/mod.ts";
import { withOwnNames } from "../runner/own_names.ts";
import { scriptOf } from "../runner/script.ts";
import type { Scenario } from "../scenario/mod.ts";

/** Worthless, but of the shape of a key. */
export const KEY = "sk-test-4f1c9b2e7d8a60315c";

/** Variables that lead every official client to an endpoint, with {@linkcode KEY}. */
export function clientEnv(url: string): (name: string) => string | undefined {
  const variables = new Map([
    ["ANTHROPIC_API_KEY", KEY],
    ["OPENAI_API_KEY", KEY],
    ["COMPATIBLE_API_KEY", KEY],
    ["ANTHROPIC_BASE_URL", url],
    ["OPENAI_BASE_URL", `${url}/v1`],
  ]);
  return (name) => variables.get(name);
}

/** A provider that plays the script of one scenario, each agent by the name of the model. */
export interface ScriptedProvider extends AsyncDisposable {
  /** The endpoint. */
  readonly endpoint: Endpoint;
  /** What it was asked, and answered. */
  readonly events: ModelEvent[];
  /** Variables that lead every official client to it. */
  env(name: string): string | undefined;
}

/** Options of {@linkcode scriptedProvider}. */
export interface ScriptedProviderOptions extends Pick<EndpointOptions, "faults"> {
  /** Whether another endpoint stands between, which forwards, and has the faults. */
  readonly forwards?: boolean;
}

/** Opens a provider. Tools have names without dots there, as everywhere outside of the bench. */
export async function scriptedProvider(
  scenario: Scenario,
  { faults = [], forwards = false }: ScriptedProviderOptions = {},
): Promise<ScriptedProvider> {
  const script = scriptOf(scenario);
  const onlyIfSeen = Object.keys(scenario.canaries);
  const model = new ScriptedModel(script, new RealClock(), { playback: "lenient", onlyIfSeen });
  const scripted = async (call: ModelCall, signal: AbortSignal): Promise<ModelTurn> =>
    withSafeNames(await model.next({ ...withOwnNames(call, toolNames(scenario)), span: call.agent }, signal));
  const events: ModelEvent[] = [];
  const stack = new AsyncDisposableStack();
  const observer = (event: ModelEvent): void => void events.push(event);
  const open = async (options: EndpointOptions): Promise<Endpoint> => stack.use(await endpoint(options));
  const own = { observer, faults: [...faults] satisfies FaultEntry[], token: KEY };
  const behind = forwards ? await open({ backend: { scripted } }) : undefined;
  const up = await open({ ...own, backend: behind === undefined ? { scripted } : { forward: { url: behind.url } } });
  return {
    endpoint: up,
    events,
    env: clientEnv(up.url),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** The same model for each agent that has a script, under the agent's name: the endpoint tells them apart by it. */
export function modelFlags({ script }: Scenario, of: (agent: string) => string): string[] {
  return Object.keys(script).map((agent) => `${agent}=${of(agent)}`);
}

/** Every tool that the script calls: history may name one that is not offered any more. */
function toolNames({ script }: Scenario): string[] {
  return Object.values(script).flat().flatMap(({ call, calls = [] }) => [
    ...(call === undefined ? [] : [call]),
    ...calls.map((one) => one.call),
  ]);
}

function withSafeNames(turn: ModelTurn): ModelTurn {
  return { ...turn, calls: turn.calls.map((call) => ({ ...call, name: safeName(call.name) })) };
}
