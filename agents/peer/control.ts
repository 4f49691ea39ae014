/** What an agent does while it has control, and what is made of its report. */
import { type Clock, digest, FAILURES } from "../../core/mod.ts";
import { allot, leftOf, SHORTAGE_CODES } from "../budget/tree.ts";
import type { Crew } from "../crews/crew.ts";
import type { ToolHub } from "../hub/mod.ts";
import type { Model } from "../models/model.ts";
import type { Emit } from "../observe.ts";
import type { Checked } from "../supervisor/state.ts";
import type { Handoff, Observation, Report, ReportedFailure } from "../types.ts";
import { runWorker } from "../worker/worker.ts";
import { Desk } from "./desk.ts";
import type { Asked } from "./handoff.ts";
import { failedReport } from "./outcome.ts";
import { messageOf, packetOf, quoted } from "./packets.ts";
import { type Room, roomFor } from "./room.ts";
import type { Entry } from "./triage.ts";
import { type Turn, turnOf, type Turns } from "./turn.ts";

/** What has happened before. */
export interface SoFar {
  /** What came of the first agent. */
  readonly entry: Entry;
  /** Handoffs that were accepted, oldest first; the last one is to the agent that has control now. */
  readonly accepted: readonly Asked[];
  /** The reports of all but the last. */
  readonly checked: readonly Checked[];
}

/** What it works with. */
export interface ControlTools {
  /** The team. */
  readonly crew: Crew;
  /** The model of every agent. */
  readonly model: Model;
  /** The connected servers, behind their gates. */
  readonly hub: ToolHub;
  /** The run's clock. */
  readonly clock: Clock;
  /** Told of each step. */
  readonly emit: Emit;
  /** Where it is written down what came of each; nowhere if left out. */
  readonly turns?: Turns;
}

/** Lets the agent that has control work, and checks what it says before anybody else gets it. */
export async function haveControl(
  { entry, accepted, checked }: SoFar,
  { crew, model, hub, clock, emit, turns }: ControlTools,
  span: string,
  signal: AbortSignal,
): Promise<Turn> {
  const before = turns?.find(span);
  if (before !== undefined) {
    if (before.verdict !== null) emit("verify", span, before.verdict);
    return before;
  }
  const n = accepted.length;
  const reports = checked.map(({ report }) => report);
  const asked = accepted[n - 1];
  if (asked === undefined) throw new RangeError("nobody has been handed control");
  const message = messageOf(asked, n, reports[n - 2]);
  emit("message", span, { ...message });
  const wanted = packetOf(message, asked, n, crew);
  const { packets, refused, cut } = allot(
    [wanted],
    leftOf(crew.budget, reports.map(({ usage }) => usage), [entry.usage]),
  );
  const short = refused[0]?.shortage;
  for (const shortage of [...cut, ...(short === undefined ? [] : [short])]) emit("budget", span, { ...shortage });
  const packet = packets[0] ?? wanted;
  const desk = new Desk({ from: packet.recipient, specialists: crew.specialists, past: accepted, emit });
  if (short !== undefined) {
    const failure = { code: SHORTAGE_CODES[short.resource], detail: "nothing is left of the run's budget" };
    const report = failedReport(known(packet), failure, clock.now());
    return { checked: { report, unconfirmed: [] }, accepted: [], refused: [], verdict: null };
  }
  emit("packet", span, { packet, hash: digest(packet) });
  const room = roomFor(hub, desk);
  const specialist = crew.specialists.find(({ name }) => name === packet.recipient);
  const own = specialist === undefined ? {} : { specialist };
  const tools = { model, hub: room.hub, clock, emit, controls: room.controls, ...own };
  const report = settled(await runWorker(packet, tools, span, signal), desk, room, packet);
  signal.throwIfAborted();
  const turn = turnOf(report, desk, packet);
  turns?.keep(span, turn);
  emit("report", span, { report });
  if (turn.verdict !== null) emit("verify", span, turn.verdict);
  return turn;
}

const known = ({ recipient: worker, id: packetId, objective }: Handoff) => ({ worker, packetId, objective });

/**
 * A report that knows of handoffs: whoever has handed control on need not have found anything, and what it has seen goes
 * into the answer even if it said nothing about it. Whoever could neither hand on nor conclude says so.
 */
function settled(report: Report, { accepted, refused }: Desk, { observed, hub }: Room, { toolAllow }: Handoff): Report {
  const { failure } = report;
  if (accepted === undefined) {
    if (failure === undefined || refused.length === 0) return report;
    const tried = refused.map(({ to, outcome }) => `${to} (${outcome})`).join(", ");
    return { ...report, failure: { ...failure, detail: `${failure.detail}; could not hand control to ${tried}` } };
  }
  const { failure: _, ...rest } = report;
  const stands = failure ?? cutOff(observed, hub.down(toolAllow));
  const said = report.findings.filter(({ observations }) => observations.length > 0);
  const findings = said.length > 0 ? said : quoted(observed);
  return {
    ...rest,
    ...(stands === undefined ? {} : { failure: stands }),
    status: stands === undefined ? "ok" : findings.length > 0 ? "partial" : "failed",
    findings,
    note: findings.map(({ claim }) => claim).join("\n"),
  };
}

/** Whoever saw nothing and could not have, because its server is down, has not handed on by choice. */
function cutOff(observed: readonly Observation[], [first]: ReturnType<ToolHub["down"]>): ReportedFailure | undefined {
  if (observed.length > 0 || first === undefined) return undefined;
  const { name, failure: { code, detail } } = first;
  return { code, detail: `${name} is not available: ${detail}`, retryable: FAILURES[code].retryable };
}
