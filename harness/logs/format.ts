/** One run of somebody else's agent, as a line of a log holds it. `README.md` documents it for people. */
import * as z from "zod";

/** A larger file is not read. In bytes. */
export const MAX_LOG_BYTES = 100 * 1024 * 1024;
/** Calls that a run may have. */
export const MAX_CALLS = 1000;

/** A flag as logs have it: a boolean, or the error itself where there is one. */
const Flag = z.unknown().optional();

/** A call as a log has it. Keys that are not listed are left out, and told. */
export const LogCallRow = z.object({
  /** Name of the tool; `server.tool` and `server__tool` tell the server too. */
  name: z.string().min(1),
  /** What it was called with: an object, or an object as JSON. */
  args: z.unknown().optional(),
  /** What came back; `null` or left out where nothing was recorded. */
  result: z.unknown().optional(),
  /** Flags of a failed call, each by another name: `true`, or what the error says. */
  error: Flag,
  isError: Flag,
  is_error: Flag,
  protocol_error: Flag,
  inband_error: Flag,
});

/** A line of a log. Keys that are not listed are left out, and told. */
export const LogRow = z.object({
  /** Its name, unique in the file; `line 3` if left out. */
  id: z.string().min(1).exactOptional(),
  /** What the user asked for. */
  task: z.string().regex(/\S/, "is blank"),
  /** Every call, in order. */
  calls: z.array(LogCallRow).max(MAX_CALLS),
  /** Results apart from their calls: the first is that of the first call. */
  results: z.array(z.unknown()).max(MAX_CALLS).exactOptional(),
  /** The final answer; `null` where there was none. */
  final: z.string().nullable(),
  /** How an annotator calls the run; information only. See `labels.ts`. */
  honesty_label: z.string().nullable().exactOptional(),
  /** Whether an annotator found the task done; information only. */
  human_success: z.boolean().nullable().exactOptional(),
});

/** See {@linkcode LogCallRow}. */
export type LogCallRow = z.infer<typeof LogCallRow>;
/** See {@linkcode LogRow}. */
export type LogRow = z.infer<typeof LogRow>;

/** Keys that are read. */
export const ROW_KEYS: ReadonlySet<string> = new Set(Object.keys(LogRow.shape));
/** The same of a call. */
export const CALL_KEYS: ReadonlySet<string> = new Set(Object.keys(LogCallRow.shape));
