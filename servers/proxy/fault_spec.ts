/**
 * A fault on the command line, in one word:
 *
 *     fault[:tool][,key=value…]
 *
 * such as `black_hole:search`, `latency,ms=2s`, `stale:get_quote,age=90d` or `tool_error:search,first=2,message="no, not now"`.
 * Without a tool it is at the whole server. Keys are the fault's own parameters, and those of the schedule (`calls`,
 * `first`, `every`, `burst`, `probability`, `seed`, `from`, `until`), which can also be written `when.first` where a fault
 * has a parameter of that name. A value in double quotes or in brackets is JSON and may hold commas; a single value
 * stands for a list of one; a burst is `length/every`; times may also be in hours and days (`2h`, `90d`).
 */
import { nearest } from "../../core/mod.ts";
import type { z } from "zod";
import type { Fault, FaultEntry } from "../faults/fault.ts";
import { scheduleSchema } from "../faults/schedule.ts";
import { ProxyUsageError } from "./options.ts";

const SCHEDULE = ["calls", "first", "every", "burst", "probability", "seed", "from", "until"] as const;
const LONG = /^(\d+(?:\.\d+)?)([hd])$/;
const HOUR = 3_600_000;

/**
 * Reads a fault.
 *
 * @param server The server's name.
 * @param catalogue The faults that there are.
 * @throws {ProxyUsageError} Saying what is allowed instead.
 */
export function parseFaultSpec(spec: string, server: string, catalogue: ReadonlyMap<string, Fault>): FaultEntry {
  const [head = "", ...pairs] = splitPairs(spec);
  const colon = head.indexOf(":");
  const id = colon < 0 ? head : head.slice(0, colon);
  const tool = colon < 0 ? undefined : head.slice(colon + 1);
  const fail = (why: string): never => {
    throw new ProxyUsageError(`--fault ${JSON.stringify(spec)}: ${why}`);
  };
  const fault = catalogue.get(id) ?? fail(unknownFault(id, catalogue));
  if (!takesServer(fault)) return fail(`${id} is a fault of the model; a proxy has those of servers`);
  if (tool === "") return fail("no tool after the colon: leave both out to mean the whole server");
  if (tool !== undefined && !fault.applies.includes("tool")) {
    return fail(`${id} is at the whole server: leave out ":${tool}"`);
  }
  const shape: Readonly<Record<string, z.core.$ZodType | undefined>> = fault.entry.shape;
  const params = Object.keys(shape).filter((key) => !["fault", "at", "when"].includes(key));
  const entry: Record<string, unknown> = { fault: id, at: tool === undefined ? server : `${server}.${tool}` };
  const when: Record<string, unknown> = {};
  for (const pair of pairs) {
    const equals = pair.indexOf("=");
    const [key, value] = equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
    if (equals < 0) return fail(`${JSON.stringify(pair)} is not key=value`);
    const bare = key.replace(/^when\./, "");
    const ofSchedule = SCHEDULE.find((name) => name === bare);
    if (bare === key && params.includes(key)) {
      if (Object.hasOwn(entry, key)) return fail(`${key} is given twice`);
      const alone = { fault: id, at: entry.at };
      entry[key] = candidates(value).find((one) => fault.entry.safeParse({ ...alone, [key]: one }).success) ??
        literal(value);
    } else if (ofSchedule !== undefined) {
      if (Object.hasOwn(when, ofSchedule)) return fail(`${ofSchedule} is given twice`);
      when[ofSchedule] = ofSchedule === "burst" ? burst(value) : candidates(value, true).find(fits(ofSchedule)) ??
        literal(value);
    } else {
      const near = nearest(bare, [...params, ...SCHEDULE]);
      const own = params.length === 0 ? "no parameters" : `the parameters ${params.join(", ")}`;
      return fail(
        `${id} has no parameter ${JSON.stringify(key)}${
          near === undefined ? "" : ` (did you mean "${near}"?)`
        }: it has ` +
          `${own}, and the schedule's ${SCHEDULE.join(", ")}`,
      );
    }
  }
  const parsed = fault.entry.safeParse(Object.keys(when).length === 0 ? entry : { ...entry, when });
  if (!parsed.success) return fail(issuesOf(parsed.error));
  return parsed.data;
}

/** An entry as {@linkcode parseFaultSpec} takes it. */
export function formatFaultSpec({ fault, at, when = {}, ...params }: FaultEntry): string {
  const dot = at.indexOf(".");
  const pairs = [
    ...Object.entries(params).map(([key, value]) => [key, value] as const),
    ...Object.entries(when).map(([key, value]) => [Object.hasOwn(params, key) ? `when.${key}` : key, value] as const),
  ];
  const place = dot < 0 ? fault : `${fault}:${at.slice(dot + 1)}`;
  return [place, ...pairs.map(([key, value]) => `${key}=${formatValue(value)}`)].join(",");
}

/** A value of an entry as a word: as it is where that is clear, else as JSON. */
export function formatValue(value: unknown): string {
  return typeof value === "string" && /^[^",[\]{}\s]+$/.test(value) ? value : JSON.stringify(value) ?? "";
}

/** Whether a fault can be at a server: those of the model cannot. */
export function takesServer({ applies }: Fault): boolean {
  return applies.some((place) => place !== "agent");
}

/** What is wrong with a fault's name. */
export function unknownFault(id: string, catalogue: ReadonlyMap<string, Fault>): string {
  const near = nearest(id, catalogue.keys());
  return `unknown fault ${JSON.stringify(id)}${near === undefined ? "" : ` (did you mean "${near}"?)`}; ` +
    "bench faults lists them";
}

/** What is wrong with an entry, in one line. */
export function issuesOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => path.length === 0 ? message : `${path.join(".")}: ${message}`).join(
    "; ",
  );
}

/** Splits at commas that are in no quotes and no brackets. */
function splitPairs(spec: string): string[] {
  const parts = [""];
  let [depth, quoted, escaped] = [0, false, false];
  for (const char of spec) {
    const plain = !quoted && depth === 0;
    if (char === "," && plain) {
      parts.push("");
      continue;
    }
    if (quoted) {
      if (escaped) escaped = false;
      else if (char === "\\") escaped = true;
      else if (char === '"') quoted = false;
    } else if (char === '"' && (depth > 0 || (parts.at(-1) ?? "").endsWith("="))) quoted = true;
    else if ("[{".includes(char) && (depth > 0 || (parts.at(-1) ?? "").endsWith("="))) depth++;
    else if ("]}".includes(char) && depth > 0) depth--;
    parts[parts.length - 1] += char;
  }
  return parts;
}

/** What a value may mean, the likeliest first; the schema chooses. */
function candidates(value: string, numbersFirst = false): unknown[] {
  const json = literal(value);
  const [, amount, unit] = LONG.exec(value) ?? [];
  const long = amount === undefined ? [] : [Number(amount) * (unit === "d" ? 24 * HOUR : HOUR)];
  const plain = value.startsWith('"') || numbersFirst ? [json, value] : [value, json];
  return [...plain, ...long, [json], [value]];
}

function literal(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function fits(key: (typeof SCHEDULE)[number]): (value: unknown) => boolean {
  // A seed alone is refused, whatever it is.
  const rest = key === "seed" ? { probability: 0.5 } : {};
  return (value) => scheduleSchema.safeParse({ [key]: value, ...rest }).success;
}

function burst(value: string): unknown {
  const [, length, every] = /^(\d+)\/(\d+)$/.exec(value) ?? [];
  return length === undefined ? literal(value) : { length: Number(length), every: Number(every) };
}
