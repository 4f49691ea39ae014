/**
 * The file of a recording: JSON lines. A part of a conversation stands there once, before the first turn that names it.
 * Whatever is begun anew replaces what was recorded of the same cell with the same model, so a file only ever grows.
 */
import * as z from "zod";
import { FAILURE_CODES, type Json } from "../../../core/mod.ts";
import type { ModelTurn } from "../model.ts";
import type { Part } from "./conversation.ts";

/** Version of the format; a reader refuses any other. */
export const CASSETTE_VERSION = 1;

/** The first line. */
export const HEADER = { type: "cassette", version: CASSETTE_VERSION } as const;

const JsonValue: z.ZodType<Json> = z.json();
const count = z.int().nonnegative();

const Call = z.strictObject({
  id: z.string(),
  name: z.string(),
  args: z.record(z.string(), JsonValue),
  rawArguments: z.string().exactOptional(),
});

const Turn = z.strictObject({
  text: z.string(),
  calls: z.array(Call),
  finish: z.enum(["stop", "tool_calls", "length", "content_filter", "refusal"]),
  usage: z.strictObject({
    inputTokens: count,
    outputTokens: count,
    cachedTokens: count.exactOptional(),
    costUsd: z.number().nonnegative().exactOptional(),
  }),
  model: z.string().exactOptional(),
});

const Failed = z.strictObject({
  code: z.enum(FAILURE_CODES),
  detail: z.string(),
  status: z.int().exactOptional(),
  retryAfterMs: z.number().nonnegative().exactOptional(),
});

const Where = { cell: z.string(), model: z.string() };

const Entry = z.strictObject({
  type: z.literal("turn"),
  ...Where,
  agent: z.string(),
  /** Ids of the parts of what was asked. */
  asked: z.array(z.string()).min(2),
  /** How often this agent had asked exactly this in this cell, this time included. */
  nth: z.int().positive(),
  /** How long the model took, in milliseconds. */
  tookMs: count,
  turn: Turn.exactOptional(),
  error: Failed.exactOptional(),
  /** Whoever asked stopped waiting: no turn came, or none that anybody saw. */
  gone: z.literal(true).exactOptional(),
});

const Line = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("cassette"), version: z.number() }),
  z.strictObject({
    type: z.literal("part"),
    id: z.string(),
    role: z.enum(["system", "tools", "user", "assistant", "tool"]),
    text: z.string(),
  }),
  z.strictObject({ type: z.literal("cell"), ...Where }),
  Entry,
]);

/** A recorded failure. */
export type RecordedFailure = Readonly<z.output<typeof Failed>>;

/** One recorded call: a turn, a failure, or neither if whoever asked stopped waiting. */
export interface RecordedCall {
  /** The cell, without lane and model. */
  readonly cell: string;
  /** The model's name, as cells have it. */
  readonly model: string;
  /** Who asked. */
  readonly agent: string;
  /** Ids of the parts of what was asked. */
  readonly asked: readonly string[];
  /** How often this agent had asked exactly this in this cell, this time included. */
  readonly nth: number;
  /** How long the model took, in milliseconds. */
  readonly tookMs: number;
  /** The turn. */
  readonly turn?: ModelTurn;
  /** The failure. */
  readonly error?: RecordedFailure;
  /** Whoever asked stopped waiting. */
  readonly gone?: true;
}

/** A whole recording. */
export interface Tape {
  /** Parts of conversations by id. */
  readonly parts: ReadonlyMap<string, Part>;
  /** Calls by cell and model; see {@linkcode takeOf}. */
  readonly takes: ReadonlyMap<string, readonly RecordedCall[]>;
  /** The names of the models in it, in order. */
  readonly models: readonly string[];
  /** Whether its last line was cut off, as by a kill. */
  readonly isCut: boolean;
}

/** The name of what was recorded of one cell with one model. */
export function takeOf(cell: string, model: string): string {
  return JSON.stringify([cell, model]);
}

/**
 * Reads a recording. A last line that was cut off is passed over: whoever wrote it was killed.
 *
 * @throws {RangeError} If it is none; the message names the line.
 */
export function readTape(text: string): Tape {
  const parts = new Map<string, Part>();
  const takes = new Map<string, RecordedCall[]>();
  const models = new Set<string>();
  const lines = text.split("\n");
  // What a whole line ends with leaves an empty one behind it.
  const rest = lines.pop() ?? "";
  for (const [i, line] of lines.entries()) {
    const at = `line ${i + 1}`;
    const parsed = parseLine(line);
    if (i === 0) {
      if (parsed?.type !== "cassette") throw new RangeError(`${at}: this is no recording of models`);
      if (parsed.version === CASSETTE_VERSION) continue;
      throw new RangeError(`${at}: version ${parsed.version}; this bench reads ${CASSETTE_VERSION}`);
    }
    if (parsed === undefined) throw new RangeError(`${at}: this is no line of a recording`);
    if (parsed.type === "part") parts.set(parsed.id, parsed);
    if (parsed.type === "cell") {
      models.add(parsed.model);
      takes.set(takeOf(parsed.cell, parsed.model), []);
    }
    if (parsed.type === "turn") {
      const strange = parsed.asked.find((id) => !parts.has(id));
      if (strange !== undefined) throw new RangeError(`${at}: it names a part that no line before it has: ${strange}`);
      const take = takes.get(takeOf(parsed.cell, parsed.model));
      if (take === undefined) throw new RangeError(`${at}: its cell was not begun`);
      take.push(parsed);
    }
  }
  if (lines.length === 0) throw new RangeError("line 1: this is no recording of models");
  return { parts, takes, models: [...models], isCut: rest !== "" };
}

function parseLine(line: string): z.output<typeof Line> | undefined {
  try {
    const parsed = Line.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
