/**
 * Kills of the subject in the middle of its run. Each comes right after an event, whoever recorded it; then a new life
 * begins, with what was kept, the same servers in the state in which they are, and the same people.
 */
import type { Answer, SubjectWorld } from "../../agents/mod.ts";
import { sleep } from "../../core/mod.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { TraceEvent } from "../trace/event.ts";
import type { Recording, TraceRecorder } from "../trace/recorder.ts";
import { CopyingCheckpointer, CopyingRunLog } from "./kept.ts";
import { Life } from "./life.ts";

/** When the subject is killed. */
export type Interrupt = NonNullable<Scenario["interrupts"]>[number];

/** What a subject's lives need of the cell. */
export interface LivesOptions {
  /** Begins a life. */
  run(world: SubjectWorld): Promise<Answer>;
  /** Ends the connections of the one that is killed. */
  cut(): void;
  /** Told when another one is about to begin: scripts go on. */
  resume(): void;
}

/** A kill that never came; told as a model's script problems are. */
export interface MissedKill {
  /** Nothing else can go wrong with one. */
  readonly kind: "unconsumed";
  /** Always `bench`. */
  readonly agent: "bench";
  /** Which one. */
  readonly what: string;
  /** Always 1. */
  readonly turns: 1;
  /** Always 0. */
  readonly played: 0;
}

/** The run's name, where it is kept. */
const RUN_ID = "run";

/** The kills of one cell. With none, the subject has one life, and nothing of it is kept. */
export class Interrupts {
  /** Where everybody but the bench itself records. Between two lives nothing is: what a dead subject set off is lost. */
  readonly recording: Recording;
  readonly #planned: readonly Interrupt[];
  readonly #recorder: TraceRecorder;
  readonly #counts = new Map<string, number>();
  #done = 0;
  #state: "alive" | "dying" | "dead" | "over" = "alive";
  #life: Life | undefined;
  #cut: (() => void) | undefined;

  /** The kills of a scenario. */
  constructor({ interrupts = [] }: Pick<Scenario, "interrupts">, recorder: TraceRecorder) {
    this.#planned = interrupts;
    this.#recorder = recorder;
    if (interrupts.length === 0) {
      this.recording = recorder;
      return;
    }
    this.recording = {
      record: (side, type, span, detail) => {
        if (this.#state !== "dead") recorder.record(side, type, span, detail);
      },
    };
    recorder.watcher = (event) => this.#seen(event);
  }

  /** Lets the subject answer, in as many lives as it takes. */
  async live(world: SubjectWorld, { run, cut, resume }: LivesOptions): Promise<Answer> {
    if (this.#planned.length === 0) return await run(world);
    this.#cut = cut;
    const kept = { checkpointer: new CopyingCheckpointer(), log: new CopyingRunLog(), runId: RUN_ID };
    for (let isResumed = false;; isResumed = true) {
      if (this.#state !== "dead") {
        const life = this.#life = new Life();
        const answer = await Promise.race([run(life.world(world, { ...kept, isResumed })), life.ended]);
        if (answer !== undefined && !life.isOver) return answer;
      }
      // Whatever the dead one has set off in this instant comes to its end, unheard.
      await sleep(world.clock, 0, world.signal);
      resume();
      this.#state = "alive";
      this.#recorder.record("bench", "subject.resumed", "run", {});
    }
  }

  /** Kills that never came: the run says nothing about them. */
  problems(): MissedKill[] {
    return this.#planned.slice(this.#done).map(({ after, nth }) => ({
      ...{ kind: "unconsumed", agent: "bench", turns: 1, played: 0 },
      what: `kill after ${after}, number ${nth}`,
    }));
  }

  #seen({ type, side }: TraceEvent): void {
    if (side === "bench" && type === "run.settled") this.#state = "over";
    const nth = (this.#counts.get(type) ?? 0) + 1;
    this.#counts.set(type, nth);
    const due = this.#planned[this.#done];
    if (this.#state === "alive" && due?.after === type && due.nth === nth) this.#kill(due);
  }

  #kill({ after, nth }: Interrupt): void {
    this.#done++;
    this.#state = "dying";
    // The world sees its connections end, and then it is over: in this order, so that no event comes after the kill.
    this.#cut?.();
    this.#recorder.record("bench", "subject.killed", "run", { after, nth });
    this.#state = "dead";
    this.#life?.end();
  }
}
