/** The one place where events are written. Secrets are taken out here, before anything else sees the event. */
import { type Json, parentId, type Redactor } from "../../core/mod.ts";
import { type Cell, cellId, type Side, type TraceEvent } from "./event.ts";
import { EVENT_TYPES } from "./event_types.ts";

/** What an event may say beyond its span; members that are `undefined` are left out. */
export interface Detail {
  readonly [key: string]: Json | undefined;
}

/** The worker and packet of a task's span. */
interface Owner {
  readonly worker: string;
  readonly packet: string;
}

/** Levels of a detail; well below what canonical JSON can write. */
const MAX_DEPTH = 100;

/** Records the events of one cell. */
export class TraceRecorder {
  readonly #run: string;
  readonly #now: () => number;
  readonly #redactor: Redactor;
  readonly #events: TraceEvent[] = [];
  readonly #owners = new Map<string, Owner>();
  #sealed = false;

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
    const owner = this.#ownerOf(span);
    const parent = parentId(span);
    const superstep = superstepOf(span);
    const outcome = outcomeOf(type, detail);
    const said = {
      type,
      span,
      ...(parent === undefined ? {} : { parent }),
      ...owner,
      ...(typeof outcome === "string" ? { outcome } : {}),
    };
    const { json, copy } = asJson(detail);
    this.#events.push({
      run: this.#run,
      seq: this.#events.length,
      t: Math.round(this.#now() * 1000) / 1000,
      side,
      ...this.#redactor.value(said),
      ...(superstep === undefined ? {} : { superstep }),
      detail: this.#redactor.value(copy, json),
    });
  }

  /** Ends the recording: what anybody does from now on is not in the trace. */
  seal(): void {
    this.#sealed = true;
  }

  #own(span: string, { packet, hash }: Detail): void {
    const isPacket = typeof packet === "object" && packet !== null && !Array.isArray(packet);
    const worker = isPacket ? packet["recipient"] : undefined;
    if (typeof worker === "string" && typeof hash === "string") this.#owners.set(span, { worker, packet: hash });
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

/**
 * A detail as the JSON of an object, and what that reads back to. A subject of anybody's may hand over what JSON cannot
 * carry, or nest it without end: that is told, not thrown.
 */
function asJson(detail: Detail): { json: string; copy: { [key: string]: Json } } {
  try {
    const json = JSON.stringify(detail);
    const copy = JSON.parse(json);
    if (typeof copy !== "object" || copy === null || Array.isArray(copy)) return unreadable("is not an object");
    return isDeep(copy, MAX_DEPTH) ? unreadable(`is nested deeper than ${MAX_DEPTH} levels`) : { json, copy };
  } catch (error) {
    return unreadable(`is not JSON (${error instanceof Error ? error.name : "it throws"})`);
  }
}

function unreadable(why: string): { json: string; copy: { [key: string]: Json } } {
  const copy = { unreadable: `the detail ${why}` };
  return { json: JSON.stringify(copy), copy };
}

function isDeep(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeep(member, levels - 1));
}
