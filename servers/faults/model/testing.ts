/**
 * What the tests of this folder share: a small crew that does everything right. It says of each fault what a correct
 * orchestrator makes of it, so that the outcome that a fault declares is more than a word.
 */
import {
  type Clock,
  CodedError,
  deadline,
  guardGlobals,
  inCell,
  type Json,
  toFailure,
  VirtualClock,
} from "../../../core/mod.ts";
import type { ModelEvent } from "../../model/events.ts";
import { ModelLink } from "../../model/link.ts";
import type { FaultEntry, Outcome } from "../fault.ts";
import type { ModelCall, ModelReply, ModelTool, ModelToolCall } from "../model_hooks.ts";
import { findPlan, idOf, type PlanTask } from "./plan.ts";

/** Runs a test as a cell, on virtual time. */
export async function sim<T>(work: (clock: VirtualClock) => Promise<T>): Promise<T> {
  using _guard = guardGlobals();
  const clock = new VirtualClock();
  const result = await clock.run(() => inCell(clock, () => work(clock)));
  if (clock.pending > 0) throw new Error(`${clock.pending} timers were left`);
  return result;
}

/** The plan that the planner makes. */
export const PLAN = JSON.stringify({
  tasks: [
    { id: "t1", specialist: "billing", objective: "Find the charges.", inputs: { order_id: "12345" }, dependsOn: [] },
    { id: "t2", specialist: "policy", objective: "Find the policy.", inputs: { topic: "duplicate charge" } },
  ],
});

/** What each tool says; nothing else in the world says it. */
export const SAYS: Readonly<Record<string, string>> = {
  find_order: "charged twice, ORD-7731-KX",
  refund_status: "no refund yet, REF-2290-QD",
  check_policy: "refunded within 5 days, POL-9043-TW",
};

const NEEDS: Readonly<Record<string, string>> = {
  find_order: "order_id",
  refund_status: "order_id",
  check_policy: "topic",
};

const JOBS: Readonly<Record<string, { objective: string; tools: readonly string[] }>> = {
  billing: { objective: "Find the charges.", tools: ["find_order", "refund_status"] },
  policy: { objective: "Find the policy.", tools: ["check_policy"] },
};

const ARGS: { readonly [need: string]: Json } = { order_id: "12345", topic: "duplicate charge" };

/** A tool as a model sees it. */
export function toolOf(name: string): ModelTool {
  const need = NEEDS[name] ?? "";
  const inputSchema = { type: "object", properties: { [need]: { type: "string" } }, required: [need] };
  return { name, description: name, inputSchema };
}

/** A model that does what it is asked, and looks at nothing but what it is asked. */
export function honestModel({ agent, messages }: ModelCall): Promise<ModelReply> {
  const usage = { inputTokens: 100 * messages.length, outputTokens: 20 };
  const say = (text: string, calls: readonly ModelToolCall[] = []): Promise<ModelReply> =>
    Promise.resolve({ text, calls, finish: calls.length > 0 ? "tool_calls" : "stop", usage });
  if (agent === "planner") return say(`Here is the plan.\n${PLAN}`);
  const job = JOBS[agent];
  if (messages[0]?.text !== job?.objective) return say("None of my tools can tell.");
  const results = messages.flatMap((message) => message.role === "tool" ? [message] : []);
  const tools = job?.tools ?? [];
  if (results.length === 0) {
    return say(
      "Let me look.",
      tools.map((name, i) => ({
        id: `c${i + 1}`,
        name,
        args: { [NEEDS[name] ?? ""]: ARGS[NEEDS[name] ?? ""] ?? null },
      })),
    );
  }
  return say(results.map(({ name, text, isError }) => isError ? `${name} failed.` : `It says: ${text}.`).join(" "));
}

/** What came of a run. */
export interface Run {
  /** What a correct orchestrator makes of it: the first failure, or `ok`. */
  readonly outcome: Outcome;
  /** All that the agents were given, and when. */
  readonly given: string;
  /** Input tokens, each counted once. */
  readonly inputTokens: number;
  readonly events: readonly ModelEvent[];
}

/** The crew at work. */
export async function runCrew(faults: readonly FaultEntry[], { toolsFail = false, seed = "1" } = {}): Promise<Run> {
  return await sim(async (clock) => {
    const events: ModelEvent[] = [];
    const link = new ModelLink(honestModel);
    link.bind({ faults, clock, seed, observer: (event) => events.push(event) });
    const crew = new Crew(link, clock, toolsFail);
    const outcome = await crew.run().catch((error) => toFailure(error).code);
    link.close();
    return { outcome, given: JSON.stringify([crew.given, clock.now()]), inputTokens: crew.inputTokens, events };
  });
}

class Crew {
  readonly given: unknown[] = [];
  inputTokens = 0;

  constructor(
    private readonly link: ModelLink,
    private readonly clock: Clock,
    private readonly toolsFail: boolean,
  ) {}

  async run(): Promise<Outcome> {
    const plan = await this.#ask({
      agent: "planner",
      system: "",
      messages: [{ role: "user", text: "Why?" }],
      tools: [],
    });
    if (plan.finish === "length") return "plan_malformed";
    const tasks = readPlan(plan.text);
    if (tasks === undefined) return "plan_malformed";
    const known = tasks.filter(({ specialist }) => Object.hasOwn(JOBS, String(specialist)));
    const found = new Set<Outcome>();
    if (known.length < tasks.length) found.add("unknown_specialist");
    else if (Object.keys(JOBS).some((name) => !known.some(({ specialist }) => specialist === name))) {
      found.add("not_started");
    }
    const done = new Set<string>();
    for (const { specialist, objective, inputs } of known) {
      const work = JSON.stringify([specialist, objective]);
      if (done.has(work)) continue;
      done.add(work);
      found.add(inputs === undefined ? "ambiguous" : await this.#work(String(specialist), String(objective)));
    }
    found.delete("ok");
    return [...found][0] ?? "ok";
  }

  async #work(agent: string, objective: string): Promise<Outcome> {
    const tools = (JOBS[agent]?.tools ?? []).map(toolOf);
    const messages: ModelCall["messages"][number][] = [{ role: "user", text: objective }];
    const failures: Outcome[] = [];
    const seen: string[] = [];
    let tokens = 0;
    for (let step = 1; step <= 4; step++) {
      if (tokens > 100_000) return "budget_tokens";
      const reply = await this.#ask({ agent, system: "", messages: [...messages], tools });
      tokens += reply.usage.inputTokens + reply.usage.outputTokens;
      if (reply.finish === "length" || reply.calls.some(({ rawArguments }) => rawArguments !== undefined)) {
        return "model_error";
      }
      const text = withoutReasoning(reply.text).trim();
      if (reply.calls.length === 0) {
        if (text === "") return "empty_result";
        if (failures[0] !== undefined) return failures[0];
        const claims = text.split(/(?<=[.!?;])\s+/);
        return claims.every((claim) => seen.some((said) => claim.includes(said))) ? "ok" : "unverified";
      }
      messages.push({ role: "assistant", text, calls: reply.calls });
      for (const { id: callId, name, args } of new Map(reply.calls.map((call) => [call.id, call])).values()) {
        const failure = this.#failureOf(name, args, tools);
        if (failure === undefined) seen.push(SAYS[name] ?? "");
        else failures.push(failure);
        messages.push({
          role: "tool",
          callId,
          name,
          text: failure ?? SAYS[name] ?? "",
          isError: failure !== undefined,
        });
      }
    }
    return "budget_steps";
  }

  #failureOf(name: string, args: { [key: string]: Json }, tools: readonly ModelTool[]): Outcome | undefined {
    if (!tools.some((tool) => tool.name === name)) return "denied";
    const [key, ...others] = Object.keys(args);
    const fits = others.length === 0 && key === NEEDS[name] && typeof args[key ?? ""] === "string";
    return fits && !this.toolsFail ? undefined : "tool_error";
  }

  async #ask(call: ModelCall): Promise<ModelReply> {
    using limit = deadline(this.clock, 60_000);
    try {
      const reply = await this.link.next(call, limit.signal);
      this.given.push(reply);
      this.inputTokens += reply.usage.inputTokens;
      if (reply.finish === "refusal" || reply.finish === "content_filter") throw new CodedError("refused", reply.text);
      return reply;
    } catch (error) {
      this.given.push(String(error));
      throw error;
    }
  }
}

function withoutReasoning(text: string): string {
  return text.replace(/<(think|thinking|reasoning)>.*?<\/\1>/gs, "");
}

/** The one plan in a text; `undefined` if there is none or another, or nobody could run it. */
function readPlan(text: string): readonly PlanTask[] | undefined {
  let json = withoutReasoning(text).replace(/\/\/.*\n/g, "").replace(/,(\s*[\]}])/g, "$1");
  const quoted = /"(?:\{|\[)(?:[^"\\]|\\.)*"/.exec(json)?.[0];
  if (quoted !== undefined) json = String(JSON.parse(quoted));
  const plan = findPlan(json);
  if (plan === undefined || findPlan(plan.after) !== undefined) return undefined;
  const ids = new Set(plan.tasks.map(idOf));
  if (ids.size < plan.tasks.length) return undefined;
  const done = new Set<string>();
  for (let before = -1; before < done.size;) {
    before = done.size;
    for (const [i, task] of plan.tasks.entries()) {
      const needs = Array.isArray(task.dependsOn) ? task.dependsOn : [];
      if (needs.every((id) => done.has(String(id)))) done.add(idOf(task, i));
    }
  }
  return done.size === ids.size ? plan.tasks : undefined;
}
