/** `bench serve`: one fixture, for any MCP client. */
import { resolve } from "node:path/posix";
import { main } from "../../servers/serve.ts";
import type { CliIo } from "./io.ts";

/** Options of `serve` as the command line has them. */
interface ServeFlags {
  readonly data?: string;
  readonly http?: true;
  readonly port?: string;
  readonly json?: true;
}

/** See {@linkcode CommandModule}. */
export function execute(
  operands: readonly string[],
  { data, http, port, json }: ServeFlags,
  io: CliIo,
): Promise<number> {
  return main([
    ...operands,
    ...(data === undefined ? [] : ["--data", resolve(io.cwd, data)]),
    ...(http === undefined ? [] : ["--http"]),
    ...(port === undefined ? [] : ["--port", port]),
    ...(json === undefined ? [] : ["--json"]),
  ]);
}
