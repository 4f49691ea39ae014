/**
 * A script that is reached as anybody reaches a model: over HTTP on the loopback interface, at the project's own endpoint,
 * streamed. For faults that are in the bytes of a stream and nowhere else.
 */
import { safeName } from "../../agents/hub/names.ts";
import type { Model, ModelTurn } from "../../agents/mod.ts";
import { endpoint } from "../../servers/endpoint/mod.ts";
import type { ModelCall, ModelEvent } from "../../servers/model/mod.ts";
import type { FaultyModelOptions } from "./faulty_model.ts";
import { withOwnNames } from "./own_names.ts";
import { askStreamed, type StreamProtocolName } from "./stream_client.ts";

/** What such a model needs. */
export interface OverHttpOptions extends FaultyModelOptions {
  /** Whose protocol is spoken. */
  readonly protocol: StreamProtocolName;
  /** Names of the tools of the cell's script: a conversation may name one that is not offered any more. */
  readonly tools: readonly string[];
}

/** The endpoint takes no other. */
const KEY = "brownout";

/** Opens the way to a script. Nothing is asked again on it: what is tried again is for whoever is judged. */
export async function modelOverHttp(
  script: Model,
  { protocol, faults, clock, seed, recorder, tools }: OverHttpOptions,
): Promise<Model & AsyncDisposable> {
  const spans = new Map<string, string>();
  const asked = new Map<string, number>();
  const answered = new Map<string, number>();
  const spanOf = (agent: string, call: number): string => spans.get(`${agent}#${call}`) ?? "run";
  const observer = (event: ModelEvent): void => {
    if (event.type !== "model_fault" && event.type !== "model_fault_broke") return;
    const { type, ...detail } = event;
    const name = type === "model_fault" ? "model.fault" : "model.fault_broke";
    recorder.record("world", name, spanOf(detail.agent, detail.call), detail);
  };
  const scripted = async (call: ModelCall, signal: AbortSignal): Promise<ModelTurn> => {
    const { agent } = call;
    const place = (answered.get(agent) ?? 0) + 1;
    answered.set(agent, place);
    const turn = await script.next({ ...withOwnNames(call, tools), span: spanOf(agent, place) }, signal);
    return { ...turn, calls: turn.calls.map((one) => ({ ...one, name: safeName(one.name) })) };
  };
  const up = await endpoint({
    backend: { scripted },
    faults: faults.filter(({ at }) => at.startsWith("agent:")),
    ...{ clock, seed, observer, token: KEY },
  });
  return {
    next(request, signal) {
      const { agent, span } = request;
      const call = (asked.get(agent) ?? 0) + 1;
      asked.set(agent, call);
      spans.set(`${agent}#${call}`, span);
      return askStreamed(request, { protocol, baseUrl: `${up.url}/v1`, key: KEY }, signal);
    },
    [Symbol.asyncDispose]: () => up.close(),
  };
}
