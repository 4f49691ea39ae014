import { nearest } from "../core/mod.ts";
import type { Fixture } from "./fixture.ts";
import { FIXTURES } from "./fixtures/registry.ts";

/** The command line cannot be understood, or asks for what cannot be had. */
export class UsageError extends Error {}

/** What `serve` is asked for. */
export interface ServeArgs {
  /** What to serve. */
  readonly fixture: Fixture;
  /** The JSON file with its data. */
  readonly file: string | undefined;
  /** Given, it is served over HTTP rather than over stdio. */
  readonly http: { readonly port: number; readonly json: boolean } | undefined;
}

const OPTIONS = "there are --data FILE.json, --http, --port N and --json";

/**
 * Reads the command line.
 *
 * @throws {UsageError} Saying what is allowed.
 */
export function parseServeArgs(args: readonly string[]): ServeArgs {
  let name: string | undefined;
  let file: string | undefined;
  let port: number | undefined;
  const flags = { "--http": false, "--json": false };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (arg === "--data") {
      file = args[++i];
      if (file === undefined) throw new UsageError("--data needs the name of a JSON file");
    } else if (arg === "--port") {
      port = portOf(args[++i]);
    } else if (arg === "--http" || arg === "--json") {
      flags[arg] = true;
    } else if (arg.startsWith("-")) {
      throw new UsageError(`unknown option ${arg}: ${OPTIONS}`);
    } else if (name !== undefined) {
      throw new UsageError(`one fixture at a time: ${name} or ${arg}`);
    } else {
      name = arg;
    }
  }
  if (!flags["--http"] && (port !== undefined || flags["--json"])) {
    throw new UsageError(`${port === undefined ? "--json" : "--port"} goes with --http`);
  }
  const http = flags["--http"] ? { port: port ?? 0, json: flags["--json"] } : undefined;
  return { fixture: fixtureOf(name), file, http };
}

function portOf(text: string | undefined): number {
  const port = text !== undefined && /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new UsageError("--port needs a number from 0 to 65535; 0 takes a free port");
}

function fixtureOf(name: string | undefined): Fixture {
  const allowed = [...FIXTURES.keys()].join(", ");
  if (name === undefined) throw new UsageError(`which fixture? One of ${allowed}`);
  const fixture = FIXTURES.get(name);
  if (fixture !== undefined) return fixture;
  const near = nearest(name, FIXTURES.keys());
  throw new UsageError(
    `unknown fixture "${name}"${near === undefined ? "" : ` (did you mean "${near}"?)`}: one of ${allowed}`,
  );
}
