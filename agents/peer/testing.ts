/** What the tests of peers share. */
import assert from "node:assert/strict";
import type { Json, VirtualClock } from "../../core/mod.ts";
import { Answer as AnswerSchema } from "../contracts.ts";
import type { Crew } from "../crews/crew.ts";
import type { ToolHub } from "../hub/mod.ts";
import type { ModelTurn, ToolCall } from "../models/model.ts";
import type { KeptRun } from "../subjects/subject.ts";
import { answeringHub, CREW } from "../supervisor/testing.ts";
import { FakeModel, type Move, recording, use } from "../testing.ts";
import type { Answer } from "../types.ts";
import { peers } from "./peer.ts";

/** The one tool of each specialist of the crew of the tests. */
export const TOOLS: Readonly<Record<string, string>> = {
  billing: "orders.find",
  policy: "policy.find",
  comms: "kb.find",
};

/** What each of them may say after it has called its tool. */
export const FOUND: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TOOLS).map(([name, tool]) => [name, `${tool} says x`]),
);

/** A call that hands control over. */
export function handing(to: string, objective = `Do ${to}.`, inputs: { [key: string]: Json } = {}) {
  return [`handoff.${to}`, { objective, inputs }] as [string, ToolCall["args"]];
}

/** A turn that hands control over. */
export const hand = (...args: Parameters<typeof handing>): ModelTurn => use(handing(...args));

/** A hub whose every tool says the same, which is what {@linkcode FOUND} has of it. */
export function sayingHub(down: readonly string[] = []): ToolHub {
  return { ...answeringHub(down), call: (name) => Promise.resolve({ kind: "answered", text: `${name} says x` }) };
}

/** Where a test's peers differ. */
export interface Setup {
  /** What differs from the crew of the tests. */
  readonly crew?: Partial<Crew>;
  /** Calls the run off. */
  readonly signal?: AbortSignal;
  /** Servers that are down. */
  readonly down?: readonly string[];
  /** Another hub. */
  readonly hub?: ToolHub;
  /** Where the run is kept. */
  readonly kept?: KeptRun;
}

/** Lets peers answer, and checks what must hold of every answer. */
export async function runPeers(clock: VirtualClock, moves: Record<string, readonly Move[]>, setup: Setup = {}) {
  const { crew, signal = new AbortController().signal, down = [], kept } = setup;
  const model = new FakeModel(moves);
  const { emit, events } = recording();
  const keeping = kept === undefined ? {} : { kept };
  const world = { crew: { ...CREW, ...crew }, model, hub: setup.hub ?? sayingHub(down), clock, emit, signal };
  const answer = await peers("What happened?", { ...world, ...keeping });
  assert.deepEqual(AnswerSchema.parse(answer), answer);
  return { answer, model, events, of: (type: string) => events.filter((event) => event.type === type) };
}

/** Who failed, with which code. */
export const failures = ({ failures }: Answer) => failures.map(({ specialist, code }) => `${specialist} ${code}`);

/** Whose sections there are. */
export const sections = ({ sections }: Answer) => sections.map(({ worker }) => worker);
