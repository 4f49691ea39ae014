/** Whether control went where it was to go, in the order in which it was to. */
import { canonicalJson } from "../../core/mod.ts";
import { type Check, check } from "./check.ts";
import { livesOf } from "./lives.ts";
import { handedTo } from "./peers.ts";
import { maySayFailed } from "./stranger.ts";
import type { TraceView } from "./view.ts";

/** Scores the handoffs, where the scenario says which there are. */
export function scoreHandoffs(view: TraceView): Check[] {
  const { answer, shown, trace: { events, scenario: { expect } }, requests } = view;
  if (expect?.handoffs === undefined) return [];
  const lives = livesOf(events);
  const told = events.filter(({ side, type, detail }) =>
    side === "subject" && type === "handoff" && detail["outcome"] === "accepted"
  );
  // One that was made again, because its maker was killed in between, is one handoff: the later one.
  const accepted = told.filter(({ span, seq }) =>
    !told.some((later) => later.span === span && lives.at(later.seq) > lives.at(seq))
  );
  const got = accepted.map(({ detail: { from, to } }) => [String(from), String(to)]);
  // Whom no model has asked for has not got control, whatever the subject says; nor who was not asked and is not missed.
  const reached = (name: string, from: number) =>
    requests.some(({ agent, seq }) => agent === name && seq > from) ||
    (answer?.failures ?? []).some(({ specialist }) => specialist === name) ||
    !shown.has("answer") && maySayFailed(view, name);
  const unreal = accepted.find(({ seq, detail: { from, to } }) =>
    !events.some((event) =>
      event.side === "world" && event.type === "model.turn" && event.seq < seq && event.detail["agent"] === from &&
      handedTo(namesOf(event.detail["calls"]), view).includes(String(to))
    ) || !reached(String(to), seq)
  );
  const listed = (pairs: readonly (readonly string[])[]) => pairs.map((pair) => pair.join(" to ")).join(", ") || "none";
  const isOrder = canonicalJson(got) === canonicalJson(expect.handoffs);
  const message = unreal !== undefined
    ? `control is said to have gone from ${unreal.detail["from"]} to ${
      unreal.detail["to"]
    }, and no model's record bears it out`
    : isOrder
    ? `control went, in order: ${listed(got)}`
    : `control went, in order: ${listed(got)}; expected: ${listed(expect.handoffs)}`;
  return [check("handoffs.order", isOrder && unreal === undefined, message, accepted.map(({ seq }) => seq))];
}

function namesOf(calls: unknown): string[] {
  return (Array.isArray(calls) ? calls : []).flatMap((call: unknown) =>
    typeof call === "object" && call !== null && "name" in call && typeof call.name === "string" ? [call.name] : []
  );
}
