/**
 * `deno task bench:live`: the bench with what live models need, and no more. It starts `bench` under a lock file of its own,
 * so that nobody else downloads the clients, and with the network and the keys of those providers alone that the command
 * line names.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import {
  API_KEY,
  BASE_URL,
  type ModelSpec,
  parseModelChoice,
  type ProviderName,
  specsOf,
} from "../../agents/models/live/choice.ts";
import { COMMANDS } from "../cli/commands.ts";
import { EXIT } from "../cli/exit.ts";

const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));

/** The lock file with the clients in it. */
export const LIVE_LOCK = "deno.live.lock";

/** Variables that the bench reads whatever it does; the same as in the task `bench`. */
// deno-fmt-ignore
export const BENCH_VARIABLES: readonly string[] = [
  "INIT_CWD", "NO_COLOR", "BROWNOUT_DEBUG", "GITHUB_ACTIONS", "LOG_TOKENS", "LOG_STREAM", "PATH", "HOME", "DENO_DIR",
  "XDG_CACHE_HOME", "TMPDIR", "TERM", "COLORTERM", "NODE_DISABLE_COLORS", "TMUX", "TF_BUILD", "CI", "TEAMCITY_VERSION",
  "TERM_PROGRAM", "ACCESSIBLE", "LANG", "LC_ALL", "DENO_CERT", "DENO_TLS_CA_STORE", "SSL_CERT_FILE", "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS", "NPM_CONFIG_REGISTRY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
];

/** What each client reads. Anthropic's stops at the first of its many that it may not read. */
const VARIABLES: Readonly<Record<ProviderName, readonly string[]>> = {
  anthropic: ["ANTHROPIC_*"],
  openai: [API_KEY.openai, BASE_URL.openai],
  compatible: [API_KEY.compatible],
};

const HOSTS = { anthropic: "api.anthropic.com", openai: "api.openai.com" } as const;

/** The models that a command line names, wherever they stand in it. What cannot be read is left for the bench to refuse. */
export function modelsIn(args: readonly string[]): ModelSpec[] {
  return args.flatMap((arg) => {
    try {
      const choice = parseModelChoice([arg.replace(/^--(?:model|judge)=/, "")]);
      return choice === undefined ? [] : specsOf(choice);
    } catch (error) {
      if (error instanceof RangeError) return [];
      throw error;
    }
  });
}

/**
 * The words that start the bench.
 *
 * @param args The words after the program's name.
 * @param cwd Where the user stands.
 * @param env Reads a variable: addresses alone, never a key.
 */
export function liveArgs(args: readonly string[], cwd: string, env: (name: string) => string | undefined): string[] {
  const models = modelsIn(args);
  const net = new Set(["127.0.0.1", ...models.flatMap((spec) => hostOf(spec, env) ?? [])]);
  const variables = models.flatMap(({ provider }) => VARIABLES[provider]);
  return [
    "run",
    "--quiet",
    `--lock=${LIVE_LOCK}`,
    "--frozen",
    "--no-prompt",
    "--allow-read",
    // A comma in a path would begin another one, and nothing can be put before it.
    `--allow-write=${["reports/runs", ...(cwd.includes(",") ? [] : [cwd]), "/tmp"].join(",")}`,
    `--allow-env=${[...new Set([...BENCH_VARIABLES, ...variables])].join(",")}`,
    "--allow-run",
    `--allow-net=${[...net].join(",")}`,
    "harness/cli/main.ts",
    ...args,
  ];
}

function hostOf(spec: ModelSpec, env: (name: string) => string | undefined): string | undefined {
  const { provider, baseUrl } = spec;
  const address = provider === "compatible" ? baseUrl : env(BASE_URL[provider])?.trim() || `https://${HOSTS[provider]}`;
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { host } = new URL(address);
  // A comma would be another host.
  return /^[\w.:[\]-]+$/.test(host) ? host : undefined;
}

/**
 * Why a command line asks nobody, in one line; nothing where it does, or where it is another command's. Such a run would be
 * the script's, and green.
 */
export function asksNobody(args: readonly string[]): string | undefined {
  const has = (...flags: readonly string[]) =>
    args.some((arg) => flags.some((flag) => arg === flag || arg.startsWith(`${flag}=`)));
  const [word = ""] = args;
  const isRun = word === "run" || !COMMANDS.some(({ name }) => name === word);
  if (!isRun || has("--model", "--judge", "--help", "-h")) return undefined;
  if (has("--replay")) return "--replay asks no live model: use deno task bench";
  return "no live model is chosen: give --model, as in --model anthropic:NAME; without one use deno task bench";
}

async function main(args: readonly string[]): Promise<number> {
  const problem = asksNobody(args);
  if (problem !== undefined) {
    await Deno.stderr.write(new TextEncoder().encode(`brownout: ${problem}\n`));
    return EXIT.usage;
  }
  const cwd = Deno.env.get("INIT_CWD") ?? Deno.cwd();
  const child = new Deno.Command(Deno.execPath(), {
    args: liveArgs(args, cwd, (name) => Deno.env.get(name)),
    cwd: ROOT,
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  // A terminal sends its interrupt to both, and the bench decides what it means.
  Deno.addSignalListener("SIGINT", () => {});
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", () => child.kill("SIGTERM"));
  return (await child.status).code;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
