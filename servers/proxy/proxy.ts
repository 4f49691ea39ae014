/** Which of the proxy's ways is meant. What a way needs is loaded when it is taken. */
import { type ProxyOptions, ProxyUsageError } from "./options.ts";

/**
 * Runs a proxy until its client or its server ends, or the signal aborts. Whatever it has started has ended when it
 * returns.
 *
 * @returns The exit code: the server's own, where it is a command.
 * @throws {ProxyUsageError} If something that is asked for cannot be had.
 */
export async function runProxy(options: ProxyOptions): Promise<number> {
  const { command, upstream, listen, specs = [], file, record, broker, name } = options;
  if ((upstream === undefined) === (command.length === 0)) {
    throw new ProxyUsageError("which server? Give either --upstream URL, or -- and a command with its arguments");
  }
  if (upstream !== undefined && !/^https?:\/\/./.test(upstream)) {
    throw new ProxyUsageError(
      `--upstream ${JSON.stringify(upstream)} is no URL of an HTTP server, such as http://127.0.0.1:8080/mcp`,
    );
  }
  if (upstream !== undefined && broker !== undefined) {
    throw new ProxyUsageError("--broker goes with a command that runs under Deno");
  }
  if (!/^(?!agent:)[^.\s*]+$/.test(name)) {
    throw new ProxyUsageError(`--name ${JSON.stringify(name)} is no name of a server: use a word without a dot`);
  }
  const idle = specs.length === 0 && file === undefined && record === undefined && broker === undefined;
  if (idle && upstream === undefined && listen === undefined) {
    return await (await import("./straight.ts")).runStraight(options);
  }
  await keepStdoutClean();
  if (listen !== undefined) {
    if (upstream === undefined) return await (await import("./front.ts")).runFront(options, listen);
    return await (await import("./reverse.ts")).runReverse({ ...options, upstream }, listen, idle);
  }
  return await (await import("./stdio_link.ts")).runStdioLink(options);
}

/** Stdout belongs to the protocol, whatever a dependency may print. */
async function keepStdoutClean(): Promise<void> {
  const { Console } = await import("node:console");
  const { stderr } = await import("node:process");
  globalThis.console = new Console(stderr);
}
