/** What a run is made of, so that it goes on only as what it was begun as. */
import { digest } from "../../core/mod.ts";
import * as z from "zod";

/** What was asked for. Everything by which the cells of a run, or what is kept of them, could differ. */
export const RunPlan = z.strictObject({
  /** Digest of the bench's own code. */
  code: z.string(),
  /** Digest of the subject's own files, where it is no part of the bench. */
  subject: z.string().optional(),
  /** Digest of each resolved scenario, by its name with its variant's. */
  scenarios: z.record(z.string(), z.string()),
  /** Options that matter, as they were typed. */
  options: z.record(z.string(), z.string()),
  /** How many cells there are. */
  cells: z.int().min(0),
});

/** See {@linkcode RunPlan}. */
export type RunPlan = z.infer<typeof RunPlan>;

/** Most scenarios that are named. */
const MAX_NAMED = 3;

/** One text for everything: two runs with the same one are the same run. */
export function fingerprintOf(plan: RunPlan): string {
  return digest(plan).slice(0, 16);
}

/**
 * Says what differs, a sentence each.
 *
 * @param then What the run was begun as.
 * @param now What it would go on as.
 */
export function differences(then: RunPlan, now: RunPlan): string[] {
  const [was, is] = [then.scenarios, now.scenarios].map((one) => new Map(Object.entries(one)));
  const [old, fresh] = [was ?? new Map(), is ?? new Map()];
  const changed = changedScenarios(then, now);
  const added = [...fresh.keys()].filter((name) => !old.has(name));
  const gone = [...old.keys()].filter((name) => !fresh.has(name));
  const options = [...new Set([...Object.keys(then.options), ...Object.keys(now.options)])].sort().flatMap((name) => {
    const [before, after] = [valueOf(then, name), valueOf(now, name)];
    return before === after ? [] : [`--${name} was ${before ?? "not given"} and is ${after ?? "not given"}`];
  });
  return [
    ...options,
    ...named(changed, "has changed", "have changed"),
    ...named(gone, "is no longer selected", "are no longer selected"),
    ...named(added, "was not selected then", "were not selected then"),
    ...(then.subject === now.subject ? [] : ["the subject's program has changed"]),
    ...(then.code === now.code ? [] : ["the bench's own code has changed"]),
    ...(then.cells === now.cells || changed.length + added.length + gone.length + options.length > 0
      ? []
      : [`there were ${then.cells} cells and are ${now.cells}`]),
  ];
}

/** Names of the scenarios that are not what they were. */
export function changedScenarios(then: RunPlan, now: RunPlan): string[] {
  const old = new Map(Object.entries(then.scenarios));
  return Object.entries(now.scenarios).filter(([name, hash]) => old.has(name) && old.get(name) !== hash)
    .map(([name]) => name);
}

/** A switch that is given has no value. */
function valueOf({ options }: RunPlan, name: string): string | undefined {
  return Object.hasOwn(options, name) ? options[name] || "given" : undefined;
}

function named(names: readonly string[], one: string, many: string): string[] {
  if (names.length === 0) return [];
  if (names.length === 1) return [`scenario ${names[0]} ${one}`];
  const left = names.length - MAX_NAMED;
  const list = names.slice(0, MAX_NAMED).join(", ") + (left > 0 ? ` and ${left} more` : "");
  return [`scenarios ${list} ${many}`];
}
