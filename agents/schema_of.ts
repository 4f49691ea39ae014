import type * as z from "zod";

/** Whether two types are the same, optional members included. */
type Same<A, B> = [A, B, keyof A, keyof B] extends [B, A, keyof B, keyof A] ? true : false;

/**
 * Takes a schema as the schema of a type that is written out, with a comment for each member. Does not compile unless
 * the type that is inferred from the schema is that very type, so that the two cannot drift apart.
 *
 * @example
 * ```ts
 * import * as z from "zod";
 * import { schemaOf } from "./schema_of.ts";
 *
 * type Point = { x: number; label?: string };
 * export const Point: z.ZodType<Point> = schemaOf<Point>()(
 *   z.strictObject({ x: z.number(), label: z.string().exactOptional() }),
 * );
 * // @ts-expect-error The schema does not know `label`.
 * schemaOf<Point>()(z.strictObject({ x: z.number() }));
 * ```
 */
export function schemaOf<T>(): <S extends z.ZodType>(
  schema: S & (Same<z.output<S>, T> extends true ? z.ZodType<T> : never),
) => z.ZodType<T> {
  return (schema) => schema;
}
