/**
 * Whether every part of the request was worked on, or else the answer says that it was left out: a plan that covers less
 * than its request fails nothing, and silence about it is all that shows.
 *
 * What the parts are the scenario knows (`request_parts.ts`), in runs without any other ground truth, too. Worked on is what
 * a packet covers, or a call of a tool that is for this part alone; whoever does not show packets is judged by calls. Left
 * out and said so is fine: that is a failure of the part's specialist or of the planner's, or any words of the answer's own.
 */
import { clip, oneLine } from "../../core/mod.ts";
import { SAME_TEXT } from "../plan/match.ts";
import { contentWords, jaccard } from "../plan/words.ts";
import { isFurther } from "./attempts.ts";
import { type Check, check, unanswered } from "./check.ts";
import { failureLines, ownWords } from "./prose.ts";
import { type RequestPart, requestPartsOf } from "./request_parts.ts";
import { isStranger, notShown } from "./shown.ts";
import { maySayFailed } from "./stranger.ts";
import { mentions } from "./texts.ts";
import type { SeenPacket, TraceView } from "./view.ts";

/** The longest part of an objective that is quoted, in UTF-16 units. */
const QUOTE = 120;

/** Scores each part of the request. */
export function scoreCoverage(view: TraceView): Check[] {
  const parts = requestPartsOf(view);
  const plans = view.trace.events.filter(({ side, type, detail }) =>
    side === "world" && type === "model.turn" && detail["agent"] === "planner"
  ).map(({ seq }) => seq);
  const evidence = [...plans, ...view.end === undefined ? [] : [view.end.seq]];
  const isNothingDone = parts.every((part) => (workOn(part, parts, view)?.length ?? 0) === 0);
  return parts.map((part): Check => {
    const id = `plan.coverage:${part.id}`;
    const work = workOn(part, parts, view);
    if (work === undefined) {
      return notShown(
        id,
        "the subject does not show its packets and agents, and no tool is for this part alone",
        evidence,
      );
    }
    const { specialist, objective } = part;
    const what = objective === undefined ? part.id : `"${clip(oneLine(objective), QUOTE)}"`;
    const named = specialist === undefined || specialist === what ? what : `${what} (${specialist})`;
    if (work.length > 0) return check(id, true, `somebody worked on ${named}`, work);
    if (view.answer === undefined) return unanswered(id, evidence);
    const said = saysLeftOut(part, view) || saysNoPlan(view, isNothingDone);
    const message = said
      ? `nobody worked on ${named}, and the answer says so`
      : `the request needs ${named}: ${
        view.shown.has("packets") ? "no packet covers it" : "no call was made for it"
      }, and the answer does not say that it was left out`;
    return check(id, said, message, evidence);
  });
}

/** Events that show that somebody worked on a part; `undefined` where nothing could show it. */
function workOn(part: RequestPart, parts: readonly RequestPart[], view: TraceView): number[] | undefined {
  const { specialist, tools } = part;
  const { shown, calls, requests } = view;
  const isKnown = shown.has("packets") || tools.length > 0 || shown.has("agents") && specialist !== undefined;
  if (!isKnown) return undefined;
  const packets = view.packets.filter((packet) => !isFurther(packet));
  const own = packets.filter((packet) => isFor(packet, part, parts));
  const asked = shown.has("packets") ? [] : requests.filter(({ agent }) => agent !== "" && agent === specialist);
  return [...own, ...asked, ...calls.filter(({ tool }) => tools.includes(tool))].map(({ seq }) => seq);
}

/** Whether a packet covers a part: by its id; or, as planners name tasks as they like, by whose it is or what it says. */
function isFor({ packet }: SeenPacket, part: RequestPart, parts: readonly RequestPart[]): boolean {
  if (parts.some(({ id }) => id === packet.id)) return packet.id === part.id;
  if (packet.recipient === part.specialist) return true;
  return part.objective !== undefined &&
    jaccard(wordsOf(packet), wordsOf({ ...part, objective: part.objective })) >= SAME_TEXT;
}

function wordsOf({ objective, inputs }: Pick<SeenPacket["packet"], "objective" | "inputs">): ReadonlySet<string> {
  return contentWords(`${objective} ${JSON.stringify(inputs)}`);
}

/**
 * Whether the answer says that there was no plan: then it says so of every part that whoever went on without one has left
 * out. A stranger may say it in any words, where nothing at all was done.
 */
function saysNoPlan(view: TraceView, isNothingDone: boolean): boolean {
  const { answer, shown } = view;
  return (answer?.failures ?? []).some(({ specialist, code }) => specialist === "planner" && code !== "not_started") ||
    isNothingDone && isStranger(shown) && maySayFailed(view, "planner");
}

/** Whether the answer says that nobody worked on a part; that something else is missing from the plan does not. */
function saysLeftOut({ id, specialist, objective, told }: RequestPart, view: TraceView): boolean {
  const { answer, shown } = view;
  const failures = answer?.failures ?? [];
  if (told !== undefined) {
    return [...failures.map(({ detail }) => detail), ownWords(answer)].some((text) => mentions(text, told));
  }
  const quotes = (text: string) => objective !== undefined && mentions(text, objective);
  // A planner tells of parts in words of its own.
  const words = contentWords([id, specialist ?? "", objective ?? ""].join(" "));
  const inStructure = failures.some((failure) =>
    failure.specialist === specialist || quotes(failure.detail) || quotes(failure.effect) ||
    failure.specialist === "planner" && !contentWords(failure.detail).isDisjointFrom(words)
  );
  if (inStructure || quotes(ownWords(answer))) return true;
  if (specialist === undefined) return false;
  return isStranger(shown) ? maySayFailed(view, specialist) : failureLines(specialist, ownWords(answer)).length > 0;
}
