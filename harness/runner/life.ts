/**
 * One life of a subject that may be killed. It gets the world through seams that are cut at the kill: nothing that it does
 * afterwards reaches anybody, and nothing reaches it. What ran at that moment is not told that it is over, because a kill
 * gives nobody the time to clean up.
 */
import type { Checkpointer, KeptRun, Model, Operator, RunLog, SubjectWorld, User } from "../../agents/mod.ts";
import { type Clock, ClosedError, type Timer } from "../../core/mod.ts";

/** Why whoever in the world works for a dead subject stops. One for all: only the world's side sees it. */
const KILLED = new ClosedError("the subject was killed");
const NO_TIMER: Timer = { cancel() {} };

/** A life. */
export class Life {
  /** Resolves when it is over. */
  readonly ended: Promise<void>;
  readonly #tell: () => void;
  /** For the world's side of what the subject waits for, so that a dead one keeps nobody busy. */
  readonly #end = new AbortController();
  readonly #timers = new Set<Timer>();
  #isOver = false;

  /** A life that begins. */
  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#tell = resolve;
  }

  /** Whether it is over. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends it: every seam is cut. Harmless when called again. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.#end.abort(KILLED);
    this.#tell();
  }

  /**
   * The world as this life has it. Sessions of a pool are left out: what a killed process was connected to is gone.
   *
   * @param kept Where the run is kept; what a dead subject writes there is lost.
   */
  world({ pool: _, ...world }: SubjectWorld, kept: KeptRun): SubjectWorld {
    const { operator, user } = world;
    return {
      ...world,
      clock: this.#clock(world.clock),
      model: this.#model(world.model),
      ports: world.ports.map((port) => ({ ...port, connect: () => this.#alive(() => port.connect()) })),
      emit: (type, span, detail) => {
        if (!this.#isOver) world.emit(type, span, detail);
      },
      kept: { ...kept, checkpointer: this.#checkpointer(kept.checkpointer), log: this.#log(kept.log) },
      ...(operator === undefined ? {} : { operator: this.#operator(operator) }),
      ...(user === undefined ? {} : { user: this.#user(user) }),
    };
  }

  /** What comes of some work of the world's, as long as this life lasts; otherwise nothing ever does. */
  #alive<T>(work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) return;
      Promise.resolve(work()).then(
        (value) => this.#isOver || resolve(value),
        (error) => this.#isOver || reject(error),
      );
    });
  }

  #until(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#end.signal]);
  }

  #clock(clock: Clock): Clock {
    return {
      kind: clock.kind,
      now: () => clock.now(),
      after: (ms, wake) => {
        if (this.#isOver) return NO_TIMER;
        const timer = clock.after(ms, () => {
          this.#timers.delete(timer);
          wake();
        });
        this.#timers.add(timer);
        return {
          cancel: () => {
            this.#timers.delete(timer);
            timer.cancel();
          },
        };
      },
    };
  }

  #model(model: Model): Model {
    return { next: (request, signal) => this.#alive(() => model.next(request, this.#until(signal))) };
  }

  #operator(operator: Operator): Operator {
    return {
      approve: (request, signal) => this.#alive(() => operator.approve(request, this.#until(signal))),
      takeOver: (request, signal) => this.#alive(() => operator.takeOver(request, this.#until(signal))),
    };
  }

  #user(user: User): User {
    return { answer: (question, signal) => this.#alive(() => user.answer(question, this.#until(signal))) };
  }

  #checkpointer(keeper: Checkpointer): Checkpointer {
    return {
      save: (runId, checkpoint) => this.#isOver ? this.#alive(() => {}) : keeper.save(runId, checkpoint),
      record: (runId, finished) => this.#isOver ? this.#alive(() => {}) : keeper.record(runId, finished),
      load: (runId) => this.#isOver ? this.#alive(() => undefined) : keeper.load(runId),
    };
  }

  #log(log: RunLog): RunLog {
    return {
      append: (list, entry) => {
        if (!this.#isOver) log.append(list, entry);
      },
      read: (list) => log.read(list),
    };
  }
}
