/** Every type of event that the bench and the reference orchestrator write, and how each says what came of something. */
import type { Json } from "../../core/mod.ts";
import type { Side } from "./event.ts";

/** One type of event. */
export interface EventType {
  /** Who writes it. */
  readonly side: Side;
  /** What it says has happened. */
  readonly says: string;
  /** The event's `outcome`, read from its detail, for types that end something. */
  readonly outcome?: (detail: { readonly [key: string]: Json | undefined }) => Json | undefined;
}

const field = (value: Json | undefined, key: string): Json | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value[key] : undefined;

const bench = (says: string, outcome?: EventType["outcome"]) => define("bench", says, outcome);
const world = (says: string, outcome?: EventType["outcome"]) => define("world", says, outcome);
const subject = (says: string, outcome?: EventType["outcome"]) => define("subject", says, outcome);

function define(side: Side, says: string, outcome: EventType["outcome"]): EventType {
  return { side, says, ...(outcome === undefined ? {} : { outcome }) };
}

/** The types. A subject may add some of its own; scorers read none that is not here. */
export const EVENT_TYPES: ReadonlyMap<string, EventType> = new Map(Object.entries({
  "run.start": bench("the subject is given the request"),
  "run.settled": bench("the subject has answered, thrown or been cut off"),
  "subject.killed": bench("the subject was killed, after which event"),
  "subject.resumed": bench("the subject was started again, to go on with its run"),
  "script.problem": bench(
    "script or recording and run do not fit; a limit or a provider refused a call",
    ({ kind }) => kind,
  ),
  "script.left": bench("scripted turns that nobody asked for, which is no mistake", ({ kind }) => kind),
  "subject.shows": bench("what this run lets be seen, where that is known only afterwards"),
  "subject.process": bench("how the subject's process has ended, and what it had left running or open"),
  "subject.unplayable": bench("what no script can answer, so that the run says nothing"),
  "run.end": bench("how the run ended, and the answer as the bench was given it", ({ outcome }) => outcome),

  "model.prompt": world("a system prompt, once each, by its digest"),
  "model.request": world("a model was asked: agent, prompt, messages, names of the tools advertised"),
  "model.turn": world("the model's turn: text, calls, finish, usage", ({ finish }) => finish),
  "model.error": world("the model call came to nothing", ({ code }) => code),
  "model.fault": world("a fault at an agent took effect", ({ fault }) => fault),
  "model.fault_broke": world("a fault's own code failed: the cell is worth nothing", () => "error"),
  "server.connect": world("an attempt to connect", ({ ok }) => ok === true ? "ok" : "refused"),
  "server.request": world("a tool call left the hub: server, tool, args, meta"),
  "server.reply": world("the hub was given a reply", ({ isError }) => isError === true ? "error" : "ok"),
  "server.cancelled": world("the hub called a call off"),
  "server.fault": world("a fault took effect", ({ fault }) => fault),
  "server.fault_broke": world("a fault's own code failed: the cell is worth nothing", () => "error"),
  "server.bad_line": world("a line that is no JSON object", ({ from }) => from),
  "server.close": world("a connection ended, by whom", ({ by }) => by),
  "server.ledger": world("a server's own record of the calls that reached it, at the end of the run"),
  "operator.request": world("the operator was asked about a call: its arguments, its binding, why"),
  "operator.decision": world("the operator has decided on a call", ({ decision }) => decision),
  "operator.takeover": world(
    "the operator was asked to do a worker's part",
    ({ said }) => typeof said === "string" ? "taken" : "declined",
  ),
  "user.question": world("the user was asked what a worker has to know"),
  "user.answer": world("the user has answered", ({ said }) => typeof said === "string" ? "answered" : "silent"),

  "server": subject("a server as the hub found it: state, tools", ({ code, state }) => code ?? state),
  "superstep.start": subject("tasks begin together"),
  "superstep.end": subject("the last of them has ended"),
  "task.start": subject("a node begins"),
  "task.end": subject("a node has ended", ({ outcome }) => outcome),
  "plan": subject("what the parser made of a planner's reply", ({ code, status }) => code ?? status),
  "plan.fallback": subject("the crew's fallback plan is used, and why", ({ code }) => code),
  "packet": subject("a packet is handed to a worker, with its digest"),
  "call.start": subject("a worker calls a tool"),
  "call.end": subject("what the call came to", ({ code, kind }) => code ?? kind),
  "report": subject(
    "a worker's report, or one that stands in for it",
    ({ report }) => field(field(report, "failure"), "code") ?? field(report, "status"),
  ),
  "approval": subject("what was decided on a call that a rule covers, by whom, why", ({ decision }) => decision),
  "effect": subject("what has become of a call that has an effect", ({ state }) => state),
  "message": subject("an agent says something to another"),
  "handoff": subject("an agent hands over control to another", ({ outcome }) => outcome),
  "budget": subject("work got less of a budget than it wanted, or nothing", ({ resource }) => resource),
  "verify": subject("whether a report's claims rest on observations", ({ verdict }) => verdict),
  "route": subject("what is done about a failure", ({ strategy }) => strategy),
  "summary": subject(
    "a model has written a summary: how much of it was kept, what was not borne out",
    ({ code }) => code,
  ),
  "usage": subject("what all model calls of the run came to"),
  "answer": subject("the answer is made", ({ answer }) => field(answer, "status")),
}));
