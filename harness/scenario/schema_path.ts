/** Finds the part of a zod schema that a path of a value leads to, which is what knows the keys that are allowed there. */
import * as z from "zod";
import type { Json } from "../../core/mod.ts";
import type { Path } from "./source.ts";

/** The schema at a path, or `undefined` where the path leaves the schema. */
export function schemaAt(schema: z.core.$ZodType, path: Path, value: Json | undefined): z.core.$ZodType | undefined {
  let [current, here]: [z.core.$ZodType | undefined, Json | undefined] = [schema, value];
  for (const segment of path) {
    if (current === undefined) return undefined;
    current = step(choose(current, here), segment);
    here = childOf(here, segment);
  }
  return current;
}

/** The keys that a schema allows in a value: for a union, those of the alternative that the value is meant for. */
export function fieldsOf(schema: z.core.$ZodType | undefined, value: Json | undefined): string[] {
  const chosen = schema === undefined ? undefined : choose(schema, value);
  return chosen instanceof z.ZodObject ? Object.keys(chosen.shape) : [];
}

function step(schema: z.core.$ZodType, segment: PropertyKey): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodObject) {
    return new Map<PropertyKey, z.core.$ZodType>(Object.entries(schema.shape)).get(segment);
  }
  if (schema instanceof z.ZodRecord) return schema.valueType;
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodTuple) return schema.def.items[Number(segment)];
  return undefined;
}

/** Takes wrappers off, and chooses among alternatives. */
function choose(schema: z.core.$ZodType, value: Json | undefined): z.core.$ZodType {
  if (
    schema instanceof z.ZodOptional || schema instanceof z.ZodExactOptional || schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault
  ) return choose(schema.def.innerType, value);
  if (schema instanceof z.ZodUnion && !(schema instanceof z.ZodDiscriminatedUnion)) {
    const meant = schema.def.options.find((option) => isOfKind(choose(option, value), value));
    return meant === undefined ? schema : choose(meant, value);
  }
  if (schema instanceof z.ZodPipe) return choose(schema.def.in, value);
  if (schema instanceof z.ZodLazy) return choose(schema.def.getter(), value);
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const key = schema.def.discriminator;
    const meant = schema.def.options.find((option) =>
      z.safeParse(step(choose(option, value), key) ?? z.never(), childOf(value, key)).success
    );
    return meant === undefined ? schema : choose(meant, value);
  }
  return schema;
}

/** Whether a value is of a schema's kind, a map or not a map: all that the alternatives of a plain union differ in. */
function isOfKind(schema: z.core.$ZodType, value: Json | undefined): boolean {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMap === (schema instanceof z.ZodObject || schema instanceof z.ZodRecord);
}

function childOf(value: Json | undefined, segment: PropertyKey): Json | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return new Map<string, Json>(Object.entries(value)).get(String(segment));
}
