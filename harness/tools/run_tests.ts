/**
 * Runs the tests: `deno run … harness/tools/run_tests.ts test [options of deno test] -- [paths or options]`.
 *
 * Where a path is given, this is `deno test` with it, each file in an isolate of its own. Without one, `deno test` gets
 * an entry for the test files of each folder ({@linkcode entriesOf}), which are found anew each time. How many entries run
 * at once is `DENO_JOBS`, as always.
 */
import { entriesOf, isTest, sourceOf } from "./test_entries.ts";

/** Where the entries are written, from the project's root: `deno test` says it before the name of each test. */
const ENTRIES = "reports/runs/tests";

/** Folders at the root without tests of the project: `frameworks/` has a lock file and a task of its own. */
const OTHERS: readonly string[] = ["coverage", "frameworks", "node_modules", "reports"];

/** The paths of all test files, from the project's root, sorted. */
export async function testFiles(root: URL): Promise<string[]> {
  const files: string[] = [];
  const walk = async (folder: string) => {
    for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
      if (name.startsWith(".") || folder === "" && OTHERS.includes(name)) continue;
      if (isDirectory) await walk(`${folder}${name}/`);
      else if (isTest(name)) files.push(`${folder}${name}`);
    }
  };
  await walk("");
  return files.sort();
}

/** Writes the entries, and gives their paths. */
async function writeEntries(root: URL): Promise<string[]> {
  await Deno.mkdir(new URL(ENTRIES, root), { recursive: true });
  return await Promise.all(
    entriesOf(await testFiles(root)).map(async (entry) => {
      const path = `${ENTRIES}/${entry.name}_test.ts`;
      await Deno.writeTextFile(new URL(path, root), sourceOf(entry, root));
      return path;
    }),
  );
}

async function main(args: readonly string[]): Promise<number> {
  const end = args.indexOf("--");
  const wanted = args.slice(end + 1);
  const all = wanted.every((word) => word.startsWith("-"));
  const entries = all ? await writeEntries(new URL("../../", import.meta.url)) : [];
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args.slice(0, end), ...wanted, ...entries],
    // One entry more than there are cores: many tests wait for a process, the registry or a deadline.
    env: all ? { DENO_JOBS: Deno.env.get("DENO_JOBS") ?? `${navigator.hardwareConcurrency + 1}` } : {},
  }).spawn();
  // Ctrl-C reaches the child by itself; what ends this process has to end it, too.
  Deno.addSignalListener("SIGINT", () => {});
  Deno.addSignalListener("SIGTERM", () => child.kill("SIGTERM"));
  return (await child.status).code;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
