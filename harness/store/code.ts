/** A digest of the bench's own code: a run that goes on under another would be neither the old nor the new. */
import { createHash } from "node:crypto";
import { join } from "node:path/posix";
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
/** Where the code is that a cell's result can depend on. */
const FOLDERS = ["agents", "core", "frameworks", "harness", "servers"];
/** Folders that no cell is run by. */
const ASIDE: ReadonlySet<string> = new Set(["acceptance", "node_modules", "perf", "testdata", "tools"]);
/** What dependencies there are. */
const LOCK = "deno.lock";

/** SHA-256 over the path and text of each file but tests, as 16 hex digits. A few hundred files: some tens of milliseconds. */
export function codeDigest(): string {
  const hash = createHash("sha256");
  for (const file of [LOCK, ...FOLDERS.flatMap(sources)]) {
    hash.update(`${file}\0`).update(Deno.readFileSync(join(PROJECT, file))).update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

function sources(folder: string): string[] {
  return entriesOf(folder).flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    if (isDirectory) return ASIDE.has(name) || name.startsWith(".") ? [] : sources(path);
    return /(?<!_test)\.(ts|lock)$/.test(name) ? [path] : [];
  });
}

function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(join(PROJECT, folder))].sort((a, b) => a.name < b.name ? -1 : 1);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
