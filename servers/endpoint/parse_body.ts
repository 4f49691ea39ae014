import type { z } from "zod";
import { BadRequestError } from "./api.ts";

/**
 * Reads a body, or a part of one, and says of what is wrong where and why.
 *
 * @param at Where the part is in the body.
 * @throws {BadRequestError} If it does not fit.
 */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown, at = ""): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 3);
  const said = issues.map(({ path, message }) =>
    `${[...(at === "" ? [] : [at]), ...path].join(".") || "the body"}: ${message}`
  );
  const param = (issues[0]?.path ?? []).reduce<string>(
    (place, key) =>
      typeof key === "number" ? `${place}[${key}]` : place === "" ? String(key) : `${place}.${String(key)}`,
    at,
  );
  throw new BadRequestError(said.join("; "), param === "" ? {} : { param });
}
