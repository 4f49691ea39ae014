/** Reads scenario files. Every problem says where it is. */
import { basename, dirname, join } from "node:path/posix";
import type { Json } from "../../core/mod.ts";
import { check } from "./issues.ts";
import { quote, type Result, tidy } from "./problem.ts";
import { ScenarioFile, WorldFile } from "./schema.ts";
import { readSource, type Source } from "./source.ts";

/** A file that fits its schema, and the places of its parts. */
export interface Parsed<T> {
  /** The file. */
  readonly source: Source;
  /** What it says. */
  readonly content: T;
}

/** A scenario file and the world file that it names. */
export interface Loaded extends Parsed<ScenarioFile> {
  /** The world file; `null` where none is named. */
  readonly world: Parsed<WorldFile> | null;
}

/** What could be made out of a file, whether or not it is sound: enough to select it. */
export interface Headed {
  /** Its `name`, or else the file's. */
  readonly name: string;
  /** Its `crew`, or else the folder's name. */
  readonly crew: string;
  /** The scenario, or what is wrong with its file. */
  readonly result: Result<Loaded>;
}

/**
 * Reads a scenario file and its world.
 *
 * @param path Where it is.
 * @param file What problems call it.
 */
export async function loadScenario(path: string, file: string = path): Promise<Result<Loaded>> {
  return (await loadHeaded(path, file)).result;
}

/** {@linkcode loadScenario}, with name and crew of a file even if it is not sound. */
export async function loadHeaded(path: string, file: string): Promise<Headed> {
  const read = await readSource(path, file);
  return headed(read, path, read.ok ? await readWorld(read.value, path) : NO_WORLD);
}

/** A world file, read; `null` where none is named. */
type World = Result<Source | null>;

const NO_WORLD: World = { ok: true, value: null };

/** {@linkcode loadHeaded} of files that have been read: the scenario, and the world that it names. */
export function headed(read: Result<Source>, path: string, place: World): Headed {
  const head = (key: string, otherwise: string) => text(read.ok ? read.value.value[key] : undefined) ?? otherwise;
  const name = head("name", basename(path).replace(/\.ya?ml$/, ""));
  const crew = head("crew", basename(dirname(path)));
  if (!read.ok) return { name, crew, result: read };
  const source = read.value;
  const parsed = parse(ScenarioFile, source);
  const world = place.ok ? place.value === null ? NO_PARSED_WORLD : parse(WorldFile, place.value) : place;
  const problems = [parsed, world].flatMap((part) => part.ok ? [] : part.problems);
  if (!parsed.ok || !world.ok) return { name, crew, result: { ok: false, problems: tidy(problems) } };
  return { name, crew, result: { ok: true, value: { ...parsed.value, world: world.value } } };
}

const NO_PARSED_WORLD: Result<Parsed<WorldFile> | null> = { ok: true, value: null };

async function readWorld(source: Source, path: string): Promise<World> {
  const name = text(source.value.world);
  if (name === undefined) return NO_WORLD;
  // A plain name: a scenario must not make the bench read files elsewhere.
  if (!/^[^/\\:]+\.ya?ml$/.test(name)) {
    const message = `world ${quote(name)} is not the name of a .yaml file in this folder, such as _world.yaml`;
    return { ok: false, problems: [source.problem(["world"], message)] };
  }
  const beside = join(dirname(path), name);
  if (!await exists(beside)) {
    return { ok: false, problems: [source.problem(["world"], `world ${quote(name)} does not exist in this folder`)] };
  }
  return await readSource(beside, join(dirname(source.file), name));
}

function parse<T>(schema: Parameters<typeof check<T>>[0], source: Source): Result<Parsed<T>> {
  const result = check(schema, source.value, (path, message, part) => source.problem(path, message, part));
  if ("problems" in result) return { ok: false, problems: tidy(result.problems) };
  return { ok: true, value: { source, content: result.value } };
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    // Anything else is for the reader to explain.
    return !(error instanceof Deno.errors.NotFound);
  }
}

const text = (value: Json | undefined): string | undefined => typeof value === "string" ? value : undefined;
