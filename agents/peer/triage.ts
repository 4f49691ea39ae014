/** The first agent of a run among peers: it reads the request and hands control to a specialist. */
import { childId, type Failure, untilAborted } from "../../core/mod.ts";
import { Meter, type MeterLimits } from "../budget/meter.ts";
import { asFailure } from "../engine/task.ts";
import type { Message, Model, ModelTurn } from "../models/model.ts";
import type { Emit } from "../observe.ts";
import { TRIAGE } from "../prompts/triage.ts";
import type { Usage } from "../types.ts";
import { distinctCalls, type NamedCall } from "../worker/call_ids.ts";
import type { Desk, Told } from "./desk.ts";
import { ENTRY, HANDOFF } from "./handoff.ts";

/** How often the first agent's model is asked, at most. */
export const TRIAGE_STEPS = 3;

/** What came of the first agent; whom it has handed control to is at its desk. */
export interface Entry {
  /** What it used. */
  readonly usage: Usage;
  /** Why it has handed over to nobody. */
  readonly failure?: Failure;
}

/** What the first agent works with. */
export interface TriageTools {
  /** Decides on its handoffs. */
  readonly desk: Desk;
  /** Its model. */
  readonly model: Model;
  /** Told of each call. */
  readonly emit: Emit;
  /** What the run may use. */
  readonly limits: MeterLimits;
}

/**
 * Asks the first agent until it has handed control over.
 *
 * @param span Structural id of its work.
 * @throws The signal's reason, once it aborts.
 */
export async function askTriage(
  request: string,
  { desk, model, emit, limits }: TriageTools,
  span: string,
  signal: AbortSignal,
): Promise<Entry> {
  const meter = new Meter(limits);
  const system = TRIAGE.text;
  const messages: Message[] = [{ role: "user", text: request }];
  for (let step = 1; step <= TRIAGE_STEPS; step++) {
    const at = childId(span, `step${step}`);
    const allowance = meter.allow({ system, messages });
    if (!allowance.ok) return { usage: meter.usage, failure: { code: allowance.code, detail: allowance.detail } };
    const { maxOutputTokens } = allowance;
    const most = maxOutputTokens === undefined ? {} : { maxOutputTokens };
    const ask = { agent: ENTRY, span: at, system, messages: [...messages], tools: desk.specs(), ...most };
    let turn: ModelTurn;
    meter.begin();
    try {
      turn = await untilAborted(model.next(ask, signal), signal);
    } catch (thrown) {
      signal.throwIfAborted();
      return { usage: meter.usage, failure: asFailure(thrown) };
    }
    meter.count(turn);
    const cut = cutShort(turn);
    if (cut !== undefined) return { usage: meter.usage, failure: cut };
    const calls = distinctCalls(turn.calls);
    // Providers refuse an empty reply in a conversation.
    const said = turn.text.trim() === "" && calls.length === 0 ? "(an empty reply)" : turn.text;
    messages.push({ role: "assistant", text: said, calls: calls.map(({ call }) => call) });
    if (turn.calls.length === 0) {
      messages.push({ role: "user", text: "Nobody has control. Hand it to a specialist with one of your tools." });
    }
    for (const [i, one] of calls.entries()) {
      const { call } = one;
      const told = answerCall(one, desk, emit, childId(at, `call${i + 1}`));
      messages.push({ role: "tool", callId: call.id, name: call.name, text: told.text, isError: told.isError });
    }
    if (desk.accepted !== undefined) return { usage: meter.usage };
  }
  return { usage: meter.usage, failure: unhanded(desk) };
}

function answerCall({ call, isDuplicate }: NamedCall, desk: Desk, emit: Emit, at: string): Told {
  const refused = (text: string): Told => ({ text, isError: true, ends: false });
  emit("call.start", at, { tool: call.name, args: call.args });
  const told = isDuplicate
    ? refused(`${call.name} was not called: another call of this turn has the same id, and was made`)
    : call.name.startsWith(HANDOFF)
    ? desk.take(call, at)
    : refused(`there is no tool ${JSON.stringify(call.name)}: hand control to a specialist`);
  const kind = told.isError ? "refused" : "answered";
  emit("call.end", at, { tool: call.name, kind, text: told.text, code: told.isError ? "denied" : undefined });
  return told;
}

function unhanded({ refused }: Desk): Failure {
  const stranger = refused.find(({ outcome }) => outcome === "unknown");
  return stranger === undefined
    ? { code: "plan_malformed", detail: `control was handed to nobody in ${TRIAGE_STEPS} replies` }
    : { code: "unknown_specialist", detail: `control was to go to ${stranger.to}, which does not exist` };
}

/** Why a turn cannot be used: half a handoff must not be carried out. */
function cutShort({ finish, text }: ModelTurn): Failure | undefined {
  switch (finish) {
    case "refusal":
    case "content_filter":
      return { code: "refused", detail: text.trim() || "the model declined" };
    case "length":
      return { code: "model_error", detail: "the model's reply was cut at its length limit" };
    default:
      return undefined;
  }
}
