/** Reads traces that may come from anybody. */
import { z } from "zod";
import { contracts } from "../../agents/mod.ts";
import { Crew } from "../../agents/crews/mod.ts";
import { canonicalJson } from "../../core/mod.ts";
import { Scenario } from "../scenario/schema.ts";
import { type Trace, TRACE_SCHEMA, type TraceEvent } from "./event.ts";

/** A text that is no trace. */
export class TraceError extends Error {
  /** `TraceError` */
  override readonly name = "TraceError";
  /**
   * Says where it is wrong.
   *
   * @param line Number of the line, from 1.
   * @param what What is wrong with it.
   */
  constructor(readonly line: number, what: string) {
    super(`line ${line}: ${what}`);
  }
}

/**
 * Reads a trace that `writeTrace` has written. Whoever made the file is not trusted: everything outside an
 * event's `detail` fits its type afterwards, and a `detail` is JSON.
 *
 * @throws {TraceError} With the first line that is wrong.
 */
export function readTrace(text: string): Trace {
  if (text === "") throw new TraceError(1, "is not there: the file is empty");
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  else throw new TraceError(lines.length, "is cut off: a trace ends with a newline");
  const [header = "", ...rest] = lines;
  const parsed = Header.safeParse(parseLine(header, 1));
  if (!parsed.success) throw new TraceError(1, `is no header of a trace: ${issueOf(parsed.error)}`);
  const events = rest.map((line, i): TraceEvent => {
    const event = Event.safeParse(parseLine(line, i + 2));
    if (!event.success) throw new TraceError(i + 2, `is no event: ${issueOf(event.error)}`);
    if (event.data.seq !== i) throw new TraceError(i + 2, `has seq ${event.data.seq}, expected ${i}`);
    return event.data as TraceEvent;
  });
  return { ...parsed.data, events };
}

const Cell = z.strictObject({
  scenario: z.string(),
  variant: z.string().nullable(),
  lane: z.enum(["sim", "wire"]),
  subject: z.string(),
  model: z.string(),
  seed: z.string(),
  repeat: z.int().positive(),
});

const Header = z.strictObject({
  schema: z.literal(TRACE_SCHEMA, `the format's version must be ${TRACE_SCHEMA}`),
  cell: Cell,
  scenario: Scenario,
  crew: Crew,
});

const Event = z.strictObject({
  run: z.string(),
  seq: z.int(),
  t: z.number(),
  side: z.enum(["world", "subject", "bench"]),
  type: z.string(),
  span: z.string(),
  parent: z.string().exactOptional(),
  superstep: z.int().exactOptional(),
  worker: z.string().exactOptional(),
  packet: z.string().exactOptional(),
  outcome: z.string().exactOptional(),
  detail: z.record(z.string(), contracts.JsonValue),
});

function parseLine(line: string, number: number): unknown {
  try {
    const value = JSON.parse(line);
    // Bounds the depth, so that nothing that comes later runs out of stack.
    canonicalJson(value);
    return value;
  } catch (error) {
    throw new TraceError(number, error instanceof SyntaxError ? "is not JSON" : String(error));
  }
}

function issueOf({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.join(".") ?? "";
  return path === "" ? issue?.message ?? "" : `${path}: ${issue?.message}`;
}
