/**
 * Runs the tests: `deno run … harness/tools/run_tests.ts test [options of deno test] -- [paths or options]`.
 *
 * Where a path is given, this is `deno test` with it, each file in an isolate of its own. Without one, `deno test` gets
 * an entry for the test files of each folder ({@linkcode entriesOf}), which are found anew each time. How many entries run
 * at once is `DENO_JOBS`, as always.
 *
 * It ends as `deno test` does, but with 2 where a path or an option is none, and with 5 where no test has run: nobody
 * should take a filter that is misspelt for a suite that is green.
 */
import { fileURLToPath } from "node:url";
import { EXIT } from "../cli/exit.ts";
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
  ...["--log-level", "-L", "--preload", "--conditions", "--require", "--retry", "--repeats", "--shard", "--related"],
  ...["--seed", "--coverage-threshold", "--min-dep-age"],
]);

/** What was typed, apart: behind `--` are arguments of the tests themselves. */
function partsOf(wanted: readonly string[]): { readonly own: readonly string[]; readonly passed: readonly string[] } {
  const end = wanted.indexOf("--");
  return end < 0 ? { own: wanted, passed: [] } : { own: wanted.slice(0, end), passed: wanted.slice(end) };
}

/** The words that are neither an option nor the value of one. */
function pathsIn(own: readonly string[]): string[] {
  return own.filter((word, i) => !word.startsWith("-") && !VALUED.has(own[i - 1] ?? ""));
}

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
  const { own, passed } = partsOf(wanted);
  const all = pathsIn(own).length === 0;
  return { all, words: [...own, ...all ? await entries() : [], ...passed] };
}

/** Why nothing is run, in a sentence, and how that ends. */
export interface Refusal {
  readonly code: number;
  readonly why: string;
}

/**
 * Looks at what was typed before anything runs. Patterns and addresses are left to `deno test`.
 *
 * @param root The project's root, from which paths are.
 * @returns `undefined` where it can be run.
 */
export async function refusalOf(wanted: readonly string[], root: URL): Promise<Refusal | undefined> {
  const { own } = partsOf(wanted);
  const bare = own.find((word, i) => VALUED.has(word) && (own[i + 1] ?? "-").startsWith("-"));
  if (bare !== undefined) return { code: EXIT.usage, why: `${bare} needs a value, as in ${bare}=VALUE` };
  const paths = pathsIn(own).filter((path) => !/[*?[\]{}]|^[a-z]+:/.test(path));
  for (const path of paths) {
    if (await isThere(path, root)) continue;
    return {
      code: EXIT.usage,
      why: `${JSON.stringify(path)} is not there; give test files or folders, from the project's root`,
    };
  }
  if (paths.length === 0 || paths.length < pathsIn(own).length) return undefined;
  const files = (await testFiles(root)).map((file) => urlOf(file, root).href);
  const holds = (path: string) => {
    const url = urlFrom(path, root).href.replace(/\/$/, "");
    return !url.startsWith(root.href.replace(/\/$/, "")) ||
      files.some((file) => file === url || file.startsWith(`${url}/`));
  };
  return paths.some(holds) ? undefined : { code: EXIT.nothing, why: nothingIn(paths) };
}

/** Where a path is that somebody has typed: it may be absolute, or go up. */
function urlFrom(path: string, root: URL): URL {
  return new URL(path.split("/").map(encodeURIComponent).join("/"), root);
}

async function isThere(path: string, root: URL): Promise<boolean> {
  return await Deno.stat(urlFrom(path, root)).then(() => true, () => false);
}

function nothingIn(paths: readonly string[]): string {
  return `nothing was selected: there is no test in ${paths.join(", ")}; tests are in files called NAME_test.ts`;
}

/** How many tests have run, of a report in JUnit's form: those that were filtered out or ignored are told as skipped. */
export function ranIn(junit: string): number {
  const count = (element: string) => junit.split(`<${element}`).length - 1;
  return count("testcase ") - count("skipped/>");
}

/** What `deno test` has against the options, in a line; nothing is run. */
async function problemOf(args: readonly string[]): Promise<string | undefined> {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args, "--help"],
    env: { NO_COLOR: "1" },
    stdout: "null",
  }).output();
  if (code === 0) return undefined;
  const [line = ""] = new TextDecoder().decode(stderr).split("\n");
  return `${line.replace(/^error: /, "")}; options are those of deno test`;
}

async function refuse({ code, why }: Refusal): Promise<number> {
  await Deno.stderr.write(new TextEncoder().encode(`deno task test: ${why}\n`));
  return code;
}

const ROOT: URL = new URL("../../", import.meta.url);

async function main(args: readonly string[]): Promise<number> {
  const end = args.indexOf("--");
  const [given, wanted] = [args.slice(0, end), args.slice(end + 1)];
  const refusal = await refusalOf(wanted, ROOT);
  if (refusal !== undefined) return await refuse(refusal);
  const options = partsOf(wanted).own;
  const problem = options.some((word) => word.startsWith("-")) ? await problemOf([...given, ...options]) : undefined;
  if (problem !== undefined) return await refuse({ code: EXIT.usage, why: problem });
  const { all, words } = await wordsOf(wanted, () => writeEntries(ROOT));
  await Deno.mkdir(new URL(ENTRIES, ROOT), { recursive: true });
  // Beside what it prints. Whoever wants such a file has the last word on where it is.
  const junit = fileURLToPath(new URL(`${ENTRIES}/${Deno.pid}.xml`, ROOT));
  const child = new Deno.Command(Deno.execPath(), {
    // In a folder that is given there may be entries of an earlier run.
    args: [...given, ...all ? [] : ["--ignore=reports/runs"], `--junit-path=${junit}`, ...words],
    // One entry more than there are cores: many tests wait for a process, the registry or a deadline.
    env: all ? { DENO_JOBS: Deno.env.get("DENO_JOBS") ?? `${navigator.hardwareConcurrency + 1}` } : {},
  }).spawn();
  // Ctrl-C reaches the child by itself; what ends this process has to end it, too.
  Deno.addSignalListener("SIGINT", () => {});
  Deno.addSignalListener("SIGTERM", () => child.kill("SIGTERM"));
  const { code } = await child.status;
  // None of a run that was none, such as with --help.
  const report = await Deno.readTextFile(junit).catch(() => undefined);
  await Deno.remove(junit).catch(() => {});
  if (code !== 0 || report === undefined || ranIn(report) > 0) return code;
  const why = `nothing was selected: no test has run; look at the filter and the paths: ${wanted.join(" ")}`;
  return await refuse({ code: EXIT.nothing, why });
}

if (import.meta.main) Deno.exit(await main(Deno.args));
