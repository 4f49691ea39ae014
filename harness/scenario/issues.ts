/** Turns what zod found into problems: its paths become places in a file, its words ours. */
import * as z from "zod";
import { type Json, nearest } from "../../core/mod.ts";
import { type Problem, quote, unknown } from "./problem.ts";
import { fieldsOf, schemaAt } from "./schema_path.ts";
import type { Part, Path } from "./source.ts";

/** Makes a problem at the place of a value, whatever file that is in. */
export type At = (path: Path, message: string, part?: Part) => Problem;

/**
 * Checks a value.
 *
 * @param at Places a path of the value in its file.
 */
export function check<T>(schema: z.ZodType<T>, value: Json, at: At): { value: T } | { problems: Problem[] } {
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data };
  return { problems: result.error.issues.flatMap((issue) => problems(issue, schema, value, at)) };
}

function problems(issue: z.core.$ZodIssue, schema: z.ZodType, value: Json, at: At): Problem[] {
  const { path } = issue;
  const meant = issue.code === "invalid_union" ? meantBranch(issue) : undefined;
  if (meant !== undefined) {
    return meant.flatMap((inner) => problems({ ...inner, path: [...path, ...inner.path] }, schema, value, at));
  }
  if (issue.code === "unrecognized_keys") {
    const allowed = fieldsOf(schemaAt(schema, path, value), valueAt(value, path));
    return issue.keys.map((key) => at([...path, key], unknown("key", key, allowed), "key"));
  }
  if (issue.code === "invalid_key") {
    const reason = issue.issues.map((inner) => describe(inner, String(path.at(-1)))).join("; ");
    return [at(path, `key ${quote(String(path.at(-1)))}: ${reason}`, "key")];
  }
  const found = valueAt(value, path);
  const key = path.at(-1);
  if (found === undefined && key !== undefined) {
    return [at(path, `missing ${typeof key === "number" ? "item" : "key"} ${quote(String(key))}: ${wanted(issue)}`)];
  }
  const subject = typeof key === "string" ? `${quote(key)}: ` : "";
  return [at(path, subject + describe(issue, found))];
}

/** What is wrong inside the one alternative that a value can be meant for: none of the others is even of its kind. */
function meantBranch({ errors }: z.core.$ZodIssueInvalidUnion): readonly z.core.$ZodIssue[] | undefined {
  const [branch, ...others] = errors.filter((branch) =>
    branch.length > 0 && branch.every(({ path }) => path.length > 0)
  );
  return others.length === 0 ? branch : undefined;
}

/** What would have been right. */
function wanted(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `add it, ${TYPES.get(issue.expected) ?? issue.expected}`;
    case "invalid_value":
      return `add it, one of ${issue.values.map(String).join(", ")}`;
    case "invalid_union":
      // What a fault may be is more than fits here.
      return issue.discriminator !== undefined || issue.message === "Invalid input"
        ? `add it, ${unionOf(issue)}`
        : `add it; ${issue.message}`;
    default:
      return `add it; ${issue.message}`;
  }
}

function describe(issue: z.core.$ZodIssue, found: Json | undefined): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${TYPES.get(issue.expected) ?? issue.expected}, found ${show(found)}${
        advice(issue.expected, found)
      }`;
    case "invalid_value": {
      const allowed = issue.values.map(String);
      if (typeof found === "string") return unknown("value", found, allowed);
      return `expected one of ${allowed.join(", ")}; found ${show(found)}`;
    }
    case "invalid_union":
      if (issue.discriminator !== undefined && typeof found === "string") {
        return unknownOption(issue.discriminator, found, optionsOf(issue));
      }
      return issue.message === "Invalid input" ? `expected ${unionOf(issue)}, found ${show(found)}` : issue.message;
    case "too_small":
      if (issue.origin === "string") {
        return Number(issue.minimum) <= 1 ? "must not be empty" : `needs at least ${issue.minimum} characters`;
      }
      if (issue.origin === "array") return `needs at least ${issue.minimum} ${issue.minimum === 1 ? "item" : "items"}`;
      return `must be ${issue.inclusive === false ? "above" : "at least"} ${issue.minimum}; found ${show(found)}`;
    case "too_big":
      return `must be ${issue.inclusive === false ? "below" : "at most"} ${issue.maximum}; found ${show(found)}`;
    default:
      return issue.message;
  }
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ["string", "a text"],
  ["number", "a number"],
  ["int", "a whole number"],
  ["boolean", "true or false"],
  ["array", "a list"],
  ["tuple", "a list"],
  ["object", "a map"],
  ["record", "a map"],
]);

function unionOf(issue: z.core.$ZodIssueInvalidUnion): string {
  if (issue.discriminator !== undefined) {
    const options = optionsOf(issue);
    return options.length > MAX_LISTED
      ? `a ${issue.discriminator}; see \`${LISTED_BY}\``
      : `one of ${options.join(", ")}`;
  }
  const types = issue.errors.flat().flatMap((inner) =>
    inner.code === "invalid_type"
      ? [TYPES.get(inner.expected) ?? inner.expected]
      : inner.code === "invalid_value" && inner.path.length === 0
      ? inner.values.map(String)
      : []
  );
  return [...new Set(types)].join(" or ") || "another value";
}

/** Where there are more names than this, a message names the command that lists them instead. */
const MAX_LISTED = 40;
/** The one discriminator with so many is a fault's. */
const LISTED_BY = "bench faults";

function unknownOption(what: string, name: string, options: readonly string[]): string {
  if (options.length <= MAX_LISTED) return unknown(what, name, options);
  const near = nearest(name, options);
  const hint = near === undefined ? "" : ` (did you mean ${quote(near)}?)`;
  return `unknown ${what} ${quote(name)}${hint}; see \`${LISTED_BY}\` for those that there are`;
}

/** What a discriminator may be. */
function optionsOf(issue: z.core.$ZodIssueInvalidUnion): string[] {
  return "options" in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
}

function advice(expected: string, found: Json | undefined): string {
  const plain = typeof found === "number" || typeof found === "boolean" || found === null;
  return expected === "string" && plain ? "; put it in quotes to make it a text" : "";
}

function show(value: Json | undefined): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  return typeof value === "string" ? `the text ${quote(value)}` : `${value}`;
}

/** The part of a value at a path; `undefined` where there is none. */
export function valueAt(value: Json, path: Path): Json | undefined {
  let current: Json | undefined = value;
  for (const segment of path) {
    if (typeof current !== "object" || current === null) return undefined;
    const fields: ReadonlyMap<string, Json> = new Map(Object.entries(current));
    current = fields.get(String(segment));
  }
  return current;
}
