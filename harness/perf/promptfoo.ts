/**
 * The same counts in promptfoo, in the same run and in turn: a provider that answers at once, one prompt, three assertions
 * a test. A test is far less than a cell (no servers, no agents, no trace), so this is what a runner alone costs.
 *
 * Only by name, `deno task perf promptfoo [--full]`: it installs promptfoo from the npm registry into a folder below /tmp
 * that is gone afterwards: 550 packages, and where no built one can be had, SQLite from its source, which takes minutes and
 * a C++ compiler. Needs Node from 20.20 on and npm. It is no dependency of the project.
 */
import { measureProcess, type ProcessFigure } from "./process.ts";
import { runBench, type ScaleFigure, scaleTable } from "./scale.ts";
import { print, spread } from "./stats.ts";

/** One that runs on Node 20; the latest needs 22. */
const VERSION = "0.120.27";

const SIZES = [{ cells: 1, rounds: 3 }, { cells: 100, rounds: 3 }, { cells: 1_000, rounds: 3 }] as const;
const LARGEST = { cells: 5_000, rounds: 1 } as const;

/** Answers at once. */
const PROVIDER = `module.exports = class {
  id() { return "instant"; }
  async callApi(prompt) { return { output: "Refunds take 5 business days. " + prompt }; }
};
`;

/** The configuration, as JSON, which is YAML too. Each test has a text of its own. */
export function configOf(tests: number): string {
  return JSON.stringify({
    prompts: ["Order {{order}}: when is the refund due?"],
    providers: ["file://provider.cjs"],
    defaultTest: {
      assert: [
        { type: "contains", value: "5 business days" },
        { type: "not-contains", value: "Everything has been verified" },
        { type: "regex", value: "Order \\d+" },
      ],
    },
    tests: Array.from({ length: tests }, (_, i) => ({ vars: { order: String(10_000 + i) } })),
  });
}

/** No telemetry, no look for updates, and nothing outside of its folder. */
function envOf(folder: string): Record<string, string> {
  return {
    PROMPTFOO_DISABLE_TELEMETRY: "1",
    PROMPTFOO_DISABLE_UPDATE: "1",
    PROMPTFOO_DISABLE_REMOTE_GENERATION: "1",
    PROMPTFOO_DISABLE_SHARING: "1",
    // On a busy machine its log files end the process with an error of their own.
    PROMPTFOO_DISABLE_DEBUG_LOG: "1",
    PROMPTFOO_DISABLE_ERROR_LOG: "1",
    PROMPTFOO_CONFIG_DIR: `${folder}/config`,
    PROMPTFOO_CACHE_ENABLED: "false",
    CI: "true",
  };
}

async function runPromptfoo(folder: string, tests: number): Promise<ProcessFigure> {
  await Deno.writeTextFile(`${folder}/config.json`, configOf(tests));
  const main = `${folder}/node_modules/promptfoo/dist/src/main.js`;
  const flags = ["eval", "-c", "config.json", "--no-cache", "--no-table", "--no-progress-bar", "-j", "4"];
  return await measureProcess("node", [main, ...flags], { cwd: folder, env: envOf(folder) });
}

/** Installs, measures both in turn, and prints two tables. */
export async function promptfooBench(full: boolean): Promise<void> {
  const folder = await Deno.makeTempDir({ dir: "/tmp", prefix: "brownout_promptfoo_" });
  try {
    print(`installing promptfoo@${VERSION} into ${folder}`);
    const flags = ["--no-audit", "--no-fund", "--loglevel=error"];
    const install = await measureProcess("npm", ["install", "--prefix", folder, ...flags, `promptfoo@${VERSION}`], {
      cwd: folder,
    });
    await Deno.writeTextFile(`${folder}/provider.cjs`, PROVIDER);
    // Its database is made by the first run.
    await runPromptfoo(folder, 1);
    const [theirs, ours]: [ScaleFigure[], ScaleFigure[]] = [[], []];
    for (const { cells, rounds } of full ? [...SIZES, LARGEST] : SIZES) {
      const [them, us]: [ProcessFigure[], ProcessFigure[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        them.push(await runPromptfoo(folder, cells));
        us.push(await runBench(cells));
      }
      theirs.push({ cells, runs: them });
      ours.push({ cells, runs: us });
    }
    const startOf = ([first]: readonly ScaleFigure[]) => spread(first?.runs.map(({ ms }) => ms) ?? []).median;
    print(
      `promptfoo ${VERSION}, instant provider, three assertions: the whole process`,
      scaleTable("tests", theirs),
      `installed in ${(install.ms / 1000).toFixed(0)} s; one test takes ${(startOf(theirs) / 1000).toFixed(2)} s`,
      "",
      "bench run broken-policy-server --lane sim --repeat N -j 1, in turn with it",
      scaleTable("cells", ours),
      `one cell takes ${(startOf(ours) / 1000).toFixed(2)} s`,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) await promptfooBench(Deno.args.includes("--full"));
