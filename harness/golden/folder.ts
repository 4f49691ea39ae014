/** The folder of goldens: `<crew>/<scenario>.json`, and the table of them all. */
import { join } from "node:path/posix";
import { writeWhole } from "../artefacts.ts";
import type { Problem } from "../scenario/problem.ts";
import { parseGolden, renderGolden } from "./file.ts";
import type { Golden } from "./schema.ts";
import { renderTable } from "./table.ts";

/** Name of the table's file. */
export const TABLE = "README.md";

/** A file of the folder. */
export interface GoldenFile {
  /** Path inside the folder. */
  readonly name: string;
  /** What people call it. */
  readonly file: string;
  /** What it holds, line ends as they are written. */
  readonly text: string;
  /** The golden; `undefined` where the file holds none. */
  readonly golden: Golden | undefined;
}

/** A folder of goldens as it was read. */
export interface GoldenFolder {
  /** By path inside the folder, sorted. */
  readonly files: ReadonlyMap<string, GoldenFile>;
  /** Text of the table; `undefined` if there is none. */
  readonly table: string | undefined;
  /** What is wrong with files that hold no golden. */
  readonly problems: readonly Problem[];
}

/** Path of a golden inside the folder. */
export const pathOf = ({ crew, scenario }: Pick<Golden, "crew" | "scenario">): string => `${crew}/${scenario}.json`;

/**
 * Reads a folder of goldens. One that does not exist is an empty one.
 *
 * @param called What people call the folder.
 */
export async function readGoldens(folder: string, called: string): Promise<GoldenFolder> {
  const files = new Map<string, GoldenFile>();
  const problems: Problem[] = [];
  for (const name of (await filesUnder(folder)).sort()) {
    if (name === TABLE || !name.endsWith(".json")) continue;
    const file = join(called, name);
    // A checkout may have other line ends; they mean nothing.
    const text = (await Deno.readTextFile(join(folder, name))).replaceAll("\r\n", "\n");
    const parsed = parseGolden(text, file);
    if (!parsed.ok) problems.push(...parsed.problems);
    else if (pathOf(parsed.value) !== name) {
      problems.push({
        file,
        line: 1,
        column: 1,
        message: `is the golden of ${pathOf(parsed.value)}; move or delete it`,
      });
    }
    files.set(name, { name, file, text, golden: parsed.ok ? parsed.value : undefined });
  }
  const table = await Deno.readTextFile(join(folder, TABLE)).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  });
  return { files, table: table?.replaceAll("\r\n", "\n"), problems };
}

/** What {@linkcode writeGoldens} has done, as paths inside the folder. */
export interface Written {
  readonly written: readonly string[];
  readonly deleted: readonly string[];
}

/**
 * Writes goldens: each file whole or not at all, and only those that differ.
 *
 * @param before What the folder holds.
 * @param goldens What it shall hold.
 * @param isWhole Whether files of scenarios that are not among the goldens are stale and go; they stay otherwise.
 * @throws {UsageError} If a file cannot be written.
 */
export async function writeGoldens(
  folder: string,
  before: GoldenFolder,
  goldens: readonly Golden[],
  isWhole: boolean,
): Promise<Written> {
  const wanted = new Map(goldens.map((golden) => [pathOf(golden), golden]));
  const stale = isWhole ? [...before.files.keys()].filter((name) => !wanted.has(name)) : [];
  const kept = [...before.files].flatMap(([name, { golden }]) =>
    golden === undefined || wanted.has(name) || stale.includes(name) ? [] : [golden]
  );
  const texts = new Map([...wanted].map(([name, golden]) => [name, renderGolden(golden)]));
  texts.set(TABLE, renderTable([...kept, ...goldens]));
  const written: string[] = [];
  for (const [name, text] of texts) {
    const known = name === TABLE ? before.table : before.files.get(name)?.text;
    if (known === text) continue;
    await writeWhole(join(folder, name), text);
    written.push(name);
  }
  for (const name of stale) await Deno.remove(join(folder, name));
  return { written, deleted: stale };
}

/** Files below a folder, as paths inside it. */
async function filesUnder(folder: string, inside = ""): Promise<string[]> {
  const found: string[] = [];
  try {
    for await (const { name, isDirectory, isFile } of Deno.readDir(join(folder, inside))) {
      if (isDirectory) found.push(...await filesUnder(folder, join(inside, name)));
      else if (isFile) found.push(join(inside, name));
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return found;
}
