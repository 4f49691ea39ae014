/**
 * Runs the MCP project's conformance suite against a server, in a process of its own. The suite is fetched from the npm
 * registry when it is run first; nothing else needs it.
 */
import { fileURLToPath } from "node:url";

const SUITE = "npm:@modelcontextprotocol/conformance@0.1.16";

/** The failures that are known of the fixture in this folder. */
export const EXPECTED_FAILURES: string = fileURLToPath(new URL("./expected_failures.yml", import.meta.url));

/** What became of a run. */
export interface ConformanceReport {
  /** The suite's exit code: 0 if exactly the expected failures came about. */
  readonly code: number;
  /** Scenarios in which at least one check passed and none failed, and that nobody expected to fail. */
  readonly passed: readonly string[];
  /** Scenarios that were expected to fail, and did. */
  readonly expected: readonly string[];
  /** All other scenarios: those that failed, and those in which nothing was checked. */
  readonly rest: readonly string[];
  /** Everything that the suite printed. */
  readonly output: string;
}

/** Options of {@linkcode runConformance}. */
export interface ConformanceOptions {
  /**
   * The suite's expected-failures file.
   *
   * @default EXPECTED_FAILURES
   */
  expectedFailures?: string;
  /**
   * Which of the suite's scenarios: `pending` are those that it does not hold against anybody yet.
   *
   * @default "all"
   */
  suite?: "all" | "active" | "pending";
}

/**
 * Runs the server scenarios. Needs `--allow-run`, and `--allow-read` of the expected failures; the suite's own process gets
 * read, env and loopback permissions.
 *
 * @param url The endpoint, on loopback.
 */
export async function runConformance(
  url: string,
  { expectedFailures = EXPECTED_FAILURES, suite = "all" }: ConformanceOptions = {},
): Promise<ConformanceReport> {
  const permissions = [`--allow-read=${expectedFailures}`, "--allow-env", "--allow-net=127.0.0.1"];
  const asked = ["server", "--url", url, "--suite", suite, "--expected-failures", expectedFailures];
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    // Without this project's lock file, which the suite's packages are no part of.
    args: ["run", "--quiet", "--no-prompt", "--no-config", "--no-lock", ...permissions, SUITE, ...asked],
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, ...parseReport(decoder.decode(stdout)), output: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** Reads the summary. The suite's own mark beside a scenario is not used: it is a tick even where nothing was checked. */
export function parseReport(text: string): Pick<ConformanceReport, "passed" | "expected" | "rest"> {
  // deno-lint-ignore no-control-regex
  const plain = text.replace(/\u001b\[[0-9;]*m/g, "");
  const expected = [...plain.matchAll(/^ {2}~ (\S+)$/gm)].flatMap(([, name]) => name ?? []);
  const passed: string[] = [];
  const rest: string[] = [];
  for (const [, name, good, bad] of plain.matchAll(/^\S (\S+): (\d+) passed, (\d+) failed$/gm)) {
    if (name === undefined || expected.includes(name)) continue;
    (Number(good) > 0 && Number(bad) === 0 ? passed : rest).push(name);
  }
  return { passed, expected, rest };
}
