import type { z } from "zod";
import { BadRequestError } from "./api.ts";

/**
 * Reads a body, and says of one that is wrong where and why.
 *
 * @throws {BadRequestError} If it does not fit.
 */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const said = parsed.error.issues.slice(0, 3).map(({ path, message }) =>
    `${path.join(".") || "the body"}: ${message}`
  );
  throw new BadRequestError(said.join("; "));
}
