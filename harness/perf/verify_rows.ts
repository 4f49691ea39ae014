/** Rows of labelled claims, as JSON Lines. */
import * as z from "zod";

/** A claim, what it should rest on, and whether people found that it does. Other members are passed over. */
const Row = z.object({
  id: z.string(),
  /** The title of the table that the evidence is from: a piece of evidence. */
  caption: z.string().optional(),
  evidence: z.array(z.string()),
  claim: z.string(),
  label: z.enum(["supported", "unsupported"]),
});

/** One row of a file. */
export type VerifyRow = z.infer<typeof Row>;

const ALLOWED = `{id: string, evidence: string[], claim: string, label: "supported" | "unsupported", …}`;

/** Input that cannot be used; the message is one line, `file:line what, what is allowed`. */
export class RowsError extends Error {
  override name = "RowsError";
}

/**
 * Reads the rows of one file. Empty lines are passed over.
 *
 * @throws {RowsError} At the first line that is no row, and for a file without rows.
 */
export function parseRows(file: string, text: string): VerifyRow[] {
  const rows = text.split("\n").flatMap((line, i) => line.trim() === "" ? [] : [parseRow(`${file}:${i + 1}`, line)]);
  if (rows.length === 0) throw new RowsError(`${file}:1 has no rows; a row is ${ALLOWED}`);
  return rows;
}

function parseRow(place: string, line: string): VerifyRow {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new RowsError(`${place} is not JSON; a row is ${ALLOWED}`);
  }
  const { data, error } = Row.safeParse(value);
  if (data !== undefined) return data;
  const issue = error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? "the row" : issue.path.join(".");
  throw new RowsError(`${place} ${where}: ${issue?.message ?? "is wrong"}; a row is ${ALLOWED}`);
}
