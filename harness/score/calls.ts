/**
 * Whether each call that a model asked for has exactly one result: in the conversation that the same model is shown next,
 * by the model endpoint's record. None is left without, none has two, and none has one that nobody asked for.
 */
import { type Json, parentId } from "../../core/mod.ts";
import { type Check, check } from "./check.ts";
import { textOf } from "./model_use.ts";
import type { TraceView } from "./view.ts";

type Fields = { readonly [key: string]: Json | undefined };

/** Scores the results that models are shown. */
export function scoreCalls({ shown, trace: { events } }: TraceView): Check[] {
  /** How many calls the last turn of each piece of work asked for. */
  const asked = new Map<string, number>();
  const wrong: { readonly seq: number; readonly why: string }[] = [];
  let answered = 0;
  for (const { side, type, seq, span, detail } of events) {
    // What a killed subject's model had asked for is asked for anew.
    if (side === "bench" && type === "subject.killed") asked.clear();
    if (side !== "world" || type !== "model.turn" && type !== "model.request") continue;
    const work = `${textOf(detail["agent"])} at ${parentId(span) ?? span}`;
    if (type === "model.turn") {
      asked.set(work, list(detail["calls"]).length);
      continue;
    }
    const { why, last } = readConversation(list(detail["messages"]));
    // Without names it is not known whose last turn it was.
    const expected = shown.has("agents") ? asked.get(work) ?? 0 : 0;
    asked.delete(work);
    answered += last;
    if (why !== undefined) wrong.push({ seq, why: `${why} (${span})` });
    else if (last < expected) {
      wrong.push({ seq, why: `its last turn asked for ${expected} calls, and ${last} have a result (${span})` });
    }
  }
  const [first] = wrong;
  const message = first === undefined
    ? `each of the ${answered} calls that models went on from has exactly one result`
    : `a model is shown a conversation in which ${first.why}`;
  return [check("calls.answered", first === undefined, message, wrong.map(({ seq }) => seq))];
}

/** What is wrong with a conversation, if anything is, and how many calls its last turn with calls has results for. */
function readConversation(messages: readonly Json[]): { readonly why?: string; readonly last: number } {
  let open = new Set<string>();
  let last = 0;
  for (const message of messages) {
    const { role, calls, callId } = fields(message);
    if (role === "tool") {
      if (!open.delete(textOf(callId))) {
        return { why: `${textOf(callId)} has a second result, or one without a call`, last };
      }
      last++;
      continue;
    }
    if (open.size > 0) break;
    if (role !== "assistant" || list(calls).length === 0) continue;
    const ids = list(calls).map((call) => textOf(fields(call)["id"]));
    open = new Set(ids);
    last = 0;
    if (open.size < ids.length) return { why: "two calls of one turn have the same id", last };
  }
  const [missing] = open;
  return missing === undefined ? { last } : { why: `${missing} has no result`, last };
}

const list = (value: Json | undefined): readonly Json[] => Array.isArray(value) ? value : [];
const fields = (value: Json | undefined): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
