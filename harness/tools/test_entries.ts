/**
 * Which test files share an isolate when the whole suite runs.
 *
 * Deno gives each test file an isolate of its own, and each isolate loads and compiles the project anew: half a second
 * to a second of processor time, which for hundreds of small files is more than their tests take. So the files of a
 * folder are imported by one generated entry. Each test is still a test of its own, with its leak checks, and a report
 * names the file and the line where it stands.
 */

/** What Deno runs in one isolate. */
export interface Entry {
  /** The entry's name, as in `harness-score`. */
  readonly name: string;
  /** Paths from the project's root, in order. */
  readonly files: readonly string[];
}

/**
 * The test files that get an isolate each. They begin first, in this order: the longest lead, so that none of them is
 * what everything waits for at the end.
 */
export const ALONE: readonly string[] = [
  // Long, by processes, the real clock or thousands of cells.
  "harness/subjects/black_box/examples_test.ts",
  "servers/inspector_test.ts",
  "servers/proxy/stdio_test.ts",
  "harness/score/score_test.ts",
  "harness/models/cli_test.ts",
  "harness/acceptance/fault_crews_test.ts",
  "harness/acceptance/kill_test.ts",
  "harness/acceptance/processes_test.ts",
  "servers/proxy/third_party_test.ts",
  "harness/models/live_path_test.ts",
  "harness/acceptance/action_test.ts",
  "harness/acceptance/orders_test.ts",
  "harness/acceptance/resume_kill_test.ts",
  "harness/acceptance/all_faults_test.ts",
  "harness/acceptance/interleaving_test.ts",
  "harness/acceptance/same_bytes_test.ts",
  "harness/acceptance/seeds_test.ts",
  "harness/acceptance/resume_test.ts",
  "harness/subjects/black_box/verdicts_test.ts",
  "harness/acceptance/hub_faults_test.ts",
  "harness/lanes/wire_test.ts",
  // It watches, and hooks into, what belongs to the whole isolate.
  "core/watch_test.ts",
];

/** A folder with fewer test files than this shares the entry of the folder above: an isolate would cost more than they. */
const FEW = 6;

/**
 * Puts each test file into exactly one entry.
 *
 * @param files All test files, as paths from the project's root.
 * @param alone Those that get an isolate each.
 * @returns First those, in their order, then an entry a folder, those with most files first.
 * @throws {RangeError} if `alone` names what is no test file, or one twice, or if two entries would have one name.
 */
export function entriesOf(files: readonly string[], alone: readonly string[] = ALONE): Entry[] {
  const left = new Set(files);
  const single = alone.map((file) => {
    if (left.delete(file)) return { name: nameOf(file.replace(/_test\.ts$/, "")), files: [file] };
    throw new RangeError(`${file} has an isolate of its own in ALONE, and is no test file, or stands there twice`);
  });
  const folders = Map.groupBy([...left].sort(), (file) => file.split("/").slice(0, -1).slice(0, 2).join("/"));
  const shared = Map.groupBy(folders, ([folder, { length }]) => length < FEW ? folder.replace(/\/.*/, "") : folder);
  const groups = [...shared].map(([folder, parts]) => ({
    name: `${nameOf(folder)}-all`,
    files: parts.flatMap(([, files]) => files).sort(),
  }));
  const entries = [...single, ...groups.sort((a, b) => b.files.length - a.files.length)];
  const names = new Set<string>();
  for (const { name } of entries) {
    // One would be written over the other, and nobody would miss its tests.
    if (names.has(name)) throw new RangeError(`two entries would be called ${name}; rename a file or a folder`);
    names.add(name);
  }
  return entries;
}

/** While files are loaded nobody ends the isolate: to Deno that is no failure, and those after it would be forgotten. */
const LOADING = `const { exit } = Deno;
Deno.exit = () => {
  throw new Error("a test file ends everything while it is loaded");
};
`;

/** The source of an entry: one file after the other, as if each were alone. */
export function sourceOf({ files }: Entry, root: URL): string {
  const imports = files.map((file) => `await import(${JSON.stringify(urlOf(file, root).href)});\n`);
  return `${LOADING}${imports.join("")}Deno.exit = exit;\n`;
}

/** Where a path from the project's root is; what stands for something else in a URL (`#`, `?`, `%`) is a part of it. */
export function urlOf(path: string, root: URL): URL {
  return new URL(path.split("/").map(encodeURIComponent).join("/"), root);
}

/** Whether Deno would take a file for a test. */
export function isTest(name: string): boolean {
  return /^(.*[._])?test\.m?[jt]sx?$/.test(name);
}

function nameOf(path: string): string {
  return path.replaceAll("/", "-");
}
