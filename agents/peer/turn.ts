/** What comes of one agent's having control, as it is written down before anybody is told. */
import * as z from "zod";
import { JsonValue, Report } from "../contracts.ts";
import { Journal } from "../journal.ts";
import type { RunLog } from "../run_log.ts";
import { verdictEvent, verifyReport } from "../supervisor/verify.ts";
import type { Handoff, Report as ReportType } from "../types.ts";
import type { Desk } from "./desk.ts";
import { Asked, Refused } from "./handoff.ts";

/** Schema of a turn, for those that come back from a log. */
const Turn = z.strictObject({
  checked: z.strictObject({ report: Report, unconfirmed: z.array(z.string()) }),
  /** The handoff that was accepted, if one was. */
  accepted: z.array(Asked),
  refused: z.array(Refused),
  /** What the check of its claims told; nothing where there were none to check. */
  verdict: z.record(z.string(), JsonValue).nullable(),
});

/** What came of it: plain JSON. */
export type Turn = z.output<typeof Turn>;

/** The turns of a run, those before a kill included. */
export type Turns = Journal<Turn>;

/** The turns in a run's log. */
export function turnsIn(log: RunLog | undefined): Turns {
  return new Journal(log, "peer.turns", Turn);
}

/** Checks what an agent reports, and adds what became of its handoffs. */
export function turnOf(report: ReportType, { accepted, refused }: Desk, { inputs }: Handoff): Turn {
  const handed = { accepted: accepted === undefined ? [] : [accepted], refused: [...refused] };
  // Whoever has handed on need claim nothing, and what is quoted is what was observed.
  if (accepted !== undefined && report.findings.every(({ verdict }) => verdict !== undefined)) {
    return { checked: { report, unconfirmed: [] }, ...handed, verdict: null };
  }
  const { verdict, report: checked, unconfirmed } = verifyReport(report, inputs);
  return { checked: { report: checked, unconfirmed }, ...handed, verdict: verdictEvent(verdict) };
}
