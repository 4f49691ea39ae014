/** Finds scenarios: by crew, name, variant, glob, file or folder. */
import { basename, isAbsolute, join, relative, resolve as resolvePath } from "node:path/posix";
import { nearest } from "../../core/mod.ts";
import { glance } from "./glance.ts";
import { glob, isGlob } from "./glob.ts";
import { type Headed, loadHeaded } from "./load.ts";
import { type Problem, quote, type Result, tidy } from "./problem.ts";
import { expansionOf, resolveAll } from "./resolve.ts";
import type { Scenario } from "./schema.ts";
import { variantsIn } from "./variants.ts";

/** Where to look, and how to call what is found. */
export interface FindOptions {
  /** What relative paths among the selectors are relative to. An absolute path. */
  readonly cwd: string;
  /** Files under it are called by their path from here, so that output is the same wherever a person stands. */
  readonly base: string;
}

/** A scenario file that was selected. */
export interface Found extends Headed {
  /** Where it is. */
  readonly path: string;
  /** What people call it. */
  readonly file: string;
  /** Which of its variants were selected, in the order of the file; `null` is the scenario itself. */
  readonly variants: readonly (string | null)[];
  /** What is wrong with it in the company of the others: its name is taken. */
  readonly problems: readonly Problem[];
}

/** A selector that matches nothing, or a place without scenarios. */
export class NothingSelected extends Error {
  /** Its class. */
  override readonly name = "NothingSelected";
  /** The selector that matches nothing; `null` if there was none. */
  readonly selector: string | null;

  /** Takes the selector, and one line for the user. */
  constructor(selector: string | null, message: string) {
    super(message);
    this.selector = selector;
  }
}

/** A file that was looked at. */
type Entry = Omit<Found, "variants" | "problems">;

/** A file with those of its variants that a selector means. */
type Hit = readonly [Entry, readonly (string | null)[]];

/**
 * Finds scenario files, sorted by path. Files whose name starts with `_` are not scenarios.
 *
 * A selector is a crew, a scenario (with the variants that are written out), `scenario/variant`, a glob over any of these
 * or over paths, the path of a file or a folder, or `FILE.yaml/variant`, where the variant may be a glob. No selector selects all that is under `root`. Variants that a word
 * such as `all-faults` stands for are selected by that word, as in `scenario/all-faults`, or one by one.
 *
 * @param root The folder of scenarios, an absolute path.
 * @throws {NothingSelected} If a selector, or the whole, selects nothing.
 */
export async function findScenarios(
  root: string,
  selectors: readonly string[],
  options: FindOptions,
): Promise<readonly Found[]> {
  const finder = new Finder(root, options);
  const words = selectors.filter((selector) => !isPath(selector));
  if (selectors.length === 0 || words.some(isGlob)) await finder.add(root);
  else await finder.addCalled(words);
  const chosen = new Map<Entry, ReadonlySet<string | null>>();
  for (const selector of selectors.length === 0 ? [null] : selectors) {
    const hits = await finder.match(selector);
    if (hits.length === 0 && !isShared(selector)) throw await finder.nothing(selector);
    for (const [entry, variants] of hits) chosen.set(entry, new Set([...chosen.get(entry) ?? [], ...variants]));
  }
  if (chosen.size === 0) throw await finder.nothing(selectors[0] ?? null);
  const found = [...chosen].sort(([a], [b]) => a.path < b.path ? -1 : 1).map(([entry, variants]): Found => ({
    ...entry,
    variants: inOrder(entry, variants),
    problems: [],
  }));
  const first = new Map<string, Found>();
  return found.map((one) => {
    const other = first.get(one.name);
    if (other === undefined) first.set(one.name, one);
    return other === undefined ? one : { ...one, problems: [duplicate(other, one)] };
  });
}

/**
 * Resolves what was found.
 *
 * @returns The selected scenarios and variants in order, or every problem of the files they are in.
 */
export function resolveFound(found: readonly Found[]): Result<readonly Scenario[]> {
  const scenarios: Scenario[] = [];
  const problems: Problem[] = [];
  for (const { result, variants, problems: own } of found) {
    const resolved = result.ok ? resolveAll(result.value, variants) : result;
    problems.push(...own, ...resolved.ok ? [] : resolved.problems);
    if (resolved.ok) scenarios.push(...resolved.value);
  }
  return problems.length > 0 ? { ok: false, problems: tidy(problems) } : { ok: true, value: scenarios };
}

/** Most names that are listed in full, and how many are named of more. */
const MAX_LISTED = 10;
const MAX_NEAREST = 5;

/** The names that have most in common with a word: pairs of letters that are in both, of those in either. */
function nearestOf(word: string, names: readonly string[]): string[] {
  const pairs = (text: string) => new Set(Array.from(text, (_, i) => text.slice(i, i + 2)));
  const own = pairs(word.toLowerCase());
  const likeness = (name: string) => {
    const others = pairs(name);
    return own.intersection(others).size / Math.max(1, own.union(others).size);
  };
  const rated = names.map((name) => ({ name, likeness: likeness(name) }));
  return rated.sort((a, b) => b.likeness - a.likeness).slice(0, MAX_NEAREST).map(({ name }) => name);
}

class Finder {
  readonly #entries = new Map<string, Entry>();

  constructor(private readonly root: string, private readonly options: FindOptions) {}

  /** Files that were looked at, sorted by path. */
  entries(): Entry[] {
    return [...this.#entries.values()].sort((a, b) => a.path < b.path ? -1 : 1);
  }

  /** Reads the scenarios of a folder, or one file. */
  async add(path: string): Promise<Entry[]> {
    const paths = await walk(path);
    return await Promise.all(paths.map(async (file) => {
      const known = this.#entries.get(file);
      if (known !== undefined) return known;
      const name = this.#nameOf(file);
      const entry: Entry = { path: file, file: name, ...await loadHeaded(file, name) };
      this.#entries.set(file, entry);
      return entry;
    }));
  }

  /** Reads those scenarios of the root that plain selectors could mean, and leaves the others alone. */
  async addCalled(selectors: readonly string[]): Promise<void> {
    const paths = selectors.length === 0 ? [] : await walk(this.root);
    const meant = await Promise.all(paths.map(async (path) => {
      const inRoot = relative(this.root, path);
      const names = glance(await Deno.readTextFile(path).catch(() => "?"), path);
      const called = [this.#nameOf(path), inRoot].flatMap((file) => [file, stem(file)]);
      const isMeant = (selector: string) =>
        names === undefined || called.includes(selector) || names.has(selector) ||
        names.values().some((name) => selector.startsWith(`${name}/`));
      return selectors.some(isMeant) ? [path] : [];
    }));
    for (const path of meant.flat()) await this.add(path);
  }

  /** What a selector means; every file for `null`. */
  async match(selector: string | null): Promise<Hit[]> {
    if (selector === null) return this.entries().map(whole);
    const inside = inFile(selector);
    if (inside !== undefined) {
      return (await this.add(this.#pathOf(inside.file))).flatMap((entry) => variantsHit(entry, inside.variant));
    }
    const matches = isGlob(selector) ? glob(selector) : (text: string) => text === selector;
    const hits = isPath(selector) ? [] : this.entries().flatMap((entry): Hit[] => {
      const { name, crew, file } = entry;
      const inRoot = relative(this.root, entry.path);
      if ([name, crew, file, inRoot, stem(file), stem(inRoot)].some(matches)) return [whole(entry)];
      const written = variantsOf(entry).filter((variant) => variant !== null && matches(`${name}/${variant}`));
      const variants = selector.includes("/")
        ? [...written, ...matchExpanded(entry, (variant) => matches(`${name}/${variant}`))]
        : written;
      return variants.length > 0 ? [[entry, variants]] : [];
    });
    if (hits.length > 0 || isGlob(selector)) return hits;
    return (await this.add(this.#pathOf(selector))).map(whole);
  }

  /** Says that a selector selects nothing, and what there is. */
  async nothing(selector: string | null): Promise<NothingSelected> {
    const rule = "a scenario is a .yaml file whose name does not start with _";
    const inside = inFile(selector ?? "");
    // What there is instead is told of all.
    if (selector !== null && !isPath(selector)) await this.add(this.root);
    const [entry] = inside === undefined ? [] : await this.add(this.#pathOf(inside.file));
    if (inside !== undefined && entry !== undefined) return noVariant(selector, entry, inside.variant);
    const path = selector === null ? this.root : this.#pathOf(inside?.file ?? selector);
    const named = quote(selector ?? "");
    const there = await exists(path);
    if (selector !== null && isPath(selector) && !there) {
      return new NothingSelected(selector, `no such file or folder: ${named}`);
    }
    const entries = this.entries();
    if (there || entries.length === 0) {
      const place = quote(this.#nameOf(there ? path : this.root));
      return new NothingSelected(selector, `no scenario in ${place}; ${rule}`);
    }
    const crews = [...new Set(entries.map(({ crew }) => crew))];
    const names = entries.map(({ name }) => name);
    const variants = entries.flatMap((entry) =>
      [...variantsOf(entry), ...groupsOf(entry), ...expandedOf(entry)].flatMap((variant) =>
        variant === null ? [] : [`${entry.name}/${variant}`]
      )
    );
    const near = nearest(selector ?? "", [...crews, ...names, ...variants]);
    const hint = near === undefined ? "" : ` (did you mean ${quote(near)}?)`;
    const listed = names.length <= MAX_LISTED
      ? `scenarios: ${names.join(", ") || "none"}`
      : `of ${names.length} scenarios the nearest: ${
        nearestOf(selector ?? "", names).join(", ")
      }; bench list has them all`;
    const all = `crews: ${crews.join(", ") || "none"}; ${listed}`;
    return new NothingSelected(selector, `no scenario matches ${named}${hint}; ${all}`);
  }

  #pathOf(selector: string): string {
    return resolvePath(this.options.cwd, selector);
  }

  #nameOf(path: string): string {
    const inside = relative(this.options.base, path);
    return inside.startsWith("..") || isAbsolute(inside) ? path : inside || ".";
  }
}

/** The scenarios under a path, or the path itself if it is one; none where there is nothing. */
async function walk(path: string): Promise<string[]> {
  let info: Deno.FileInfo;
  try {
    info = await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return [];
    // Reading it will say what is wrong.
    return [path];
  }
  if (!info.isDirectory) return isScenario(basename(path)) ? [path] : [];
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    if (isDirectory && !/^\.|^node_modules$/.test(name)) found.push(...await walk(join(path, name)));
    else if (isScenario(name)) found.push(join(path, name));
  }
  return found.sort();
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch {
    return false;
  }
}

/** Whether a selector can only be a path. */
function isPath(selector: string): boolean {
  return inFile(selector) !== undefined || /^\.{0,2}\/|^\.{1,2}$|\.ya?ml$/.test(selector) && !isGlob(selector);
}

/** A selector that means variants of one file, as in `my/desk.yaml/late`. */
function inFile(selector: string): { readonly file: string; readonly variant: string } | undefined {
  const [, file, variant] = /^([^*?]*\.ya?ml)\/([^/]+)$/.exec(selector) ?? [];
  return file === undefined || variant === undefined ? undefined : { file, variant };
}

/** Variants of a file. What is wrong with a file that cannot be read comes first. */
function variantsHit(entry: Entry, variant: string): Hit[] {
  if (!entry.result.ok) return [whole(entry)];
  const isMeant = isGlob(variant) ? glob(variant) : (text: string) => text === variant;
  const written = variantsOf(entry).filter((name) => name !== null && isMeant(name));
  const variants = [...written, ...matchExpanded(entry, isMeant)];
  return variants.length > 0 ? [[entry, variants]] : [];
}

/** Says that a file has no such variant, and which it has. */
function noVariant(selector: string | null, entry: Entry, variant: string): NothingSelected {
  const all = [...variantsOf(entry), ...groupsOf(entry)].filter((name) => name !== null);
  const near = nearest(variant, [...all, ...expandedOf(entry)]);
  const hint = near === undefined ? "" : ` (did you mean ${quote(near)}?)`;
  const message = `${entry.file} has no variant ${quote(variant)}${hint}; variants: ${all.join(", ") || "none"}`;
  return new NothingSelected(selector, message);
}

/** Whether a selector is a file that scenarios share, as a shell's own `*` hands over along with them. */
function isShared(selector: string | null): boolean {
  return selector !== null && /(^|\/)_[^/]*\.ya?ml$/.test(selector);
}

const isScenario = (name: string): boolean => /^[^._].*\.ya?ml$/.test(name);
const stem = (file: string): string => file.replace(/\.ya?ml$/, "");
const whole = (entry: Entry): Hit => [entry, variantsOf(entry)];

function variantsOf({ result }: Pick<Headed, "result">): readonly (string | null)[] {
  return [null, ...result.ok ? variantsIn(result.value.content).written.keys() : []];
}

function groupsOf({ result }: Pick<Headed, "result">): readonly string[] {
  return result.ok ? variantsIn(result.value.content).groups : [];
}

/** Variants in the order of the file. What groups stand for is worked out only where some of it is meant. */
function inOrder(entry: Entry, wanted: ReadonlySet<string | null>): (string | null)[] {
  const written = variantsOf(entry).filter((name) => wanted.has(name));
  if (written.length === wanted.size) return written;
  return [...written, ...expandedOf(entry).filter((name) => wanted.has(name))];
}

/** The variants that the groups of a scenario stand for. They are many, so they are selected by name and not with it. */
function expandedOf(entry: Pick<Headed, "result">, groups: readonly string[] = groupsOf(entry)): readonly string[] {
  const { result } = entry;
  if (!result.ok) return [];
  return groups.flatMap((group) => {
    const expansion = expansionOf(result.value, group);
    return expansion.ok ? expansion.value.scenarios.flatMap(({ variant }) => variant ?? []) : [];
  });
}

/** Of the variants that groups stand for, those who are meant by their own name or by their group's. */
function matchExpanded(entry: Entry, isMeant: (variant: string) => boolean): readonly string[] {
  const whole = groupsOf(entry).filter(isMeant);
  return expandedOf(entry).filter((name) => whole.some((group) => name.startsWith(`${group}.`)) || isMeant(name));
}

function duplicate(first: Found, second: Found): Problem {
  const message = `name ${quote(second.name)} is taken by ${first.file}; give each scenario a name of its own`;
  const { result } = second;
  return result.ok
    ? result.value.source.problem(["name"], message)
    : { file: second.file, line: 1, column: 1, message };
}
