/** A YAML file that has been read: plain values, and the place of each. */
import { type Alias, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from "yaml";
import type { Json } from "../../core/mod.ts";
import { type Position, type Problem, quote, type Result, tidy } from "./problem.ts";

/** A larger file is not read. In bytes. */
export const MAX_BYTES = 1024 * 1024;

const MAX_ALIASES = 100;
const MAX_VALUES = 100_000;
const MAX_DEPTH = 50;

/** Keys and indices, from the top of a file down to a value. */
export type Path = readonly PropertyKey[];

/** Which end of `key: value` is meant. */
export type Part = "key" | "value";

/** A file as the YAML parser sees it. */
interface Tree {
  readonly root: Node;
  readonly lines: LineCounter;
  /** What each alias stands for. */
  readonly targets: ReadonlyMap<Alias, Node>;
}

/** A file's value, and where each part of it stands. */
export class Source {
  /** The file, as people call it. */
  readonly file: string;
  /** What it says: a map. */
  readonly value: { [key: string]: Json };
  readonly #tree: Tree;

  /** Takes a value with the `tree` that it comes from. */
  constructor(file: string, value: { [key: string]: Json }, tree: Tree) {
    this.file = file;
    this.value = value;
    this.#tree = tree;
  }

  /** Where a value or its key stands. What is not there is placed at the map it is missing from. */
  place(path: Path, part: Part = "value"): Position {
    const { root, lines, targets } = this.#tree;
    let node: Node = root;
    let found: Node = node;
    for (const [i, segment] of path.entries()) {
      const inner = isAlias(node) ? targets.get(node) ?? node : node;
      if (isMap(inner)) {
        const pair = inner.items.find(({ key }) => keyText(key) === String(segment));
        if (pair === undefined) break;
        const [key, value] = [asNode(pair.key), asNode(pair.value)];
        found = (part === "key" && i === path.length - 1 ? key : value) ?? key ?? found;
        node = value ?? found;
      } else if (isSeq(inner)) {
        const item = asNode(inner.items[Number(segment)]);
        if (item === undefined) break;
        found = node = item;
      } else break;
    }
    return position(lines, found.range?.[0] ?? 0);
  }

  /** A problem at a place of this file. */
  problem(path: Path, message: string, part: Part = "value"): Problem {
    return { file: this.file, ...this.place(path, part), message };
  }
}

/**
 * Reads a YAML file (1.2, core schema: `2026-07` is a text).
 *
 * @param path Where it is.
 * @param file What problems call it.
 */
export async function readSource(path: string, file: string): Promise<Result<Source>> {
  const fail = (message: string): Result<Source> => ({ ok: false, problems: [{ file, line: 1, column: 1, message }] });
  let bytes: Uint8Array;
  try {
    const { isFile, size } = await Deno.stat(path);
    if (!isFile) return fail("is not a file; a scenario is a YAML file");
    if (size > MAX_BYTES) return fail(`is too large: ${size} bytes, allowed are ${MAX_BYTES}`);
    bytes = await Deno.readFile(path);
  } catch (error) {
    return fail(unreadable(error));
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return fail("is not UTF-8; save it in that encoding");
  }
  return parseSource(text, file);
}

/** {@linkcode readSource} for a text that is there already. */
export function parseSource(text: string, file: string): Result<Source> {
  const lines = new LineCounter();
  const problems: Problem[] = [];
  const add = (offset: number, message: string) => problems.push({ file, ...position(lines, offset), message });
  try {
    const options = { version: "1.2", prettyErrors: false, logLevel: "error", lineCounter: lines } as const;
    const doc = parseDocument(text, options);
    // The parser recurses, and reports as an error what exhausts its stack.
    if (doc.errors.some(({ message }) => /call stack/.test(message))) throw new RangeError();
    for (const { code, message, pos: [start] } of [...doc.errors, ...doc.warnings]) {
      add(start, syntaxMessage(code, message, text.slice(start)));
    }
    const root: Node | null = doc.contents;
    if (problems.length === 0 && (root === null || isScalar(root) && root.value === null)) {
      add(0, "is empty; a file holds a map of keys");
    } else if (problems.length === 0 && root !== null && !isMap(root)) {
      add(
        root.range?.[0] ?? 0,
        `a file holds a map of keys, this one holds ${isSeq(root) ? "a list" : "a single value"}`,
      );
    }
    if (root === null || problems.length > 0) return { ok: false, problems: tidy(problems) };
    const targets = new Map<Alias, Node>();
    visit(doc, {
      Alias(_, alias) {
        if (targets.size >= MAX_ALIASES) {
          throw new Excess(alias, `more than ${MAX_ALIASES} aliases; write the values out`);
        }
        const target = alias.resolve(doc);
        if (target !== undefined) targets.set(alias, target);
      },
    });
    const value = new Builder(targets, add).build(root, 0);
    if (problems.length > 0) return { ok: false, problems: tidy(problems) };
    const map = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
    return { ok: true, value: new Source(file, map, { root, lines, targets }) };
  } catch (error) {
    if (error instanceof Excess) add(error.node.range?.[0] ?? 0, error.message);
    else if (error instanceof RangeError) add(0, `is nested too deeply to be read; allowed are ${MAX_DEPTH} levels`);
    else throw error;
    return { ok: false, problems: tidy(problems) };
  }
}

/** The file asks for more than any scenario needs. */
class Excess extends Error {
  constructor(readonly node: Node, message: string) {
    super(message);
  }
}

/** Turns nodes into plain values. Its counter and its depth also end aliases that multiply or contain themselves. */
class Builder {
  #values = 0;

  constructor(
    private readonly targets: ReadonlyMap<Alias, Node>,
    private readonly add: (offset: number, message: string) => void,
  ) {}

  build(node: Node | undefined, depth: number): Json {
    if (node === undefined) return null;
    if (++this.#values > MAX_VALUES) throw new Excess(node, `more than ${MAX_VALUES} values, aliases written out`);
    if (depth > MAX_DEPTH) throw new Excess(node, `nested more than ${MAX_DEPTH} levels deep, aliases written out`);
    const inner = isAlias(node) ? this.targets.get(node) : node;
    const offset = node.range?.[0] ?? 0;
    if (inner?.tag !== undefined && !/^tag:yaml\.org,2002:(str|int|float|bool|null|map|seq)$/.test(inner.tag)) {
      this.add(offset, `a tag such as ${quote(inner.tag)} has no meaning here; take it out`);
      return null;
    }
    if (isSeq(inner)) return inner.items.map((item) => this.build(asNode(item), depth + 1));
    if (isMap(inner)) {
      const map: { [key: string]: Json } = {};
      for (const pair of inner.items) {
        const key = keyText(pair.key);
        if (key === undefined || key === "__proto__") {
          this.add(
            asNode(pair.key)?.range?.[0] ?? offset,
            "this cannot be a key; a key is a text, in quotes if need be",
          );
        } else map[key] = this.build(asNode(pair.value), depth + 1);
      }
      return map;
    }
    return this.#scalar(isScalar(inner) ? inner.value : undefined, offset);
  }

  #scalar(value: unknown, offset: number): Json {
    if (
      typeof value === "number" && (!Number.isFinite(value) || Number.isInteger(value) && !Number.isSafeInteger(value))
    ) {
      this.add(offset, `${value} cannot be kept exactly as a number; put it in quotes to make it a text`);
      return null;
    }
    if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
      return value;
    }
    if (value !== undefined) this.add(offset, "is neither text, number, true, false nor null; put it in quotes");
    return null;
  }
}

/** A key as it is written; `undefined` for what cannot be one: a list, a map, nothing, or a number in other clothes. */
function keyText(key: unknown): string | undefined {
  if (!isScalar(key) || key.value === null) return undefined;
  if (typeof key.value === "string") return key.value;
  const text = String(key.value);
  return key.source === undefined || key.source === text ? text : undefined;
}

function asNode(value: unknown): Node | undefined {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value) ? value : undefined;
}

function position(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

function syntaxMessage(code: string, message: string, rest: string): string {
  switch (code) {
    case "DUPLICATE_KEY":
      return `key ${quote(/^("[^"\n]*"|[^\s:,}]+)/.exec(rest)?.[0] ?? "")} is there twice; keep one of them`;
    case "MULTIPLE_DOCS":
      return "a second document begins here; give each scenario a file of its own";
    default:
      return `not valid YAML: ${message}`;
  }
}

function unreadable(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "does not exist";
  if (error instanceof Deno.errors.NotCapable) return "may not be read; give the command --allow-read for its folder";
  if (error instanceof Deno.errors.PermissionDenied) return "may not be read; see its permissions";
  return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}
