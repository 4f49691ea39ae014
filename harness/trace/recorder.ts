/** The one place where events are written. Secrets are taken out here, before anything else sees the event. */
import { type Json, parentId, type Redactor } from "../../core/mod.ts";
import { type Cell, cellId, type Side, type TraceEvent } from "./event.ts";
import { copyDetail, type Detail } from "./detail.ts";
import { EVENT_TYPES } from "./event_types.ts";

/** The worker and packet of a task's span. */
interface Owner {
  readonly worker: string;
  readonly packet: string;
}

/** Where an event stands. */
interface Place {
  /** The span, without secrets. */
  readonly text: string;
  readonly parent: string | undefined;
  readonly owner: Owner | undefined;
  readonly superstep: number | undefined;
}

/** Where events are recorded. */
export interface Recording {
  /** Records an event; see {@linkcode TraceRecorder.record}. */
  record(side: Side, type: string, span: string, detail: { readonly [key: string]: Json | undefined }): void;
}

/** Records the events of one cell. */
export class TraceRecorder {
  readonly #run: string;
  readonly #now: () => number;
  readonly #redactor: Redactor;
  readonly #events: TraceEvent[] = [];
  readonly #owners = new Map<string, Owner>();
  readonly #places = new Map<string, Place>();
  #sealed = false;
  /** Told of each event once it is recorded. */
  watcher: ((event: TraceEvent) => void) | undefined;

  /**
   * @param cell The cell.
   * @param now Milliseconds of its clock.
   * @param redactor Takes the secrets out.
   */
  constructor(cell: Cell, now: () => number, redactor: Redactor) {
    this.#run = cellId(cell);
    this.#now = now;
    this.#redactor = redactor;
  }

  /** Everything recorded so far. */
  get events(): readonly TraceEvent[] {
    return this.#events;
  }

  /**
   * Records an event. What is kept is a copy, so that later changes of the subject's objects cannot reach into the trace,
   * and it is JSON, whatever a subject hands over.
   *
   * @param span Structural id; a task's `packet` event makes its worker the owner of everything below that span.
   */
  record(side: Side, type: string, span: string, detail: Detail): void {
    if (this.#sealed) return;
    if (type === "packet") this.#own(span, detail);
    const { text, parent, owner, superstep } = this.#place(span);
    const outcome = outcomeOf(type, detail);
    const event: { -readonly [K in keyof TraceEvent]: TraceEvent[K] } = {
      run: this.#run,
      seq: this.#events.length,
      t: Math.round(this.#now() * 1000) / 1000,
      side,
      type: this.#redactor.text(type),
      span: text,
      detail: copyDetail(detail, this.#redactor),
    };
    if (parent !== undefined) event.parent = parent;
    if (superstep !== undefined) event.superstep = superstep;
    if (owner !== undefined) {
      event.worker = owner.worker;
      event.packet = owner.packet;
    }
    if (typeof outcome === "string") event.outcome = this.#redactor.text(outcome);
    this.#events.push(event);
    this.watcher?.(event);
  }

  /** Ends the recording: what anybody does from now on is not in the trace. */
  seal(): void {
    this.#sealed = true;
  }

  #own(span: string, { packet, hash }: Detail): void {
    const isPacket = typeof packet === "object" && packet !== null && !Array.isArray(packet);
    const worker = isPacket ? packet["recipient"] : undefined;
    if (typeof worker !== "string" || typeof hash !== "string") return;
    const redactor = this.#redactor;
    this.#owners.set(span, { worker: redactor.text(worker), packet: redactor.text(hash) });
    this.#places.clear();
  }

  /** What is known of a span; most spans have several events. */
  #place(span: string): Place {
    const known = this.#places.get(span);
    if (known !== undefined) return known;
    const text = this.#redactor.text(span);
    const place = { text, parent: parentId(text), owner: this.#ownerOf(span), superstep: superstepOf(span) };
    this.#places.set(span, place);
    return place;
  }

  #ownerOf(span: string): Owner | undefined {
    if (this.#owners.size === 0) return undefined;
    for (let at: string | undefined = span; at !== undefined; at = parentId(at)) {
      const owner = this.#owners.get(at);
      if (owner !== undefined) return owner;
    }
    return undefined;
  }
}

function superstepOf(span: string): number | undefined {
  const number = /^run\/s(\d{1,9})(?:\/|$)/.exec(span)?.[1];
  return number === undefined ? undefined : Number(number);
}

function outcomeOf(type: string, detail: Detail): Json | undefined {
  try {
    return EVENT_TYPES.get(type)?.outcome?.(detail);
  } catch {
    return undefined; // a detail that is no object, or one that throws when it is read
  }
}
