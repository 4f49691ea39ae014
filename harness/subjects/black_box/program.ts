/** What a program is made of, as far as its command shows it. */
import { createHash, type Hash } from "node:crypto";
import { basename, dirname, extname, resolve } from "node:path/posix";

/** How much of a file is read, in bytes. Of a longer one its size and date stand for the rest. */
const MAX_BYTES = 8 * 2 ** 20;
/** How many files beside one are looked at. */
const MAX_BESIDE = 256;

/**
 * Digest of the files that a command names, in any of its words, and of those of the same kind beside each: a program is
 * rarely one file. What it takes from elsewhere is not seen, nor is what it is run by (`python3`).
 *
 * @param words The command.
 * @param cwd Where relative paths begin.
 */
export function programDigest(words: readonly string[], cwd: string): string {
  const hash = createHash("sha256");
  const named = words.flatMap((word) => [word, ...word.includes("=") ? [word.slice(word.indexOf("=") + 1)] : []]);
  const files = named.filter((word) => word !== "").map((word) => resolve(cwd, word)).filter(isFile);
  // Each by its place in the command, and not by its path: a checkout elsewhere is the same.
  for (const [n, file] of files.entries()) {
    for (const one of [file, ...beside(file)]) {
      hash.update(`${n}\0${basename(one)}\0`);
      addFile(hash, one);
    }
  }
  return hash.digest("hex").slice(0, 16);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** Files with the same extension in the same folder; none of a file that has none. */
function beside(file: string): string[] {
  const [folder, extension] = [dirname(file), extname(file)];
  if (extension === "") return [];
  try {
    const names = [...Deno.readDirSync(folder)].filter((entry) => entry.isFile && extname(entry.name) === extension);
    return names.map(({ name }) => name).filter((name) => name !== basename(file)).sort().slice(0, MAX_BESIDE)
      .map((name) => resolve(folder, name));
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
