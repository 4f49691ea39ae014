/** The team that a scenario is run with: the crew that it names, with what the scenario says is different about it. */
import {
  type Crew,
  Crew as CrewSchema,
  crewProblems,
  CREWS,
  namesAlike,
  namesAlikeProblem,
} from "../../agents/crews/mod.ts";
import type { Json } from "../../core/mod.ts";
import { type At, check } from "./issues.ts";
import { type Problem, unknown } from "./problem.ts";
import type { Scenario } from "./schema.ts";

type Fields = { readonly [key: string]: Json };

/** What of a scenario decides about its team. */
export type Crewed = Pick<Scenario, "crew" | "crew_overrides">;

const merged = new WeakMap<object, Crew>();

/**
 * The team of a resolved scenario: one object for each scenario, however often it is asked for.
 *
 * @throws {RangeError} If there is no such crew, or what the scenario overrides makes no crew.
 */
export function crewOf(scenario: Crewed): Crew {
  const crew = CREWS.get(scenario.crew);
  if (crew === undefined) throw new RangeError(`no crew ${scenario.crew}`);
  const overrides = scenario.crew_overrides;
  if (overrides === undefined) return crew;
  const known = merged.get(overrides);
  if (known !== undefined) return known;
  const result = overriddenCrew(crew, overrides, (_, message) => ({ file: "", line: 0, column: 0, message }));
  if ("problems" in result) throw new RangeError(result.problems.map(({ message }) => message).join("; "));
  merged.set(overrides, result.value);
  return result.value;
}

/**
 * Lays overrides over a crew. A map is merged member by member, `null` takes a member away, and everything else is
 * replaced as a whole; `specialists` may be a map, too, by the name of each specialist that differs.
 *
 * @param at Places a path of the scenario in its file.
 * @returns The crew, held against the schema of crews and {@linkcode crewProblems}.
 */
export function overriddenCrew(
  crew: Crew,
  overrides: Fields,
  at: At,
): { value: Crew } | { problems: readonly Problem[] } {
  const { specialists, ...rest } = overrides;
  const isMap = isFields(specialists);
  const names = crew.specialists.map(({ name }) => name);
  const problems: Problem[] = Object.hasOwn(overrides, "name")
    ? [at(["crew_overrides", "name"], "a crew keeps its name; take this out", "key")]
    : [];
  if (isMap) {
    for (const name of Object.keys(specialists)) {
      if (names.includes(name)) continue;
      problems.push(at(["crew_overrides", "specialists", name], unknown("specialist", name, names), "key"));
    }
  }
  if (problems.length > 0) return { problems };
  const base: Fields = JSON.parse(JSON.stringify(crew));
  const team = isMap
    ? crew.specialists.map((one): Json =>
      merge(JSON.parse(JSON.stringify(one)), Object.hasOwn(specialists, one.name) ? specialists[one.name] ?? {} : {})
    )
    : specialists ?? base.specialists ?? [];
  const value: Json = { ...members(merge(base, rest)), specialists: team };
  const result = check(CrewSchema, value, (path, message, part) => {
    const [member, index, ...inner] = path;
    const named = isMap && member === "specialists" && index !== undefined ? names[Number(index)] : undefined;
    return at(["crew_overrides", ...named === undefined ? path : ["specialists", named, ...inner]], message, part);
  });
  if ("problems" in result) return result;
  // Of names that look alike the scenario's own rules speak: a scenario may be about them.
  const alike = namesAlike(result.value).map(namesAlikeProblem);
  const wrong = crewProblems(result.value).filter((problem) => !alike.includes(problem));
  if (wrong.length > 0) return { problems: wrong.map((message) => at(["crew_overrides"], message, "key")) };
  return result;
}

function merge(under: Json, over: Json): Json {
  if (!isFields(under) || !isFields(over)) return over;
  const merged = new Map(Object.entries(under));
  for (const [key, value] of Object.entries(over)) {
    if (value === null) merged.delete(key);
    else merged.set(key, merge(merged.get(key) ?? null, value));
  }
  return Object.fromEntries(merged);
}

function isFields(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function members(value: Json): Fields {
  return isFields(value) ? value : {};
}
