/**
 * Lines of an answer that state a call's effect, as in `notes.write {"key":"brief"} was reported done: {"version":1}`. No
 * result says such a thing of itself, so these are held against the world's record: the calls, and the servers' ledgers.
 */
import { canonicalJson, clip, type Json, oneLine, parentId } from "../../../core/mod.ts";
import type { ClaimVerdict } from "../../../agents/verifier/mod.ts";
import { THIRD_PARTIES } from "../../lanes/third_party.ts";
import { effectsOf, ledgersOf } from "../effects.ts";
import { isFailedResult } from "../result_shape.ts";
import type { SeenCall, TraceView } from "../view.ts";

const DONE = /^(\S+\.\S+?)(?: (\{.*))? was carried out: (.*)$/;
const REPORTED = /^(\S+\.\S+?)(?: (\{.*))? was reported done: (.*)$/;
const ANSWERED = /^(\S+\.\S+?)(?: (\{.*))? answered: (.*)$/;
const IN_DOUBT = /^(\S+\.\S+?)(?: (\{.*))? may have been carried out: nobody knows$/;

/** What follows a clipped text's last character. */
const CUT = "…";

/**
 * Judges a line that states an effect.
 *
 * - `was carried out`: some call of that tool with these arguments has an effect on its server's record (where the server
 *   keeps none: was answered with this), and the text after it was delivered, then or later, as a result that is no failure.
 * - `was reported done`: some call of that tool with these arguments was sent, and the text after it was delivered, then or
 *   later, as a result that is no failure.
 * - `answered`: some such call was answered with this.
 * - `may have been carried out`: some such call was sent, or was asked for by a subject that was killed then, and no result
 *   that is no failure came of it.
 *
 * @param worker Whose calls count; everybody's if left out.
 * @returns `undefined` if the line states no effect of a tool that was ever called.
 */
export function effectVerdict(line: string, worker: string | undefined, view: TraceView): ClaimVerdict | undefined {
  const [kind, match] = ([["done", DONE], ["reported", REPORTED], ["answered", ANSWERED], ["doubt", IN_DOUBT]] as const)
    .map(([kind, shape]) => [kind, shape.exec(line)] as const).find(([, match]) => match !== null) ?? [];
  const [, tool, args, result = ""] = match ?? [];
  if (tool === undefined || !view.calls.some((call) => call.tool === tool)) return undefined;
  const own = view.calls.filter(({ agent }) => worker === undefined || agent === worker);
  const isSuch = (name: string, given: Json) => name === tool && (args === undefined || isQuoted(args, given));
  const such = own.filter((call) => isSuch(call.tool, call.args));
  const answered = such.filter((call) => isGood(call) && isSaid(result, call));
  if (kind === "answered") return verdict(answered.length > 0);
  if (kind === "doubt") return verdict(such.some((call) => !isGood(call)) || isCutOff(isSuch, worker, view));
  // Of several such calls, the line speaks of the one that was answered so; if none was, a later result showed it.
  const meant = answered.length > 0 ? answered : such;
  const isShown = answered.length > 0 || own.some((call) => isGood(call) && isSaid(result, call));
  if (kind === "reported") return verdict(isShown && such.length > 0);
  return verdict(isShown && meant.some((call) => hadEffect(call, answered.includes(call), view)));
}

const verdict = (holds: boolean): ClaimVerdict => holds ? "supported" : "unsupported";

const isGood = ({ reply }: SeenCall): boolean => reply !== undefined && !reply.isError && !isFailedResult(reply.text);

/** Whether a turn asked for such a call, none was sent for it, and the subject was killed after that. */
function isCutOff(
  isSuch: (name: string, args: Json) => boolean,
  worker: string | undefined,
  { calls, trace: { events } }: TraceView,
): boolean {
  const lastKill = events.findLast(({ side, type }) => side === "bench" && type === "subject.killed");
  return events.some(({ side, type, span, seq, detail: { agent, calls: asked } }) =>
    side === "world" && type === "model.turn" && (worker === undefined || agent === worker) &&
    seq < (lastKill?.seq ?? 0) && Array.isArray(asked) &&
    asked.some((call) =>
      isFields(call) && typeof call["name"] === "string" && isSuch(call["name"], call["args"] ?? null)
    ) &&
    !calls.some((call) => parentId(call.span) === span && isSuch(call.tool, call.args))
  );
}

/** By the server's own record; where it keeps none, by its answer. */
function hadEffect({ tool, span }: SeenCall, wasAnswered: boolean, view: TraceView): boolean {
  const server = tool.split(".")[0] ?? "";
  // What plays a server of somebody else keeps no more of a record than that one does.
  const keepsRecord = !THIRD_PARTIES.has(server) && ledgersOf(view).some(({ detail }) => detail["server"] === server);
  if (!keepsRecord) return wasAnswered;
  return effectsOf(view).some((effect) => effect.server === server && (effect.span === span || effect.span === null));
}

/** Whether a result is what is quoted, whole or its beginning. */
function isSaid(quoted: string, { reply }: SeenCall): boolean {
  const text = oneLine(reply?.text ?? "");
  return quoted === text || quoted.endsWith(CUT) && quoted.length > 1 && quoted === clip(text, quoted.length);
}

/**
 * Whether arguments are those that are quoted, in whatever order; an idempotency key may have been added on the way. Of a
 * quotation that was cut, whether each member that is there in full is among them.
 */
function isQuoted(quoted: string, args: Json): boolean {
  if (!isFields(args)) return false;
  const has = (part: Fields) =>
    Object.entries(part).every(([key, value]) =>
      Object.hasOwn(args, key) && canonicalJson(args[key] ?? null) === canonicalJson(value ?? null)
    );
  const whole = parse(quoted);
  if (isFields(whole)) {
    return has(whole) && Object.keys(args).every((key) => Object.hasOwn(whole, key) || key === "idempotency_key");
  }
  if (!quoted.endsWith(CUT)) return false;
  for (let at = quoted.lastIndexOf(","); at > 0; at = quoted.lastIndexOf(",", at - 1)) {
    const part = parse(`${quoted.slice(0, at)}}`);
    if (isFields(part)) return has(part);
  }
  // Its first member alone is longer than what is quoted.
  return true;
}

type Fields = { readonly [key: string]: Json | undefined };

const isFields = (value: Json | undefined): value is Fields & Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
