/** Runs one cell: a scenario, once, in one lane. Everything that is known afterwards is in the trace. */
import { type Answer, contracts, type Crew, ENTRY, type Model, type Subject } from "../../agents/mod.ts";
import {
  type Clock,
  CodedError,
  type Deadline,
  deadline,
  DeadlineExceeded,
  type Json,
  oneLine,
  RunawayError,
  sleep,
  StalledError,
  StrayError,
  untilAborted,
  VirtualClock,
} from "../../core/mod.ts";
import type { Lane, World } from "../lanes/lane.ts";
import { ForeignEnd, type ForeignWorld, isForeign } from "../subjects/foreign.ts";
import type { Scenario } from "../scenario/schema.ts";
import { type Cell, type Trace, TRACE_SCHEMA } from "../trace/event.ts";
import { withoutSecrets } from "../trace/header.ts";
import { TraceRecorder } from "../trace/recorder.ts";
import { faultyModel, type FaultyModelOptions } from "./faulty_model.ts";
import { Interrupts } from "./interrupts.ts";
import { type CellModel, type ModelSource, scriptedSource } from "./model_source.ts";
import { scriptOf } from "./script.ts";
import { type People, type PeopleOptions, scriptedPeople } from "./people.ts";
import { serversInReach } from "./reach.ts";
import { watchLink, watchModel } from "./watch.ts";

/** What to run. */
export interface CellSpec {
  /** The cell's name. */
  readonly cell: Cell;
  /** The scenario, with world and variant resolved. */
  readonly scenario: Scenario;
  /** The team. */
  readonly crew: Crew;
  /** The system under test. */
  readonly subject: Subject;
  /**
   * How long the subject may take, in milliseconds of the cell's clock.
   *
   * @default DEADLINE_MS
   */
  readonly deadlineMs?: number;
  /** Where its model's turns come from; the scenario's script if left out. `cell.model` names it. */
  readonly model?: ModelSource;
  /** Who the operator and the user are; those of the scenario if left out. */
  readonly people?: (options: PeopleOptions) => People;
  /** Calls the cell off, which makes it an error of the bench. */
  readonly signal?: AbortSignal;
}

/** How long a subject may take where nobody says, in milliseconds of the cell's clock. */
export const DEADLINE_MS = 120_000;

/** The seed with which timers fire in the order of asking. */
export const DEFAULT_SEED = "0";

/** For how long a subject that has ended is watched for what it still does, in virtual milliseconds. */
const AFTERMATH_MS = 60_000;

/**
 * How a run ended. `answered`: with an answer. `crashed`: the subject threw, or answered in no known form. `overdue`: it
 * did not end in time. `stalled`: nothing was left to run, so it never will; in `wire`, where that cannot be seen, it is
 * overdue. `error`: the bench's own failure.
 */
export type RunEnd = "answered" | "crashed" | "overdue" | "stalled" | "error";

/** Where it is written what happens. */
interface Records {
  /** For the bench itself. */
  readonly recorder: TraceRecorder;
  /** For everybody else; and the kills. */
  readonly interrupts: Interrupts;
}

interface Ending {
  readonly outcome: RunEnd;
  readonly detail?: string;
  readonly answer?: Answer;
}

/**
 * Runs a cell. Whatever goes wrong in it, with the subject or with the bench, is an event of the trace and not thrown.
 *
 * @throws {RangeError} If a secret of the scenario is shorter than 6 characters.
 */
export async function runCell(spec: CellSpec, lane: Lane): Promise<Trace> {
  const { cell, signal } = spec;
  const { redactor, scenario, crew } = withoutSecrets(spec.scenario, spec.crew);
  // Ended when the trace is sealed: what somebody does whose call is ended then is no part of it.
  using owned = new DisposableStack();
  let clock: Clock | undefined;
  const recorder = new TraceRecorder(cell, () => clock?.now() ?? 0, redactor);
  // A process that the bench can only watch keeps nothing that it could go on from.
  const interrupts = new Interrupts(isForeign(spec.subject) ? {} : scenario, recorder);
  let ending: Ending;
  try {
    signal?.throwIfAborted();
    const world = await lane.open({
      servers: serversInReach(spec.scenario, spec.crew),
      data: spec.scenario.servers,
      faults: spec.scenario.faults,
      seed: seedOf(cell),
      shuffle: isShuffled(cell),
      observer: watchLink(interrupts.recording),
      ...(signal === undefined ? {} : { signal }),
    });
    clock = world.clock;
    ending = await play(spec, world, { recorder, interrupts }, owned);
  } catch (error) {
    ending = error instanceof StalledError ? stalled(recorder) : { outcome: "error", detail: describe(error) };
  }
  const { answer, ...how } = ending;
  recorder.record("bench", "run.end", "run", { ...how, ...(answer === undefined ? {} : { answer: answer as Json }) });
  recorder.seal();
  return { schema: TRACE_SCHEMA, cell, scenario, crew, events: recorder.events };
}

function stalled({ events }: TraceRecorder): Ending {
  const last = events.findLast(({ type }) => type !== "script.problem" && type !== "server.ledger")?.t ?? 0;
  return { outcome: "stalled", detail: `nothing was left to run after ${last} ms, and there was no answer` };
}

/** What all that is random in a cell depends on. Each repeat has a schedule and luck of its own, the first those of the seed. */
export function seedOf({ seed, repeat }: Pick<Cell, "seed" | "repeat">): string {
  return repeat === 1 ? seed : `${seed}#${repeat}`;
}

function isShuffled(cell: Cell): boolean {
  return seedOf(cell) !== DEFAULT_SEED;
}

async function play(
  spec: CellSpec,
  world: World,
  { recorder: bench, interrupts }: Records,
  owned: DisposableStack,
): Promise<Ending> {
  const { clock } = world;
  const { recording: recorder } = interrupts;
  const { cell, cell: { subject }, subject: { shows }, scenario, scenario: { faults } } = spec;
  const seed = seedOf(spec.cell);
  const source = (spec.model ?? scriptedSource)({ cell, scenario, clock, isForeign: isForeign(spec.subject) });
  const { isForeseen } = source;
  await using overHttp = await reachedOverHttp(spec, source.model, { faults, clock, seed, recorder });
  const faulty = overHttp ?? owned.use(faultyModel(source.model, { faults, clock, seed, recorder }));
  const model = watchModel(faulty, recorder, isShuffled(spec.cell) ? { yieldOn: clock } : {});
  const played: typeof scenario = isForeseen ? scenario : { ...scenario, playback: "lenient" };
  const people = spec.people?.({ clock, recorder }) ?? scriptedPeople(played, { clock, recorder });
  try {
    return await world.run(async () => {
      bench.record("bench", "run.start", "run", {
        subject,
        ...(shows === undefined ? {} : { shows: [...shows] }),
        ...(overHttp === undefined ? {} : { model_via: scenario.model_via ?? null }),
      });
      const ending = await judge(spec, world, { model, people, source, bench }, interrupts);
      bench.record("bench", "run.settled", "run", {});
      // What it has left behind gets the time to show; of a subject that was cut off it is known.
      const over = ending.outcome === "answered" || ending.outcome === "crashed";
      if (over && clock instanceof VirtualClock && clock.pending > 0) await sleep(clock, AFTERMATH_MS);
      return ending;
    });
  } finally {
    for (const ledger of world.ledgers) {
      bench.record("world", "server.ledger", `run/servers/${ledger.server}`, { ...ledger });
    }
    const ofPeople = isForeseen ? people.problems() : [];
    for (const problem of [...source.problems(), ...ofPeople, ...interrupts.problems()]) {
      if (isForeign(spec.subject) && problem.kind === "unscripted") {
        const why = `${problem.agent} is asked, and the scenario has no turn for it`;
        bench.record("bench", "subject.unplayable", "run", { why });
      } else bench.record("bench", "script.problem", "run", { ...problem });
    }
    for (const left of source.left?.() ?? []) bench.record("bench", "script.left", "run", { ...left });
  }
}

/** Not a literal: the endpoint is loaded only where it is wanted. */
const OVER_HTTP: string = "./over_http.ts";

/** The script behind HTTP, where the scenario and the lane want it so, and nobody has another model in its place. */
async function reachedOverHttp(
  { cell: { lane }, model, scenario, scenario: { model_via } }: CellSpec,
  script: Model,
  options: FaultyModelOptions,
): Promise<Model & AsyncDisposable | undefined> {
  if (model_via === undefined || lane !== "wire" || model !== undefined) return undefined;
  const { modelOverHttp }: typeof import("./over_http.ts") = await import(OVER_HTTP);
  const tools = [...scriptOf(scenario).values()].flat().flatMap(({ calls = [] }) => calls.map(({ name }) => name));
  return await modelOverHttp(script, { ...options, protocol: model_via, tools });
}

/** Lets the subject answer, within its time. */
async function judge(
  spec: CellSpec,
  world: World,
  { model, people, source, bench }: {
    readonly model: Model;
    readonly people: People;
    readonly source: CellModel;
    readonly bench: TraceRecorder;
  },
  interrupts: Interrupts,
): Promise<Ending> {
  const { scenario: { request, topology }, crew, subject, deadlineMs = DEADLINE_MS, signal: outer } = spec;
  const { clock, ports, pool } = world;
  using limit = deadline(clock, undefined, outer);
  using _timer = deadlineOf(clock, deadlineMs, limit);
  const { signal } = limit;
  const { recording } = interrupts;
  const emit = recording.record.bind(recording, "subject");
  let answer: unknown;
  try {
    const { operator, user } = people;
    const input = {
      ...{ request, crew, model, ports, clock, signal, emit, topology },
      ...(operator === undefined ? {} : { operator }),
      ...(user === undefined ? {} : { user }),
      ...(pool === undefined ? {} : { pool }),
    };
    const resume = () => {
      source.resume();
      people.resume();
    };
    if (isForeign(subject)) {
      // Not cut off: it ends its process when its time is up, and says how that went.
      answer = await subject.runForeign(foreignWorld(spec, { ...input, deadlineMs }, source, bench));
      signal.throwIfAborted();
    } else {
      const lives = interrupts.live(input, { run: (mine) => subject.run(mine), cut: () => world.cut(), resume });
      answer = await untilAborted(lives, signal);
    }
  } catch (error) {
    if (outer?.aborted) return { outcome: "error", detail: "the cell was called off" };
    const said = error instanceof ForeignEnd ? error : undefined;
    const overdue = `no answer within ${deadlineMs} ms${said === undefined ? "" : `: ${said.message}`}`;
    if (signal.aborted) return { outcome: "overdue", detail: overdue };
    const detail = said?.message ?? describe(error);
    return { outcome: "crashed", detail, ...(said?.answer === undefined ? {} : { answer: said.answer }) };
  }
  const parsed = contracts.Answer.safeParse(answer);
  if (parsed.success) return { outcome: "answered", answer: parsed.data };
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  return { outcome: "crashed", detail: oneLine(`what it answered is no answer: ${where}${issue?.message}`) };
}

/** What a subject that runs somewhere else gets beside the world. */
function foreignWorld(
  { scenario: { interrupts = [], match = {}, script } }: CellSpec,
  world: Omit<ForeignWorld, "agents" | "asModels" | "isScripted" | "match" | "record">,
  source: CellModel,
  bench: TraceRecorder,
): ForeignWorld {
  const record: ForeignWorld["record"] = (type, detail) => bench.record("bench", type, "run", detail);
  if (interrupts.length > 0) {
    record("subject.unplayable", {
      why: "the scenario kills the subject in the middle, which is not done to a process",
    });
  }
  const { agents } = source;
  const team = [
    ...Object.keys(script),
    ...world.crew.specialists.map(({ name }) => name),
    "planner",
    "synthesizer",
    ENTRY,
  ];
  return {
    ...world,
    match: new Map(Object.entries(match)),
    record,
    asModels: agents ?? [...new Set(team)],
    isScripted: (agent) => source.isScripted?.(agent) ?? true,
    ...(agents === undefined ? {} : { agents }),
  };
}

/**
 * Ends the subject's time. On a virtual clock with no other timer left, time has only come so far because nothing is left
 * to run: then it does nothing, and leaves it to the clock to find out whether the cell is stalled or waits on something
 * real.
 */
function deadlineOf(clock: Clock, ms: number, limit: Deadline): Disposable {
  const timer = clock.after(ms, () => {
    if (!(clock instanceof VirtualClock && clock.pending === 0)) limit.abort(new DeadlineExceeded(ms));
  });
  return { [Symbol.dispose]: () => timer.cancel() };
}

/** An error in one line, without what differs from machine to machine. */
function describe(error: unknown): string {
  if (error instanceof StrayError || error instanceof StalledError || error instanceof RunawayError) {
    return error.message;
  }
  if (error instanceof CodedError) return `${error.code}: ${error.detail}`;
  return oneLine(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}
