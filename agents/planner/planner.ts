/** Asks the planner model for a plan, and reads its reply through the parser. */
import { childId, type Failure, oneLine, untilAborted } from "../../core/mod.ts";
import type { Crew } from "../crews/crew.ts";
import { asFailure } from "../engine/task.ts";
import type { ServerStatus } from "../hub/mod.ts";
import type { Message, Model } from "../models/model.ts";
import { Meter, type MeterLimits } from "../budget/meter.ts";
import { PLANNER } from "../prompts/planner.ts";
import { REPLANNER } from "../prompts/replanner.ts";
import type { Usage } from "../types.ts";
import { parsePlan } from "./parse.ts";
import { type PlanOutcome, reject } from "./outcome.ts";
import { PLAN_REPLY } from "./plan.ts";
import { withoutRepeats } from "./repeats.ts";

/** What a planner is told. */
export interface PlanningInput {
  /** What the user asked. */
  readonly request: string;
  /** The team. */
  readonly crew: Crew;
  /** State of the servers, so that it can plan around one that is down or degraded. */
  readonly servers: readonly ServerStatus[];
  /** What the call may use; no limit if left out. */
  readonly limits?: MeterLimits;
  /** What was wrong with the reply before this one, for the re-ask. */
  readonly rejected?: { readonly reply: string; readonly failure: Failure };
}

/** A reply with what the parser made of it. */
export interface PlannerReply {
  /** The model's text. */
  readonly reply: string;
  /** The plan, or why there is none. */
  readonly outcome: PlanOutcome;
  /** What the call used. */
  readonly usage: Usage;
}

/**
 * One call of the planner model. A model that fails is a rejected plan with the model's code, never an exception,
 * unless the signal aborts.
 *
 * @throws The signal's reason, if it aborts.
 */
export async function askPlanner(
  model: Model,
  input: PlanningInput,
  span: string,
  signal: AbortSignal,
): Promise<PlannerReply> {
  const meter = new Meter(input.limits ?? {});
  const question = { system: (input.rejected === undefined ? PLANNER : REPLANNER).text, messages: messagesFor(input) };
  const allowance = meter.allow(question);
  if (!allowance.ok) return lost(allowance, meter.usage);
  const { maxOutputTokens } = allowance;
  const most = maxOutputTokens === undefined ? {} : { maxOutputTokens };
  const asked = { agent: "planner", span: childId(span, "step1"), ...question, tools: [], format: PLAN_REPLY };
  const request = { ...asked, ...most };
  meter.begin();
  try {
    const turn = await untilAborted(model.next(request, signal), signal);
    meter.count(turn);
    const { text, finish } = turn;
    const roster = input.crew.specialists.map(({ name }) => name);
    return { reply: text, outcome: withoutRepeats(parsePlan(text, { roster, finish })), usage: meter.usage };
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    return lost(asFailure(thrown), meter.usage);
  }
}

/** A call that came to nothing is a rejected plan with the call's own code. */
function lost({ code, detail }: Failure, usage: Usage): PlannerReply {
  return { reply: "", outcome: { ...reject({ reason: "no_plan", detail }), failure: { code, detail } }, usage };
}

function messagesFor({ request, crew, servers, rejected }: PlanningInput): Message[] {
  const named = (state: ServerStatus["state"]) =>
    servers.filter((server) => server.state === state).map(({ name }) => name);
  const [down, degraded] = [named("down"), named("degraded")];
  const question: Message = {
    role: "user",
    text: [
      "Roster:",
      ...crew.specialists.map(({ name, role }) => `- ${name}: ${role}`),
      ...(down.length === 0 ? [] : [
        `Servers that are down: ${down.join(", ")}. Specialists that need them will fail.`,
      ]),
      ...(degraded.length === 0 ? [] : [
        `Servers that are degraded: ${degraded.join(", ")}. Specialists that need them may fail or be late.`,
      ]),
      "",
      "Request:",
      request,
    ].join("\n"),
  };
  if (rejected === undefined) return [question];
  return [
    question,
    // Providers refuse an empty reply in a conversation.
    { role: "assistant", text: rejected.reply.trim() === "" ? "(an empty reply)" : rejected.reply, calls: [] },
    {
      role: "user",
      text: `That reply cannot be used: ${
        oneLine(rejected.failure.detail)
      }. Reply again, with one complete plan and nothing else.`,
    },
  ];
}
