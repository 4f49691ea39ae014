/**
 * What is true of a run: who failed and was not recovered, what stands in, who did their part. From the scenario where it
 * says so; otherwise from the world's record, which knows what came back and what was struck, and not what was meant.
 */
import type { AnswerFailure } from "../../../agents/mod.ts";
import type { Expect } from "../../scenario/schema.ts";
import { sortedEntries } from "../entries.ts";
import { isWorker } from "../peers.ts";
import { readRecord, SAID } from "../record.ts";
import type { TraceView } from "../view.ts";

/** Something that stands in. */
export type Substitute = Expect["substituted"][string];

/** What is true. */
export interface Truth {
  /** Who failed, wholly or in part, or was not started, and was not recovered: with the code, where it is known. */
  readonly failed: ReadonlyMap<string, string | undefined>;
  /** Who may be named in place of somebody who failed: the one at whose task it happened, or who stood in. */
  readonly alsoFor: ReadonlyMap<string, readonly string[]>;
  /** What stands in, by specialist, where it is known. */
  readonly substituted: ReadonlyMap<string, Substitute>;
  /** Who did their part. */
  readonly healthy: readonly string[];
  /** Whether anybody else who is called failed is called so wrongly. */
  readonly isWhole: boolean;
  /** The status that the answer must have; `not complete` if only that is known; none if nothing is. */
  readonly status: Expect["status"] | "not complete" | undefined;
  /** Events that it rests on. */
  readonly evidence: readonly number[];
}

/** Reads the truth of a cell. */
export function readTruth(view: TraceView): Truth {
  const { expect } = view.trace.scenario;
  return expect === undefined ? recorded(view) : foreseen(view, expect);
}

function foreseen(view: TraceView, expect: Expect): Truth {
  const failed = new Map(sortedEntries(expect.failed));
  return {
    failed,
    alsoFor: new Map(),
    substituted: new Map(sortedEntries(expect.substituted)),
    healthy: atWork(view).filter((name) => !failed.has(name)),
    isWhole: true,
    status: expect.status,
    evidence: [],
  };
}

function recorded(view: TraceView): Truth {
  // Without names nothing on record is anybody's.
  if (!view.shown.has("agents")) {
    const nothing = { failed: new Map(), alsoFor: new Map(), substituted: new Map(), healthy: [], evidence: [] };
    return { ...nothing, isWhole: false, status: undefined };
  }
  const { lost, sound, blind } = readRecord(view);
  const failed = new Set([...lost.map(({ agent }) => agent), ...blind]);
  const stated = new Map(Map.groupBy(view.answer?.failures ?? [], ({ specialist }) => specialist));
  return {
    failed: new Map([...failed].sort().map((name) => [name, undefined])),
    alsoFor: new Map(
      [...Map.groupBy(lost, ({ agent }) => agent)].map(([agent, own]) => [agent, own.map(({ owner }) => owner)]),
    ),
    substituted: new Map(),
    healthy: sound.filter((name) => !failed.has(name) && !mayHaveFailed(stated.get(name) ?? [])),
    isWhole: false,
    status: failed.size > 0 ? "not complete" : undefined,
    evidence: lost.map(({ seq }) => seq),
  };
}

/** Whether somebody is called failed for what the record does not show: what its model said, or a task not begun. */
function mayHaveFailed(stated: readonly AnswerFailure[]): boolean {
  return stated.length > 0 && stated.every(({ code }) => SAID.has(code) || code === "not_started");
}

/** The crew's specialists that were set to work. */
function atWork(view: TraceView): string[] {
  const { requests, packets, shown, trace: { crew, scenario } } = view;
  const asked = shown.has("agents")
    ? requests.map(({ agent }) => agent).filter((agent) => isWorker(agent, view))
    // Who was asked is not known: whom the script has something to say for.
    : Object.keys(scenario.script).filter((name) => (scenario.script[name] ?? []).length > 0);
  const names = new Set([...packets.map(({ packet }) => packet.recipient), ...asked]);
  return crew.specialists.map(({ name }) => name).filter((name) => names.has(name));
}
