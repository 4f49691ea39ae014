/**
 * Whether an answer without a plan behind it says so: where no reply of whoever splits the request had anything that could
 * be a plan, the answer is not complete. By the model endpoint's record, and by the subject's own word where that is worse.
 */
import type { TraceEvent } from "../trace/event.ts";
import { type Check, check, unanswered } from "./check.ts";
import { eventsOf } from "./events.ts";
import { textOf } from "./model_use.ts";
import { handedTo, isEntry } from "./peers.ts";
import type { TraceView } from "./view.ts";

/** Scores the answer to a request that was never split. */
export function scoreNoPlan(view: TraceView): Check[] {
  const id = "plan.unusable";
  const { answer, end, trace: { events } } = view;
  const evidence = end === undefined ? [] : [end.seq];
  if (answer === undefined) return [unanswered(id, evidence)];
  const asked = ["model.turn", "model.error"].flatMap((type) => eventsOf(events, "world", type))
    .filter(({ detail }) => isEntry(textOf(detail["agent"]), view)).sort((a, b) => a.seq - b.seq);
  const [fallback] = eventsOf(events, "subject", "plan.fallback");
  const usable = fallback === undefined && asked.some((event) => mayHold(event, view));
  const good = usable || answer.status !== "complete";
  const why = fallback === undefined ? "no reply held anything that could be a plan" : "the crew's own plan was used";
  const message = usable ? "a reply held what could be a plan" : `${why}, and the answer is ${answer.status}`;
  return [check(id, good, message, [...usable ? [] : asked.map(({ seq }) => seq), ...evidence])];
}

/** Whether a turn could hold a plan with a task in it. What it is worth, its reader has to find out. */
function mayHold({ type, detail: { text, finish, calls } }: TraceEvent, view: TraceView): boolean {
  if (type === "model.error" || finish === "length" || finish === "content_filter" || finish === "refusal") {
    return false;
  }
  const tools = (Array.isArray(calls) ? calls : []).map((call) =>
    typeof call === "object" && call !== null && !Array.isArray(call) ? textOf(call["name"]) : ""
  );
  if (handedTo(tools, view).length > 0) return true;
  // A task is an object in a list.
  return typeof text === "string" && /\[[^\]]*\{/.test(text);
}
