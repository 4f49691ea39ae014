/** Why a recording has nothing for what was asked: the nearest that it has, and the first thing in which they differ. */
import { clip, oneLine } from "../../../core/mod.ts";
import type { Part } from "./conversation.ts";
import type { RecordedCall } from "./tape.ts";

/** How much is quoted around the first difference, in UTF-16 units. */
const QUOTED = 60;
const BEFORE = 20;

/**
 * Says it in one sentence.
 *
 * @param asked What was asked, in parts.
 * @param nth How often it was asked.
 * @param calls Everything that was recorded of the cell.
 * @param parts Parts by id.
 */
export function whyMissed(
  agent: string,
  asked: readonly Part[],
  nth: number,
  calls: readonly RecordedCall[],
  parts: ReadonlyMap<string, Part>,
): string {
  if (calls.length === 0) return "nothing of this cell is recorded";
  const own = calls.filter((call) => call.agent === agent);
  if (own.length === 0) {
    const agents = [...new Set(calls.map((call) => call.agent))].join(", ");
    return `nothing of this agent is recorded in this cell; there is ${agents}`;
  }
  const alike = own.map((call) => ({ call, common: commonOf(asked, call.asked) }));
  // Of equals the later one: it goes on where the earlier one ends.
  const { call, common } = alike.reduce((best, one) => one.common >= best.common ? one : best);
  const [mine, theirs] = [asked[common], parts.get(call.asked[common] ?? "")];
  if (mine === undefined && theirs === undefined) {
    return `exactly this was asked ${nth} times, and is recorded ${nth - 1} times`;
  }
  const place = placeOf(common, mine ?? theirs);
  if (mine === undefined) return `the conversation ends before ${place}, which is recorded`;
  if (theirs === undefined) return `the recording ends before ${place}: ${quote(mine.text, 0)}`;
  if (mine.role !== theirs.role) return `${place} is recorded as ${theirs.role}, and was asked as ${mine.role}`;
  const at = differenceOf(mine.text, theirs.text);
  const where = `${place} differs at character ${at + 1}`;
  // An excerpt from before the end shows nothing of what is missing there.
  if (at === theirs.text.length) return `${where}: recorded ends here, asked goes on with ${quoteFrom(mine.text, at)}`;
  if (at === mine.text.length) return `${where}: asked ends here, recorded goes on with ${quoteFrom(theirs.text, at)}`;
  return `${where}: recorded ${quote(theirs.text, at)}, asked ${quote(mine.text, at)}`;
}

function commonOf(asked: readonly Part[], recorded: readonly string[]): number {
  let common = 0;
  while (common < asked.length && asked[common]?.id === recorded[common]) common++;
  return common;
}

function placeOf(index: number, part: Part | undefined): string {
  if (index === 0) return "the prompt";
  if (index === 1) return "the list of tools";
  return `message ${index - 1} (${part?.role})`;
}

function differenceOf(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** As it stands, white space included: where it is all that is left, it is what differs. */
function quoteFrom(text: string, at: number): string {
  return JSON.stringify(clip(text.slice(at), QUOTED));
}

function quote(text: string, at: number): string {
  const start = Math.max(0, at - BEFORE);
  const cut = clip(oneLine(text.slice(start)), QUOTED);
  return `"${start > 0 ? "…" : ""}${cut}"`;
}
