/** What a program is made of, as far as its command shows it. */
import { createHash, type Hash } from "node:crypto";
import { basename, dirname, extname, relative, resolve } from "node:path/posix";
import { candidates, moduleFiles } from "./imports.ts";

/** How much of a file is read, in bytes. Of a longer one its size and date stand for the rest. */
const MAX_BYTES = 8 * 2 ** 20;
/** How many files beside one are looked at. */
const MAX_BESIDE = 256;

/** How many files that are imported are followed; of more the rest is not seen. */
const MAX_IMPORTED = 512;
/** What says which packages are installed. */
const MANIFESTS = [
  ...["package.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "deno.json", "deno.lock"],
  ...["requirements.txt", "pyproject.toml", "uv.lock", "poetry.lock"],
] as const;

/** What a program is made of. */
export interface ProgramFiles {
  /** SHA-256 over all of them, as 16 hex digits. */
  readonly digest: string;
  /** Their names: of those that the command names as they are there, of others by the way from there. */
  readonly names: readonly string[];
}

/** {@linkcode programFiles}, and no names. */
export function programDigest(words: readonly string[], cwd: string): string {
  return programFiles(words, cwd).digest;
}

/**
 * The files that a command names, in any of its words; those of the same kind beside each, and what stands there about its
 * packages: a program is rarely one file; and those that they import from elsewhere below the folder from which the command
 * is given, or below their own. What is installed is not seen, nor what a program is run by (`python3`), nor what is imported
 * by a name that is put together.
 *
 * @param words The command.
 * @param cwd Where relative paths begin.
 */
export function programFiles(words: readonly string[], cwd: string): ProgramFiles {
  const hash = createHash("sha256");
  const named = words.flatMap((word) => [word, ...word.includes("=") ? [word.slice(word.indexOf("=") + 1)] : []]);
  const files = [
    ...named.filter((word) => word !== "").map((word) => resolve(cwd, word)).map((file) => ({
      file,
      start: dirname(file),
    })),
    // `python3 -m desk.agent` looks for modules where it is started, and not beside the file.
    ...words.flatMap((word, n) => word === "-m" ? startedModule(cwd, words[n + 1] ?? "") : []),
  ].filter(({ file }) => isFile(file));
  const names = new Set<string>();
  // Each by its place in the command, and by its way from there: a checkout elsewhere is the same.
  for (const [n, { file, start }] of files.entries()) {
    const own = [file, ...beside(file)];
    for (const one of [...own, ...imported(own, isBelow(file, cwd) ? cwd : dirname(file), start)]) {
      const name = relative(dirname(file), one);
      hash.update(`${n}\0${name}\0`);
      addFile(hash, one);
      names.add(name);
    }
  }
  return { digest: hash.digest("hex").slice(0, 16), names: [...names] };
}

function startedModule(start: string, module: string): { readonly file: string; readonly start: string }[] {
  return /^\w+(?:\.\w+)*$/.test(module) ? moduleFiles(start, module).map((file) => ({ file, start })) : [];
}

/** What files import, and what that imports, in one order whatever the file system's is. */
function imported(files: readonly string[], root: string, start: string): string[] {
  const seen = new Set(files);
  const queue = [...files];
  for (let file = queue.shift(); file !== undefined && seen.size < files.length + MAX_IMPORTED; file = queue.shift()) {
    for (const choices of candidates(file, textOf(file), start)) {
      const found = choices.find(isFile);
      if (found === undefined || seen.has(found) || !isBelow(found, root)) continue;
      seen.add(found);
      queue.push(found);
    }
  }
  return [...seen].slice(files.length).sort();
}

function isBelow(path: string, folder: string): boolean {
  return !/^\.\.(?:\/|$)/.test(relative(folder, path));
}

function textOf(path: string): string {
  try {
    return Deno.statSync(path).size > MAX_BYTES ? "" : Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** Files with the same extension in the same folder, and what is said of packages there; none of a file that has none. */
function beside(file: string): string[] {
  const [folder, extension] = [dirname(file), extname(file)];
  if (extension === "") return [];
  try {
    const names = [...Deno.readDirSync(folder)].filter((entry) => entry.isFile && extname(entry.name) === extension);
    const alike = names.map(({ name }) => name).filter((name) => name !== basename(file)).sort().slice(0, MAX_BESIDE);
    const others = MANIFESTS.filter((name) => !alike.includes(name) && name !== basename(file));
    return [...alike, ...others].map((name) => resolve(folder, name)).filter(isFile);
  } catch {
    return [];
  }
}

function addFile(hash: Hash, path: string): void {
  try {
    using file = Deno.openSync(path);
    const { size, mtime } = file.statSync();
    hash.update(size > MAX_BYTES ? `${size} ${mtime?.getTime()}\0` : `${size}\0`);
    const chunk = new Uint8Array(64 * 1024);
    for (let left = MAX_BYTES; left > 0;) {
      const read = file.readSync(chunk.subarray(0, Math.min(left, chunk.length)));
      if (read === null) return;
      hash.update(chunk.subarray(0, read));
      left -= read;
    }
  } catch {
    hash.update("not to be read\0");
  }
}
