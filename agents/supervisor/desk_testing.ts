/** What the tests of recovery, limits and summaries share: a supervisor whose models do as a test says. */
import assert from "node:assert/strict";
import { CodedError, type VirtualClock } from "../../core/mod.ts";
import { Answer as AnswerSchema } from "../contracts.ts";
import type { Crew, Specialist } from "../crews/crew.ts";
import type { Emit } from "../observe.ts";
import type { User } from "../people.ts";
import { FakeModel, type Move, recording, say, use } from "../testing.ts";
import type { Answer } from "../types.ts";
import { supervise, type SupervisorTools } from "./supervisor.ts";
import { answeringHub, CREW, task } from "./testing.ts";

/** The tool of each specialist of the crew for tests. */
export const TOOLS: Readonly<Record<string, string>> = {
  billing: "orders.find",
  policy: "policy.find",
  comms: "kb.find",
};

/** What a healthy specialist does. */
export const works = (worker: string): Move[] => [use(TOOLS[worker] ?? ""), say(`Found by ${worker}.`)];

/** A planner's turn with these tasks. */
export const plan = (...tasks: Parameters<typeof task>[]) =>
  say(JSON.stringify({ tasks: tasks.map((one) => task(...one)) }));

/** A model that asks to be called less often. */
export const limited = new CodedError("rate_limited", "slow down");

/** What a run is made of besides the moves of its models. */
export interface Setup extends Partial<Pick<SupervisorTools, "hub" | "operator" | "user" | "signal" | "kept">> {
  readonly crew?: Partial<Crew>;
  readonly emit?: Emit;
}

/** Runs a supervisor whose models make these moves, in order. */
export async function run(clock: VirtualClock, moves: Record<string, readonly Move[]>, setup: Setup = {}) {
  const { crew, hub = answeringHub(), signal = new AbortController().signal, emit: also, ...people } = setup;
  const model = new FakeModel({ planner: [plan(["billing"])], ...moves });
  const { emit, events } = recording();
  const answer = await supervise("What happened?", {
    ...{ crew: { ...CREW, ...crew }, model, hub, clock, signal, ...people },
    emit: (...args) => (emit(...args), also?.(...args)),
  });
  assert.deepEqual(AnswerSchema.parse(answer), answer);
  const routes = events.filter(({ type }) => type === "route")
    .map(({ detail }) => `${detail["packetId"]} ${detail["strategy"]}`);
  const packets = events.flatMap(({ type, detail: { packet } }) =>
    type === "packet" && typeof packet === "object" && packet !== null && !Array.isArray(packet) ? [packet] : []
  );
  return { answer, model, events, routes, packets };
}

/** Who failed, with the code. */
export const failures = ({ failures }: Answer) => failures.map(({ specialist, code }) => `${specialist} ${code}`);

/** What each part says. */
export const sections = ({ sections }: Answer) => sections.map(({ worker, text }) => `${worker}: ${text}`);

/** The crew, with comms standing in for others. */
export const withComms = (...standsInFor: string[]): Partial<Crew> => ({
  specialists: CREW.specialists.map((one): Specialist => one.name === "comms" ? { ...one, standsInFor } : one),
});

/** A turn that asks what the order id is. */
export const asks = say('{"needs_clarification": "What is the order id?"}');

/** A user who says these things, one after the other. */
export const user = (...said: (string | undefined)[]): User & { readonly asked: unknown[] } => {
  const asked: unknown[] = [];
  return { asked, answer: (question) => (asked.push(question), Promise.resolve(said.shift())) };
};
