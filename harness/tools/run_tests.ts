/**
 * Runs the tests: `deno run … harness/tools/run_tests.ts test [options of deno test] -- [paths or options]`.
 *
 * Where a path is given, this is `deno test` with it, each file in an isolate of its own. Without one, `deno test` gets
 * an entry for the test files of each folder ({@linkcode entriesOf}), which are found anew each time. How many entries run
 * at once is `DENO_JOBS`, as always.
 */
import { entriesOf, isTest, sourceOf, urlOf } from "./test_entries.ts";

/** Where the entries are written, from the project's root: `deno test` says it before the name of each test. */
const ENTRIES = "reports/runs/tests";

/** Folders at the root without tests of the project: `frameworks/` has a lock file and a task of its own. */
const OTHERS: readonly string[] = ["coverage", "frameworks", "node_modules", "reports"];

/** The paths of all test files, from the project's root, sorted. */
export async function testFiles(root: URL): Promise<string[]> {
  const files: string[] = [];
  const walk = async (folder: string) => {
    for await (const { name, isDirectory } of Deno.readDir(urlOf(folder, root))) {
      if (name.startsWith(".") || folder === "" && OTHERS.includes(name)) continue;
      if (isDirectory) await walk(`${folder}${name}/`);
      else if (isTest(name)) files.push(`${folder}${name}`);
    }
  };
  await walk("");
  return files.sort();
}

/**
 * Writes the entries, and gives their paths. Each is there whole at any time: another run in the same checkout that read
 * half of one would pass without the tests of the other half.
 *
 * @param alone As of {@linkcode entriesOf}.
 */
export async function writeEntries(root: URL, alone?: readonly string[]): Promise<string[]> {
  await Deno.mkdir(new URL(ENTRIES, root), { recursive: true });
  return await Promise.all(
    entriesOf(await testFiles(root), alone).map(async (entry) => {
      const path = `${ENTRIES}/${entry.name}_test.ts`;
      const unfinished = urlOf(`${path}.${Deno.pid}.tmp`, root);
      await Deno.writeTextFile(unfinished, sourceOf(entry, root));
      await Deno.rename(unfinished, urlOf(path, root));
      return path;
    }),
  );
}

/** Options of `deno test` of which the next word is the value, if none stands behind an equals sign. */
const VALUED: ReadonlySet<string> = new Set([
  ...["--filter", "--reporter", "--junit-path", "--config", "-c", "--import-map", "--location", "--cert", "--ext"],
  ...["--log-level", "-L", "--preload", "--conditions"],
]);

/**
 * What is given to `deno test`.
 *
 * @param wanted What was typed; behind `--` are arguments of the tests themselves.
 * @param entries Gives the entries, where no path was typed.
 */
export async function wordsOf(
  wanted: readonly string[],
  entries: () => Promise<readonly string[]>,
): Promise<{ readonly all: boolean; readonly words: readonly string[] }> {
  const end = wanted.indexOf("--");
  const [own, passed] = end < 0 ? [wanted, []] : [wanted.slice(0, end), wanted.slice(end)];
  const all = own.every((word, i) => word.startsWith("-") || VALUED.has(own[i - 1] ?? ""));
  return { all, words: [...own, ...all ? await entries() : [], ...passed] };
}

async function main(args: readonly string[]): Promise<number> {
  const end = args.indexOf("--");
  const { all, words } = await wordsOf(args.slice(end + 1), () => writeEntries(new URL("../../", import.meta.url)));
  const child = new Deno.Command(Deno.execPath(), {
    // In a folder that is given there may be entries of an earlier run.
    args: [...args.slice(0, end), ...all ? [] : ["--ignore=reports/runs"], ...words],
    // One entry more than there are cores: many tests wait for a process, the registry or a deadline.
    env: all ? { DENO_JOBS: Deno.env.get("DENO_JOBS") ?? `${navigator.hardwareConcurrency + 1}` } : {},
  }).spawn();
  // Ctrl-C reaches the child by itself; what ends this process has to end it, too.
  Deno.addSignalListener("SIGINT", () => {});
  Deno.addSignalListener("SIGTERM", () => child.kill("SIGTERM"));
  return (await child.status).code;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
