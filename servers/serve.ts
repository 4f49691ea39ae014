/**
 * Serves one fixture over stdio, for any MCP client:
 *
 *     deno run --no-prompt servers/serve.ts orders
 *
 * Needs no permission, but to read the file that `--data` names.
 *
 * @module
 */
import { Console } from "node:console";
import process from "node:process";
import { type ByteConnection, nearest, oneLine, RealClock, stdioConnection } from "../core/mod.ts";
import { z } from "zod";
import type { Fixture } from "./fixture.ts";
import { FixtureServer } from "./fixture_server.ts";
import { FIXTURES } from "./fixtures/registry.ts";

/** The command line cannot be understood, or names data that cannot be used. */
class UsageError extends Error {}

/**
 * Serves until stdin ends.
 *
 * @param args The fixture's name, and `--data FILE.json` to give it other data.
 * @returns The exit code: 0, or 2 if the arguments cannot be used, which one line on stderr explains.
 */
export async function main(args: readonly string[]): Promise<number> {
  // Stdout belongs to the protocol, whatever a dependency may print.
  globalThis.console = new Console(process.stderr);
  try {
    const { fixture, file } = parseArgs(args);
    const server = new FixtureServer(fixture, answeringToTheEnd(stdioConnection()));
    bind(server, file);
    await server.start();
    await server.closed;
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    Deno.stderr.writeSync(new TextEncoder().encode(`serve: ${oneLine(error.message)}\n`));
    return 2;
  }
}

/** Lets what has been read be answered before the end of stdin ends everything: `echo … | serve orders` must answer. */
function answeringToTheEnd(stdio: ByteConnection): ByteConnection {
  return {
    ...stdio,
    open: (reader) => stdio.open({ ...reader, closed: () => void setTimeout(() => reader.closed(), 0) }),
  };
}

function parseArgs(args: readonly string[]): { fixture: Fixture; file: string | undefined } {
  let name: string | undefined;
  let file: string | undefined;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (arg === "--data") {
      file = args[++i];
      if (file === undefined) throw new UsageError("--data needs the name of a JSON file");
    } else if (arg.startsWith("-")) {
      throw new UsageError(`unknown option ${arg}: there is --data FILE.json`);
    } else if (name !== undefined) {
      throw new UsageError(`one fixture at a time: ${name} or ${arg}`);
    } else {
      name = arg;
    }
  }
  const allowed = [...FIXTURES.keys()].join(", ");
  if (name === undefined) throw new UsageError(`which fixture? One of ${allowed}`);
  const fixture = FIXTURES.get(name);
  if (fixture !== undefined) return { fixture, file };
  const near = nearest(name, FIXTURES.keys());
  throw new UsageError(
    `unknown fixture "${name}"${near === undefined ? "" : ` (did you mean "${near}"?)`}: one of ${allowed}`,
  );
}

function bind(server: FixtureServer, file: string | undefined): void {
  const clock = new RealClock();
  if (file === undefined) return server.bind({ clock });
  try {
    server.bind({ data: JSON.parse(Deno.readTextFileSync(file)), clock });
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) {
      throw new UsageError(`${file} may not be read: run deno with --allow-read=${file}`);
    }
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new UsageError(`${file}: ${why}`);
  }
}

if (import.meta.main) Deno.exitCode = await main(Deno.args);
