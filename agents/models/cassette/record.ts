/** Records what a model says, as it says it. */
import { type Json, type Redactor, toFailure } from "../../../core/mod.ts";
import type { Model } from "../model.ts";
import { LiveModelError } from "../live/errors.ts";
import { OverLimit } from "../live/purse.ts";
import { conversationOf } from "./conversation.ts";
import { HEADER, type RecordedCall, type RecordedFailure } from "./tape.ts";

/** Where lines go. Each is whole, and ends with a line feed. */
export type Sink = (line: string) => void;

/** Options of {@linkcode TapeWriter}. */
export interface TapeWriterOptions {
  /** Keys that may be in no line, whatever else is taken out of it. */
  readonly keys: readonly string[];
  /** Ids of parts that the file has already, if it is continued; it has none of its own lines if left out. */
  readonly parts?: Iterable<string>;
}

/** Writes a recording, line by line, for all cells of a run. */
export class TapeWriter {
  readonly #written: Set<string>;
  #begun: boolean;

  /** A writer of a new recording, or of one that is continued. */
  constructor(private readonly sink: Sink, private readonly options: TapeWriterOptions) {
    this.#begun = options.parts !== undefined;
    this.#written = new Set(options.parts);
  }

  /** Begins a cell: what was recorded of it before no longer counts. */
  begin(cell: string, model: string): void {
    this.#write({ type: "cell", cell, model });
  }

  /** Writes a call, and those parts of it that the file does not have. */
  add(call: RecordedCall, parts: ReturnType<typeof conversationOf>): void {
    for (const { id, role, text } of parts) {
      if (this.#written.has(id)) continue;
      this.#write({ type: "part", id, role, text });
      this.#written.add(id);
    }
    this.#write({ type: "turn", ...call });
  }

  #write(value: object): void {
    if (!this.#begun) {
      this.#begun = true;
      this.#write(HEADER);
    }
    // In the order in which the model has written it: arguments are shown, and cut, in that order.
    const line = JSON.stringify(value);
    // Taken out before, by everybody who should: this is for what nobody has thought of.
    if (this.options.keys.some((key) => key !== "" && line.includes(key))) {
      throw new Error("a key of a provider stood in what was to be recorded");
    }
    this.sink(`${line}\n`);
  }
}

/** What is recorded of one cell. */
export interface RecordingOptions {
  /** Where to. */
  readonly writer: TapeWriter;
  /** The cell, without lane and model. */
  readonly cell: string;
  /** The model's name, as cells have it. */
  readonly label: string;
  /** Takes secrets out. */
  readonly redactor: Redactor;
  /** Milliseconds of the clock on which the model takes its time. */
  readonly now: () => number;
  /** Told what could not be written. The turn is given to whoever asked all the same. */
  readonly onUnwritten: (agent: string, why: string) => void;
}

/** A model whose calls are recorded. */
export interface RecordedModel extends Model {
  /** The cell is over: one in which nobody was asked anything is recorded as that. */
  end(): void;
}

/**
 * A model whose calls are recorded: each as soon as it has ended, so that whoever is killed keeps what was paid for. A call
 * that was refused because of a limit of the run is no word of the model's, and is left out. Where a provider can be asked
 * nothing at all, the cell is no recording: nothing more of it is written, and if that comes first, nothing at all, so that
 * what was recorded of it before still counts.
 */
export function recording(model: Model, options: RecordingOptions): RecordedModel {
  const { writer, cell, label, redactor, now, onUnwritten } = options;
  const counts = new Map<string, number>();
  let state: "new" | "begun" | "out" = "new";
  const begin = (): void => {
    if (state !== "new") return;
    state = "begun";
    try {
      writer.begin(cell, label);
    } catch (error) {
      onUnwritten("recording", wordsOf(error));
    }
  };
  return {
    end: begin,
    async next(request, signal) {
      const { agent } = request;
      const parts = conversationOf(request, redactor);
      const asked = parts.map(({ id }) => id);
      const key = JSON.stringify([agent, asked]);
      const nth = (counts.get(key) ?? 0) + 1;
      counts.set(key, nth);
      const began = now();
      const keep = (what: Pick<RecordedCall, "turn" | "error" | "gone">): void => {
        begin();
        if (state === "out") return;
        try {
          const tookMs = Math.max(0, Math.round(now() - began));
          writer.add(redactor.value({ cell, model: label, agent, asked, nth, tookMs, ...what }), parts);
        } catch (error) {
          onUnwritten(agent, wordsOf(error));
        }
      };
      try {
        const turn = await model.next(request, signal);
        keep({ turn });
        return turn;
      } catch (thrown) {
        if (signal.aborted) keep({ gone: true });
        else if (thrown instanceof LiveModelError && thrown.outage !== undefined) state = "out";
        else if (thrown instanceof OverLimit) begin();
        else keep({ error: failureOf(thrown) });
        throw thrown;
      }
    },
  };
}

function failureOf(thrown: unknown): RecordedFailure {
  const { code, detail } = toFailure(thrown);
  const [status, retryAfterMs] = [numberIn(thrown, "status"), numberIn(thrown, "retryAfterMs")];
  return {
    code,
    detail,
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function numberIn(thrown: unknown, key: string): number | undefined {
  const value: Json | undefined = typeof thrown === "object" && thrown !== null && key in thrown
    ? Reflect.get(thrown, key)
    : undefined;
  return typeof value === "number" ? value : undefined;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
