/** `bench endpoint`: models over HTTP on loopback, scripted by a scenario or forwarded to a provider, with faults between. */
import { resolve } from "node:path/posix";
import { ScriptedModel } from "../../agents/mod.ts";
import { CodedError, oneLine, RealClock } from "../../core/mod.ts";
import { type Backend, endpoint } from "../../servers/endpoint/mod.ts";
import { type FaultEntry, faultEntrySchema, FAULTS } from "../../servers/mod.ts";
import type { NextTurn } from "../../servers/model/mod.ts";
import { readYaml, unknownFault } from "../../servers/proxy/mod.ts";
import { scriptOf } from "../runner/script.ts";
import { formatProblem, resolveFound } from "../scenario/mod.ts";
import { EXIT, UsageError } from "./exit.ts";
import type { CliIo } from "./io.ts";
import { select } from "./select.ts";

/** Options of `endpoint` as the command line has them. */
interface EndpointFlags {
  readonly scenario?: string;
  readonly forward?: string;
  readonly passCredentials?: true;
  readonly fault?: readonly string[];
  readonly faults?: string;
  readonly port: string;
  readonly seed: string;
  readonly token?: string;
}

/** See {@linkcode CommandModule}. Ends when the user interrupts. */
export async function execute(_operands: readonly string[], flags: EndpointFlags, io: CliIo): Promise<number> {
  const clock = new RealClock();
  const { backend, agents } = await backendOf(flags, io, clock);
  const faults = await faultsOf(flags, io);
  const { seed, token } = flags;
  await using up = await endpoint({
    backend,
    faults,
    seed,
    clock,
    port: portOf(flags.port),
    // Every event on a line of its own; no header is in them, so no key.
    observer: (event) => io.out(`${JSON.stringify({ t: Math.round(clock.now()), ...event })}\n`),
    ...(agents === undefined ? {} : { agents }),
    ...(token === undefined ? {} : { token }),
  }).catch((error) => {
    throw new UsageError(`the endpoint cannot listen: ${error instanceof Error ? error.message : error}`);
  });
  io.err(`endpoint: OPENAI_BASE_URL=${up.url}/v1  ANTHROPIC_BASE_URL=${up.url}\n`);
  if (agents !== undefined) {
    io.err(`endpoint: one agent alone at ${up.url}/agents/NAME; agents: ${agents.join(", ")}\n`);
  }
  await new Promise<void>((end) => {
    if (io.signal.aborted) end();
    else io.signal.addEventListener("abort", () => end(), { once: true });
  });
  return EXIT.good;
}

async function backendOf(
  { scenario, forward, passCredentials }: EndpointFlags,
  io: CliIo,
  clock: RealClock,
): Promise<{ backend: Backend; agents?: string[] }> {
  if ((scenario === undefined) === (forward === undefined)) {
    throw new UsageError("give --scenario NAME to play its script, or --forward URL to stand before a provider");
  }
  if (forward !== undefined) {
    if (!URL.canParse(forward)) throw new UsageError(`--forward ${JSON.stringify(forward)} is no URL`);
    return { backend: { forward: { url: forward, ...(passCredentials ? { passCredentials } : {}) } } };
  }
  const found = resolveFound(await select([scenario ?? ""], io));
  if (!found.ok) throw new UsageError(found.problems.map(formatProblem).join("; "));
  const [first, ...others] = found.value;
  if (first === undefined || others.length > 0) {
    throw new UsageError(
      `--scenario ${JSON.stringify(scenario)} is ${found.value.length} scenarios; name one, as NAME or NAME/VARIANT`,
    );
  }
  const script = scriptOf(first);
  return { backend: { scripted: playedAgain(script, clock) }, agents: [...script.keys()] };
}

/**
 * Plays each agent's script in order. One that is used up begins anew with a conversation that does: whoever tries things
 * out runs a program more than once. A cell's script never does that.
 */
function playedAgain(script: ReturnType<typeof scriptOf>, clock: RealClock): NextTurn {
  const fresh = (agent: string) => {
    const turns = script.get(agent);
    return new ScriptedModel(new Map(turns === undefined ? [] : [[agent, turns]]), clock);
  };
  const models = new Map<string, ScriptedModel>();
  return async (call, signal) => {
    const { agent, messages } = call;
    const known = models.get(agent);
    const begins = messages.every(({ role }) => role === "user");
    const isUsedUp = known?.problems().every(({ kind }) => kind !== "unconsumed") ?? true;
    const model = known === undefined || begins && isUsedUp ? fresh(agent) : known;
    models.set(agent, model);
    try {
      return await model.next({ ...call, span: agent }, signal);
    } catch (error) {
      if (begins || !(error instanceof CodedError) || error.code !== "model_error") throw error;
      const hint = "this conversation is longer than the script; a new one begins the script anew";
      throw Object.assign(new CodedError("model_error", `${error.detail}: ${hint}`), { status: 404 });
    }
  };
}

/** Faults of the file, then those of the command line: `fault` or `fault:agent`, with their default parameters. */
async function faultsOf({ fault: specs = [], faults: file }: EndpointFlags, io: CliIo): Promise<FaultEntry[]> {
  const listed: unknown = file === undefined ? [] : await readYaml(resolve(io.cwd, file));
  if (!Array.isArray(listed)) throw new UsageError(`${file}: a file of faults is a list, as a scenario has it`);
  const fromFile = listed.map((raw, i) => parse(raw, `${file}: faults[${i}]`));
  const fromLine = specs.map((spec) => {
    const [id = "", agent = "*", ...more] = spec.split(":");
    if (more.length > 0 || spec.includes(",")) {
      throw new UsageError(
        `--fault ${JSON.stringify(spec)}: give fault or fault:agent here, and parameters in --faults FILE`,
      );
    }
    return parse({ fault: id, at: `agent:${agent}` }, `--fault ${JSON.stringify(spec)}`);
  });
  return [...fromFile, ...fromLine];
}

function parse(raw: unknown, where: string): FaultEntry {
  const id = typeof raw === "object" && raw !== null && "fault" in raw ? String(raw.fault) : "";
  const fault = FAULTS.get(id);
  if (fault === undefined) throw new UsageError(`${where}: ${unknownFault(id, FAULTS)}`);
  if (!fault.applies.includes("agent")) {
    throw new UsageError(`${where}: ${id} is a fault of servers; an endpoint has those of models`);
  }
  const entry = faultEntrySchema.safeParse(raw);
  if (!entry.success) {
    throw new UsageError(`${where}: ${oneLine(entry.error.issues.map(({ message }) => message).join("; "))}`);
  }
  return entry.data;
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`--port ${JSON.stringify(text)} is no port: a number from 0 to 65535; 0 takes a free one`);
}
