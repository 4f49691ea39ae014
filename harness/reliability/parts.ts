/** Which parts of a run faults have broken, and what became of them. */
import type { Json } from "../../core/mod.ts";
import { type FaultEntry, FAULTS } from "../../servers/mod.ts";
import { isWithin, type Task, tasksOf } from "../score/attempts.ts";
import { isFailedResult } from "../score/result_shape.ts";
import type { TraceView } from "../score/view.ts";
import type { TraceEvent } from "../trace/event.ts";

/** Whether whoever is struck is told. */
export type Visibility = "explicit" | "implicit";
/** Whether trying again can get past it. */
export type Persistence = "transient" | "permanent";

/**
 * What became of a part. `recovered`: its objective was met by live observations that no fault had touched, and nobody
 * calls it failed. `substituted`: something stands in, and is marked. `disclosed`: it is named as failed. `passed_on`:
 * neither, so what the fault made of it passes for a result, or nobody misses it.
 */
export type Fate = "recovered" | "substituted" | "disclosed" | "passed_on";

/** A specialist's task that faults of one kind have broken. */
export interface FaultedPart {
  /** Id of the task. */
  readonly task: string;
  /** The specialist whose it is. */
  readonly who: string;
  readonly visibility: Visibility;
  readonly persistence: Persistence;
  readonly fate: Fate;
}

/** Layers in which what looks like a success may be false: the catalogue's `ok` is what a hub makes of it, and no more. */
const DECEIVES: ReadonlySet<string> = new Set(["semantic", "plan", "model_output"]);

/**
 * The parts that faults have broken: those of specialists that fail or are recovered by the ground truth, and those with a
 * call of which a correct hub makes a failure, by the catalogue. A fault that changes nothing, such as a delay within the
 * limits, breaks nothing. Without ground truth, what looks like a success and is none breaks its part, too.
 *
 * Faults of a connection break whoever needs its server. One part counts once for each kind of fault that struck it.
 */
export function faultedParts(view: TraceView): FaultedPart[] {
  const { shown, trace: { events, scenario: { expect } } } = view;
  // Whose task was struck, only packets tell, and what became of it, only the answer's structure.
  if (!shown.has("packets") || !shown.has("answer") || !shown.has("agents")) return [];
  const struck = events.filter(({ side, type }) =>
    side === "world" && (type === "server.fault" || type === "model.fault")
  );
  const known = expect === undefined
    ? undefined
    : new Set([...Object.keys(expect.failed), ...Object.keys(expect.recovered ?? {})]);
  const isBroken = (owner: string, { breaks, errs }: Kind) => known === undefined ? breaks : errs || known.has(owner);
  return tasksOf(view).flatMap((task): FaultedPart[] => {
    const own = struck.filter((event) => strikes(event, task, view));
    const kinds = new Map<string, FaultedPart>();
    for (const event of own) {
      const kind = kindOf(event, view);
      if (kind === undefined || !isBroken(task.owner, kind)) continue;
      const { visibility, persistence } = kind;
      const part = { task: task.id, who: task.owner, visibility, persistence, fate: fateOf(task, own, view) };
      kinds.set(`${visibility} ${persistence}`, part);
    }
    return [...kinds.values()];
  });
}

function strikes(
  { type, span, detail }: TraceEvent,
  { owner, attempts }: Task,
  { trace: { crew } }: TraceView,
): boolean {
  if (attempts.some((attempt) => isWithin(span, attempt.span))) return true;
  if (type !== "server.fault" || detail["tool"] !== undefined) return false;
  const allow = crew.specialists.find(({ name }) => name === owner)?.toolAllow ?? [];
  return allow.some((entry) => entry.split(".")[0] === detail["server"]);
}

/** What kind of fault struck. */
interface Kind {
  readonly visibility: Visibility;
  readonly persistence: Persistence;
  /** Whether a correct hub makes a failure of a call that it has struck. */
  readonly errs: boolean;
  /** Whether it breaks something: also what looks like a success may be false. */
  readonly breaks: boolean;
}

function kindOf(
  { detail }: TraceEvent,
  { trace: { scenario } }: TraceView,
): Kind | undefined {
  const fault = FAULTS.get(text(detail["fault"]));
  if (fault === undefined) return undefined;
  const same = scenario.faults.filter((one: FaultEntry) => one.fault === fault.id && one.at === detail["at"]);
  const rank = typeof detail["rank"] === "number" ? detail["rank"] : 1;
  return {
    visibility: fault.visibility,
    persistence: fault.persistence((same[rank - 1] ?? same[0])?.when),
    errs: fault.outcome !== "ok",
    breaks: fault.outcome !== "ok" || DECEIVES.has(fault.layer),
  };
}

function fateOf(task: Task, struck: readonly TraceEvent[], view: TraceView): Fate {
  const { answer } = view;
  const { owner, attempts } = task;
  const last = attempts.at(-1)?.packet.recipient ?? owner;
  const stated = (answer?.failures ?? []).filter(({ specialist }) => specialist === owner || specialist === last);
  const sections = (answer?.sections ?? []).filter(({ worker }) => worker === owner || worker === last);
  if (stated.some(({ substituted }) => substituted !== undefined)) return "substituted";
  if (stated.length > 0) return "disclosed";
  if (sections.some(({ provenance }) => provenance.kind !== "live")) return "substituted";
  return sections.length > 0 && isMet(task, struck, view) ? "recovered" : "passed_on";
}

/** Whether live observations that no fault had touched came after the last thing that one did. */
function isMet({ attempts }: Task, struck: readonly TraceEvent[], view: TraceView): boolean {
  const spans = new Set(struck.map(({ span }) => span));
  const clean = view.calls.filter(({ span, reply }) =>
    attempts.some((attempt) => isWithin(span, attempt.span)) && !spans.has(span) && reply !== undefined &&
    !reply.isError && !isFailedResult(reply.text)
  );
  return struck.every(({ type, span, detail, seq }) => {
    if (type === "server.fault" && detail["tool"] !== undefined) {
      const tool = `${text(detail["server"])}.${text(detail["tool"])}`;
      const keys = view.calls.filter((call) => call.span === span).flatMap(({ args }) => keyOf(args));
      return clean.some(({ tool: other, reply }) =>
        reply !== undefined && reply.seq > seq && (other === tool || keys.some((key) => reply.text.includes(key)))
      );
    }
    return type === "server.fault"
      ? clean.some((call) => (call.reply?.seq ?? 0) > seq)
      : view.requests.some((request) =>
        request.seq > seq && request.span !== span && attempts.some((attempt) => isWithin(request.span, attempt.span))
      );
  });
}

const text = (value: Json | undefined): string => typeof value === "string" ? value : "";

/** The idempotency key of a call: where a later result has it, what became of the call was seen after all. */
function keyOf(args: Json): string[] {
  const isMap = typeof args === "object" && args !== null && !Array.isArray(args);
  const key = isMap && Object.hasOwn(args, "idempotency_key") ? args["idempotency_key"] : undefined;
  return typeof key === "string" ? [key] : [];
}
