/** `bench proxy`: the injector around anybody's MCP server. */
import { resolve } from "node:path/posix";
import { oneLine } from "../../core/text.ts";
import { type ProxyOptions, ProxyUsageError, runProxy } from "../../servers/proxy/mod.ts";
import { UsageError } from "./exit.ts";
import type { CliIo } from "./io.ts";

/** Options of `proxy` as the command line has them. */
interface ProxyFlags {
  readonly fault?: readonly string[];
  readonly faults?: string;
  readonly name: string;
  readonly seed: string;
  readonly record?: string;
  readonly listen?: string;
  readonly upstream?: string;
  readonly wait: string;
  readonly broker?: string;
}

/** See {@linkcode CommandModule}. */
export async function execute(command: readonly string[], flags: ProxyFlags, io: CliIo): Promise<number> {
  try {
    return await runProxy(optionsOf(command, flags, io));
  } catch (error) {
    if (error instanceof ProxyUsageError) throw new UsageError(error.message);
    throw error;
  }
}

function optionsOf(command: readonly string[], flags: ProxyFlags, io: CliIo): ProxyOptions {
  const { fault, faults, name, seed, record, listen, upstream, wait, broker } = flags;
  return {
    command,
    name,
    seed,
    cwd: io.cwd,
    signal: io.signal,
    waitMs: timeOf(wait),
    say: (line) => io.err(`proxy: ${oneLine(line)}\n`),
    ...(fault === undefined ? {} : { specs: fault }),
    ...(faults === undefined ? {} : { file: resolve(io.cwd, faults) }),
    ...(record === undefined ? {} : { record: resolve(io.cwd, record) }),
    ...(listen === undefined ? {} : { listen: portOf(listen) }),
    ...(upstream === undefined ? {} : { upstream }),
    ...(broker === undefined ? {} : { broker }),
  };
}

function timeOf(text: string): number {
  const [, amount = "", unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
  const ms = Number(amount) * ({ ms: 1, s: 1000, m: 60_000 }[unit] ?? NaN);
  // Timers of the runtime keep no longer time.
  if (ms < 2 ** 31) return ms;
  throw new UsageError(`--wait ${JSON.stringify(text)} is no time: write 500ms, 30s or 10m`);
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`--listen ${JSON.stringify(text)} is no port: a number from 0 to 65535; 0 takes a free one`);
}
