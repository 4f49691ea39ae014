/**
 * Serves one fixture, for any MCP client: over stdio, or over HTTP on loopback.
 *
 *     deno run --no-prompt servers/serve.ts orders
 *     deno run --no-prompt --allow-net=127.0.0.1 servers/serve.ts orders --http --port 8080
 *
 * Needs no permission but to listen (`--http`) and to read the file that `--data` names.
 *
 * @module
 */
import { Console } from "node:console";
import process from "node:process";
import { type ByteConnection, oneLine, RealClock, stdioConnection } from "../core/mod.ts";
import { z } from "zod";
import { FixtureHost } from "./fixture_host.ts";
import { FixtureServer, type FixtureState } from "./fixture_server.ts";
import { parseServeArgs, type ServeArgs, UsageError } from "./serve_args.ts";

/**
 * Serves until stdin ends, or over HTTP until the process is interrupted or told to end.
 *
 * @param args The fixture's name; `--data FILE.json` to give it other data; `--http` to serve over HTTP, with `--port N`
 *   for a port that is known ahead and `--json` for answers in plain JSON instead of event streams.
 * @returns The exit code: 0, or 2 if the arguments cannot be used, which one line on stderr explains.
 */
export async function main(args: readonly string[]): Promise<number> {
  // Stdout belongs to the protocol, whatever a dependency may print.
  globalThis.console = new Console(process.stderr);
  try {
    const parsed = parseServeArgs(args);
    if (parsed.http === undefined) await overStdio(parsed);
    else await overHttp(parsed, parsed.http);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    say(oneLine(error.message));
    return 2;
  }
}

async function overStdio({ fixture, file }: ServeArgs): Promise<void> {
  const server = new FixtureServer(fixture, answeringToTheEnd(stdioConnection()));
  bind(server, file);
  await server.start();
  await server.closed;
}

async function overHttp({ fixture, file }: ServeArgs, http: NonNullable<ServeArgs["http"]>): Promise<void> {
  const host = new FixtureHost(fixture);
  bind(host, file);
  // Loaded only here: over stdio nobody needs it.
  const { serveFixture } = await import("./http/mod.ts");
  const listen = () => {
    try {
      return serveFixture(host, http);
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) {
        throw new UsageError("no permission to listen: run deno with --allow-net=127.0.0.1");
      }
      if (error instanceof Deno.errors.AddrInUse) throw new UsageError(`port ${http.port} is taken`);
      if (error instanceof Deno.errors.PermissionDenied) throw new UsageError(`port ${http.port} is the system's`);
      throw error;
    }
  };
  const front = listen();
  const ended = untilToldToEnd();
  say(`${fixture.id} at ${front.url}`);
  await ended;
  host.end();
  await front.close();
}

/** Resolves when somebody wants this process to end, and would otherwise end it in the middle of an answer. */
function untilToldToEnd(): Promise<void> {
  const signals: Deno.Signal[] = ["SIGINT", ...(Deno.build.os === "windows" ? [] : ["SIGTERM" as const])];
  return new Promise((resolve) => {
    const end = () => {
      for (const signal of signals) Deno.removeSignalListener(signal, end);
      resolve();
    };
    for (const signal of signals) Deno.addSignalListener(signal, end);
  });
}

function say(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`serve: ${line}\n`));
}

/**
 * Lets what has been read be answered, and the answers be written, before the end of stdin ends everything:
 * `echo … | serve orders` must answer, also where whoever called `main` ends the process right after it.
 */
function answeringToTheEnd(stdio: ByteConnection): ByteConnection {
  const writes = new Set<Promise<void>>();
  return {
    ...stdio,
    write(chunk) {
      const written = Promise.resolve(stdio.write(chunk)).finally(() => writes.delete(written));
      writes.add(written);
      return written;
    },
    open: (reader) =>
      stdio.open({
        ...reader,
        closed: () =>
          void setTimeout(async () => {
            await Promise.allSettled(writes);
            reader.closed();
          }, 0),
      }),
  };
}

function bind(server: { bind(state: FixtureState): void }, file: string | undefined): void {
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
