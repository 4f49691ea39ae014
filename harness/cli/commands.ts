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

/** Flags, description, the default if there is one, and whether it may be given again and again. */
export type OptionEntry = readonly [
  flags: string,
  description: string,
  fallback?: string | undefined,
  repeatable?: true,
];

/** A command as help shows it. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Its words, as in `[selectors...]`. */
  readonly operands: string;
  /** Its options, in the order of help. */
  readonly options: readonly OptionEntry[];
  /** File of its {@linkcode CommandModule}, beside this one. */
  readonly file: string;
}

const JSON_OPTION = ["--json", "print JSON"] as const;

/** How live models are asked, wherever one may be chosen. */
const LIVE_OPTIONS: readonly OptionEntry[] = [
  ["--max-cost <usd>", "stop before live models have cost more than this in all"],
  ["--max-tokens <n>", "stop before live models have used more than this in all"],
  ["--prices <file>", "prices that go before the project's own, in JSON; see list --models"],
  ["--calls-at-once <n>", "how many calls of one provider may be on their way at once; 4 if not given"],
  ["--calls-per-minute <n>", "how many calls of one provider may begin within a minute"],
  ["--stream", "have live models stream their replies"],
];

/** The commands, in the order of help. The first is meant when none is named. */
export const COMMANDS: readonly [CommandEntry, ...CommandEntry[]] = [
  {
    name: "run",
    summary: "run scenarios and print the scorecard (default)",
    operands: "[selectors...]",
    options: [
      ["--lane <lane>", "sim, wire or both; if not given: all in sim, smoke scenarios in wire too"],
      ["--subject <name>", "who is judged; see list --subjects", "reference"],
      ["--repeat <n>", "how many times each cell runs; in sim each with a schedule of its own", "1"],
      ["--deadline <time>", "how long the subject may take, in the cell's clock: 500ms, 30s, 2m; 2m if not given"],
      ["-j, --jobs <n>", "how many cells run at once", "4"],
      [
        "-o, --output <file>",
        "write the report; .json, .jsonl, .md, .xml (JUnit) or .html; may be repeated",
        undefined,
        true,
      ],
      ["--seed <n>", "seed of everything random", "0"],
      ["--json", "print the report as JSON"],
      ["--trace <dir>", "write traces into a folder"],
      ["--timeline", "show what each worker did when"],
      ["--list", "show a line for each scenario, however many there are"],
      ["--resume [run]", "go on with a run that has not ended; if no id is given, the latest that is the same"],
      ["--ask", "you are the operator and the user, instead of the scripted ones; one cell at a time, in wire"],
      [
        "--model <model>",
        "a live model in place of the script, for all agents or as in planner=openai:NAME for one; in bench:live",
        undefined,
        true,
      ],
      ["--judge <model>", "a live model's opinion of what the checks leave undetermined; beside them, in no verdict"],
      ["--record <file>", "record what live models say"],
      ["--replay <file>", "play a recording in place of the script: offline, and exactly"],
      ...LIVE_OPTIONS,
      [
        "--input <name=file>",
        "put a file of yours into the scenario that takes it: review --input code=FILE",
        undefined,
        true,
      ],
    ],
    file: "./run.ts",
  },
  {
    name: "list",
    summary: "list scenarios and their variants, or subjects, live models, or runs",
    operands: "[selectors...]",
    options: [
      ["--subjects", "list who can be judged instead"],
      ["--models", "list how live models are chosen, and whose price is known, instead"],
      ["--prices <file>", "with --models: prices that go before the project's own"],
      ["--runs", "list the runs that are kept instead"],
      JSON_OPTION,
    ],
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
    name: "gate",
    summary: "compare a fresh run with the goldens, the thresholds and the expected failures",
    operands: "[selectors...]",
    options: [
      ["--subject <name>", "only hold this subject to what it is expected to get wrong"],
      ["-j, --jobs <n>", "how many cells run at once", "4"],
      ["-o, --output <file>", "write the verdict; .json, .md or .xml (JUnit); may be repeated", undefined, true],
      JSON_OPTION,
    ],
    file: "./gate.ts",
  },
  {
    name: "golden",
    summary: "write the goldens anew and tell what has changed; under CI nothing is written",
    operands: "[selectors...]",
    options: [
      ["--check", "write nothing: the same as gate"],
      ["-j, --jobs <n>", "how many cells run at once", "4"],
      JSON_OPTION,
    ],
    file: "./golden.ts",
  },
  {
    name: "plan",
    summary: "score planners' replies against gold plans, without running a worker",
    operands: "[files...]",
    options: [JSON_OPTION, ["-o, --output <file>", "write the report; .json or .md"]],
    file: "./plan.ts",
  },
  {
    name: "faults",
    summary: "list what can go wrong on purpose, or explain one fault",
    operands: "[id]",
    options: [JSON_OPTION],
    file: "./faults.ts",
  },
  {
    name: "compare",
    summary: "compare two reports, the subjects or models in one, or models: compare scripted anthropic:NAME support",
    operands: "<reports...>",
    options: [
      ["--by <trait>", "inside one report: subject or model"],
      ["--baseline <name>", "with --by: what the others are compared with; if not given, the first"],
      ["--fail-on <what>", "exit 1 on worse, red, flaky, not-enough-data or missing; may be repeated", undefined, true],
      ["-o, --output <file>", "write the comparison; .json or .md"],
      ["--seed <n>", "seed of intervals and draws, and of cells that are run", "0"],
      ["--repeat <n>", "with models: how many times each cell runs", "1"],
      ["--subject <name>", "with models: who is judged; see list --subjects", "reference"],
      ["-j, --jobs <n>", "with models: how many cells run at once", "4"],
      ...LIVE_OPTIONS,
      JSON_OPTION,
    ],
    file: "./compare.ts",
  },
  {
    name: "score",
    summary: "judge a log of somebody else's agent, or score traces of the bench again",
    operands: "<files...>",
    options: [JSON_OPTION, ["-o, --output <file>", "write the report; .json or .md"]],
    file: "./score.ts",
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
      ["--wait <time>", "how long the server may still answer when stdin has ended", "30s"],
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
