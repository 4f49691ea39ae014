/**
 * Every command, one entry each. What a command does lives in a file of its own, which is loaded when it is called: help
 * must not wait for what it does not need.
 */
import type { CliIo } from "./io.ts";

/** What a command's file exports. */
export interface CommandModule {
  /**
   * Does it.
   *
   * @param operands Words that are not options.
   * @param flags Options, by their long names in camel case.
   * @returns The exit code.
   * @throws {UsageError} If the user asked for something that cannot be done.
   */
  execute(operands: readonly string[], flags: object, io: CliIo): Promise<number>;
}

/** A command as help shows it. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Its words, as in `[selectors...]`. */
  readonly operands: string;
  /** Flags, description, and the default if there is one. */
  readonly options: readonly (readonly [flags: string, description: string, fallback?: string])[];
  /** File of its {@linkcode CommandModule}, beside this one. */
  readonly file: string;
}

const JSON_OPTION = ["--json", "print JSON"] as const;

/** The commands, in the order of help. The first is meant when none is named. */
export const COMMANDS: readonly [CommandEntry, ...CommandEntry[]] = [
  {
    name: "run",
    summary: "run scenarios and print the scorecard (default)",
    operands: "[selectors...]",
    options: [
      ["--lane <lane>", "sim, wire or both; if not given: all in sim, smoke scenarios in wire too"],
      ["-j, --jobs <n>", "how many cells run at once", "4"],
      ["-o, --output <file>", "write the report; .json or .md"],
      ["--seed <n>", "seed of everything random", "0"],
      ["--json", "print the report as JSON"],
      ["--trace <dir>", "write traces into a folder"],
      ["--timeline", "show what each worker did when"],
    ],
    file: "./run.ts",
  },
  {
    name: "list",
    summary: "list scenarios and their variants",
    operands: "[selectors...]",
    options: [JSON_OPTION],
    file: "./list.ts",
  },
  {
    name: "explain",
    summary: "tell what a scenario is about, in plain sentences",
    operands: "<scenario>",
    options: [JSON_OPTION],
    file: "./explain.ts",
  },
  {
    name: "validate",
    summary: "check scenario files without running them",
    operands: "[selectors...]",
    options: [JSON_OPTION],
    file: "./validate.ts",
  },
  {
    name: "faults",
    summary: "list what can go wrong on purpose, or explain one fault",
    operands: "[id]",
    options: [JSON_OPTION],
    file: "./faults.ts",
  },
  {
    name: "serve",
    summary: "serve a fixture to any MCP client, over stdio or HTTP",
    operands: "<fixture>",
    options: [
      ["--data <file>", "JSON file with its data"],
      ["--http", "over HTTP on loopback, instead of stdio"],
      ["--port <n>", "with --http: the port; if not given, a free one"],
      ["--json", "with --http: plain JSON answers instead of event streams"],
    ],
    file: "./serve.ts",
  },
  {
    name: "proxy",
    summary: "put faults around any MCP server: bench proxy [options] -- COMMAND ARGS…",
    operands: "[command...]",
    options: [
      ["--fault <spec...>", "a fault, as in black_hole:search or latency,ms=2s,first=1; may be repeated"],
      ["--faults <file>", "faults as a scenario lists them; .yaml or .json"],
      ["--name <name>", "what faults and records call the server", "server"],
      ["--seed <n>", "seed of everything random", "0"],
      ["--record <file>", "write what really happened, as JSON lines"],
      ["--listen <port>", "serve over streamable HTTP on loopback instead of stdio"],
      ["--upstream <url>", "stand before a streamable HTTP server instead of a command"],
      ["--broker <rules>", "experimental: ask the proxy for a Deno server's every access; allow, or a file"],
    ],
    file: "./proxy.ts",
  },
  {
    name: "endpoint",
    summary: "serve models over HTTP (OpenAI and Anthropic), scripted or forwarded, with faults between",
    operands: "[nothing...]",
    options: [
      ["--scenario <name>", "play this scenario's script, agent by agent"],
      ["--forward <url>", "stand before a provider instead"],
      ["--pass-credentials", "with --forward: the caller's own key goes to the provider"],
      ["--fault <spec...>", "a fault, as in model_rate_limited or model_hang:planner; may be repeated"],
      ["--faults <file>", "faults as a scenario lists them; .yaml or .json"],
      ["--port <n>", "the port; 0 takes a free one", "0"],
      ["--seed <n>", "seed of everything random", "0"],
      ["--token <text>", "what callers must give as their key; if not given, anybody on this machine is answered"],
    ],
    file: "./endpoint.ts",
  },
];
