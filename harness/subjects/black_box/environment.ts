/** What a foreign subject is told, and how: the variables of its process and the body of its request. */
import { fileURLToPath } from "node:url";
import type { Crew, Topology } from "../../../agents/mod.ts";
import type { ForeignWorld } from "../foreign.ts";
import type { Doors } from "./doors.ts";

const SHIM = fileURLToPath(new URL("./shim.mjs", import.meta.url));

/** The variable in which the shim finds what lets it in. */
const DOOR = "BROWNOUT_DOOR";

/** Stands for a key wherever a client insists on one. It opens nothing. */
const NO_KEY = "brownout-opens-nothing";

/** How an MCP client is told of a server. */
export interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The file that MCP clients know. */
export interface McpConfig {
  readonly mcpServers: Readonly<Record<string, McpServer>>;
}

/** All that a foreign subject is told. */
export interface Told {
  /** What the user asks. */
  readonly request: string;
  /** How long it may take, in milliseconds. */
  readonly deadlineMs: number;
  /** Base of the model endpoint, without `/v1`. */
  readonly modelUrl: string;
  /** Its servers. */
  readonly mcp: McpConfig;
  /** The crew whose part it plays, for whoever wants to play it with the same parts. */
  readonly crew: ToldCrew;
}

/** What a foreign subject is told of a crew. */
export interface ToldCrew {
  readonly name: string;
  /** How its agents work together: `supervisor`, with a planner first, or `peer`, with `triage` first. */
  readonly topology: Topology;
  readonly specialists: readonly {
    readonly name: string;
    readonly role: string;
    /** Allowlist entries, as `orders` or `orders.find_order`. */
    readonly tools: readonly string[];
    readonly maxSteps: number;
  }[];
  /** What is known from earlier, for when a specialist fails. Whoever uses it says so. */
  readonly fallbacks: readonly Pick<Crew["fallbacks"][number], "specialist" | "asOf" | "source" | "text">[];
}

/** What runs the shim: a program and the arguments before the shim's own. */
export interface ShimRunner {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Node if it is on the path, because it starts faster; else the Deno that this runs on.
 *
 * @param path The variable `PATH`.
 */
export async function shimRunner(path: string): Promise<ShimRunner> {
  const node = await findProgram("node", path);
  if (node !== undefined) return { command: node, args: [SHIM] };
  return {
    command: Deno.execPath(),
    args: ["run", "--quiet", "--no-prompt", "--no-config", "--allow-net=127.0.0.1", `--allow-env=${DOOR}`, SHIM],
  };
}

/**
 * Looks a program up as a shell would.
 *
 * @param cwd Where relative paths with a slash begin.
 * @returns Its path, or nothing if there is none.
 */
export async function findProgram(name: string, path: string, cwd = "."): Promise<string | undefined> {
  const candidates = name.includes("/")
    ? [name.startsWith("/") ? name : `${cwd}/${name}`]
    : path.split(":").filter((folder) => folder !== "").map((folder) => `${folder}/${name}`);
  for (const candidate of candidates) {
    const { isFile, mode } = await Deno.stat(candidate).catch(() => ({ isFile: false, mode: null }));
    if (isFile && (mode === null || (mode & 0o111) !== 0)) return candidate;
  }
  return undefined;
}

/** What a subject is told of its cell. */
export function tell(
  { request, crew, deadlineMs, ports, topology = "supervisor" }: Pick<
    ForeignWorld,
    "request" | "crew" | "deadlineMs" | "ports" | "topology"
  >,
  { modelUrl, doors: { place, token }, runner }: {
    readonly modelUrl: string;
    readonly doors: Pick<Doors, "place" | "token">;
    readonly runner: ShimRunner;
  },
): Told {
  const servers = ports.map(({ name }) =>
    // Arguments can be read by everybody on the machine, an environment cannot.
    [name, { command: runner.command, args: [...runner.args, place, name], env: { [DOOR]: token } }] as const
  );
  return {
    request,
    deadlineMs,
    modelUrl,
    mcp: { mcpServers: Object.fromEntries(servers) },
    crew: summary(crew, topology),
  };
}

function summary({ name, specialists, fallbacks }: Crew, topology: Topology): ToldCrew {
  return {
    name,
    topology,
    specialists: specialists.map(({ name, role, toolAllow, maxSteps }) => ({ name, role, tools: toolAllow, maxSteps })),
    fallbacks: fallbacks.map(({ specialist, asOf, source, text }) => ({ specialist, asOf, source, text })),
  };
}

/** What of this process's environment a subject's has: where programs are, who runs them, and the language. */
const PASSED_ON = ["PATH", "HOME", "LANG", "LC_ALL"] as const;

/** Those of them that this process may read and has. */
export function passedOn(): Record<string, string> {
  return Object.fromEntries(PASSED_ON.flatMap((variable) => {
    if (Deno.permissions.querySync({ name: "env", variable }).state !== "granted") return [];
    const value = Deno.env.get(variable);
    return value === undefined ? [] : [[variable, value]];
  }));
}

/**
 * The whole environment of a subject's process.
 *
 * @param folder Its own temporary folder, which holds its `mcp.json`.
 * @param cell What marks the cell's processes.
 */
export function environmentOf(
  { request, deadlineMs, modelUrl, crew }: Told,
  { folder, cell }: { readonly folder: string; readonly cell: string },
): Record<string, string> {
  return {
    LANG: "C.UTF-8",
    ...passedOn(),
    TMPDIR: folder,
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_API_BASE: `${modelUrl}/v1`,
    OPENAI_API_KEY: NO_KEY,
    // Anthropic's clients put /v1 behind it themselves.
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: NO_KEY,
    BROWNOUT_MODEL_URL: modelUrl,
    BROWNOUT_REQUEST: request,
    BROWNOUT_MCP_CONFIG: `${folder}/mcp.json`,
    BROWNOUT_DEADLINE_MS: String(deadlineMs),
    BROWNOUT_CREW: JSON.stringify(crew),
    BROWNOUT_CELL: cell,
  };
}
