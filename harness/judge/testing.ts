/** What the tests of this folder share: the project's own endpoint as a provider that judges by a rule of its own. */
import type { ModelTurn } from "../../agents/mod.ts";
import { type Endpoint, endpoint } from "../../servers/endpoint/mod.ts";
import type { ModelCall } from "../../servers/model/mod.ts";
import { clientEnv, KEY } from "../models/testing.ts";

/** A provider whose model judges. */
export interface JudgingProvider extends AsyncDisposable {
  /** The endpoint. */
  readonly endpoint: Endpoint;
  /** What it was asked, in full. */
  readonly asked: string[];
  /** Variables that lead every official client to it. */
  env(name: string): string | undefined;
}

/** A turn that says just this. */
export function saying(text: string): ModelTurn {
  return { text, calls: [], finish: "stop", usage: { inputTokens: 100, outputTokens: 10 } };
}

/** Says of a claim that it is supported if each of its numbers is in the evidence, and in prose that it does not know if it has none. */
export function byNumbers(text: string): ModelTurn {
  const [, data = "{}"] = text.split("\n");
  const { claim, evidence }: { claim: string; evidence: string[] } = JSON.parse(data);
  const numbers = claim.match(/\d+(?:\.\d+)?/g) ?? [];
  if (numbers.length === 0) return saying("I would rather not say.");
  const answer = numbers.every((one) => evidence.join(" ").includes(one)) ? "supported" : "unsupported";
  return saying(JSON.stringify({ answer }));
}

/** Opens one. */
export async function judgingProvider(): Promise<JudgingProvider> {
  const asked: string[] = [];
  const scripted = (call: ModelCall): Promise<ModelTurn> => {
    const [first] = call.messages;
    const text = first?.role === "user" ? first.text : "";
    asked.push(text);
    return Promise.resolve(byNumbers(text));
  };
  const up = await endpoint({ backend: { scripted }, token: KEY });
  return {
    endpoint: up,
    asked,
    env: clientEnv(up.url),
    [Symbol.asyncDispose]: () => up[Symbol.asyncDispose](),
  };
}
