/** Makes of a scenario file, its world and one of its variants the one thing that a cell runs. */
import * as z from "zod";
import { JsonValue } from "../../agents/contracts.ts";
import { type Crew, CREWS } from "../../agents/crews/mod.ts";
import type { Json } from "../../core/mod.ts";
import { FIXTURES } from "../../servers/mod.ts";
import { type At, check } from "./issues.ts";
import type { Loaded } from "./load.ts";
import { mentions } from "./mentions.ts";
import { formatProblem, type Problem, quote, type Result, tidy, unknown } from "./problem.ts";
import { crewOf, overriddenCrew } from "./crew.ts";
import { expand, type Expansion } from "./expand.ts";
import type { Scenario, Variant } from "./schema.ts";
import { validateScenario } from "./validate.ts";
import { groupOf, variantsIn } from "./variants.ts";

const Data = z.record(z.string(), JsonValue);

/**
 * Resolves and validates a scenario and its variants.
 *
 * @param wanted Names of variants, `null` for the scenario itself. If not given: the scenario, then each variant that is
 * written out, in the order of the file. Whatever is wanted, those are validated.
 * @returns What is wanted, or every problem of any of them.
 */
export function resolveAll(loaded: Loaded, wanted?: readonly (string | null)[]): Result<readonly Scenario[]> {
  const written = [null, ...variantsIn(loaded.content).written.keys()];
  const names = [...new Set([...written, ...wanted ?? []])];
  const results = names.map((name) => [name, resolve(loaded, name)] as const);
  const problems = new Map<string, Problem>();
  for (const [name, result] of results) {
    for (const problem of result.ok ? [] : result.problems) {
      const key = formatProblem(problem);
      // What is wrong with the scenario itself is told once; what only a variant makes wrong names it.
      if (problems.has(key)) continue;
      const message = name === null ? problem.message : `${problem.message} (in variant ${quote(name)})`;
      problems.set(name === null ? key : `${name} ${key}`, { ...problem, message });
    }
  }
  if (problems.size > 0) return { ok: false, problems: tidy([...problems.values()]) };
  return {
    ok: true,
    value: results.flatMap(([name, result]) => result.ok && (wanted ?? written).includes(name) ? [result.value] : []),
  };
}

const expansions = new WeakMap<Loaded, Map<string, Result<Expansion>>>();

/**
 * What a group of a scenario's variants stands for.
 *
 * @returns The expansion, or what is wrong with the scenario itself.
 * @throws {RangeError} If there is no such group.
 */
export function expansionOf(loaded: Loaded, group: string): Result<Expansion> {
  if (!variantsIn(loaded.content).groups.includes(group)) missing(group);
  const known = expansions.get(loaded) ?? new Map<string, Result<Expansion>>();
  expansions.set(loaded, known);
  const made = known.get(group) ?? expanded(loaded, group);
  known.set(group, made);
  return made;
}

function expanded(loaded: Loaded, group: string): Result<Expansion> {
  const base = resolve(loaded, null);
  if (!base.ok) return base;
  return { ok: true, value: expand(base.value, crewOf(base.value), group) };
}

function resolveExpanded(loaded: Loaded, name: string, group: string): Result<Scenario> {
  const expansion = expansionOf(loaded, group);
  if (!expansion.ok) return expansion;
  return { ok: true, value: expansion.value.scenarios.find(({ variant }) => variant === name) ?? missing(name) };
}

/**
 * Resolves and validates one variant of a scenario, or with `null` the scenario itself.
 *
 * World, scenario and variant are laid over each other: servers, canaries and script key by key, everything else as a
 * whole. Each server of the crew gets its data in full, its fixture's defaults included.
 *
 * @throws {RangeError} If there is no such variant.
 */
export function resolve(loaded: Loaded, name: string | null): Result<Scenario> {
  const group = name === null ? undefined : groupOf(name);
  if (name !== null && group !== undefined) return resolveExpanded(loaded, name, group);
  const { source, content: { world: _, variants: _variants, operator, user, ...base } } = loaded;
  const variant: Variant = name === null ? {} : variantsIn(loaded.content).written.get(name) ?? missing(name);
  const named = CREWS.get(base.crew);
  if (named === undefined) {
    return { ok: false, problems: [source.problem(["crew"], unknown("crew", base.crew, CREWS.keys()))] };
  }
  const layers = new Layers(loaded, name, variant);
  const overrides = variant.crew_overrides ?? base.crew_overrides;
  const team = overrides === undefined ? { value: named } : overriddenCrew(named, overrides, layers.at);
  if ("problems" in team) return { ok: false, problems: team.problems };
  const crew = team.value;
  const { servers, problems } = fillIn(crew, layers);
  if (problems.length > 0) return { ok: false, problems };
  const scenario: Scenario = {
    ...base,
    variant: name,
    story: variant.story ?? base.story,
    servers,
    canaries: layers.canaries(servers),
    script: { ...base.script, ...variant.script },
    faults: variant.faults ?? base.faults,
    expect: variant.expect ?? base.expect,
    ...given("operator", variant.operator === undefined ? operator : variant.operator ?? undefined),
    ...given("user", variant.user === undefined ? user : variant.user ?? undefined),
    ...given("interrupts", variant.interrupts ?? base.interrupts),
    ...given("model_via", variant.model_via ?? base.model_via),
    ...given("crew_overrides", overrides),
  };
  const found = validateScenario(scenario, crew, layers.at);
  return found.length > 0 ? { ok: false, problems: found } : { ok: true, value: scenario };
}

/** A member, where there is a value for it: what nobody has written stands in no trace. */
function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : { [key]: value } as { [P in K]: V };
}

/** The data of each server of the crew, defaults filled in. */
function fillIn(crew: Crew, layers: Layers): { servers: Scenario["servers"]; problems: Problem[] } {
  const given = new Map<string, Json>(Object.entries(layers.servers()));
  const problems = [...given.keys()].filter((server) => !crew.servers.includes(server)).map((server) =>
    layers.at(["servers", server], unknown("server", server, crew.servers), "key")
  );
  const servers: Scenario["servers"] = {};
  for (const server of crew.servers) {
    const fixture = FIXTURES.get(server);
    if (fixture === undefined) throw new Error(`crew ${crew.name} has a server without a fixture: ${server}`);
    const at: At = (path, message, part) => layers.at(["servers", server, ...path], message, part);
    const result = check(fixture.data, given.get(server) ?? {}, at);
    if ("problems" in result) problems.push(...result.problems);
    else servers[server] = Data.parse(result.value);
  }
  return { servers, problems };
}

/** Variant over scenario over world, and which of them a part comes from. */
class Layers {
  constructor(
    private readonly loaded: Loaded,
    private readonly name: string | null,
    private readonly variant: Variant,
  ) {}

  servers(): Scenario["servers"] {
    const { content, world } = this.loaded;
    return { ...world?.content.servers, ...content.servers, ...this.variant.servers };
  }

  /**
   * A canary belongs to the data beside it: where a layer above replaces a server's data and the value is not in the new
   * data, the canary is gone with the old.
   */
  canaries(servers: Scenario["servers"]): Scenario["canaries"] {
    const { content, world } = this.loaded;
    const kept = (canaries: Scenario["canaries"], above: readonly (Scenario["servers"] | undefined)[]) =>
      Object.entries(canaries).filter(([canary, tool]) => {
        const [server = ""] = tool.split(".");
        const replaced = above.some((layer) => layer !== undefined && Object.hasOwn(layer, server));
        return !replaced || mentions(servers[server] ?? null, canary) > 0;
      });
    return Object.fromEntries([
      ...kept(world?.content.canaries ?? {}, [content.servers, this.variant.servers]),
      ...kept(content.canaries, [this.variant.servers]),
    ]);
  }

  /** A problem at a path of the resolved scenario, in the file and layer where that part is written. */
  readonly at: At = (path, message, part) => {
    const { source, world, content } = this.loaded;
    const [key, inner] = path.map(String);
    const has = (layer: { readonly [key: string]: unknown } | undefined | null) => {
      const field = layer && key !== undefined && Object.hasOwn(layer, key) ? layer[key] : undefined;
      if (field === undefined || key !== "servers" && key !== "canaries" && key !== "script") {
        return field !== undefined;
      }
      return typeof field === "object" && field !== null && inner !== undefined && Object.hasOwn(field, inner);
    };
    if (this.name !== null && has(this.variant)) return source.problem(["variants", this.name, ...path], message, part);
    if (!has(content) && has(world?.content) && world) return world.source.problem(path, message, part);
    return source.problem(path, message, part);
  };
}

function missing(variant: string): never {
  throw new RangeError(`no variant ${variant}`);
}
