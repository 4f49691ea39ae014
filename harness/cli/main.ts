/**
 * The `bench` command. Decides which command is meant and how it ends; the rest is in the commands' own files.
 *
 * @module
 */
import { Command, CommanderError } from "commander";
import { nearest, oneLine, printable } from "../../core/text.ts";
import { ElsewhereError } from "../subjects/elsewhere.ts";
import { type CommandModule, COMMANDS } from "./commands.ts";
import { EXIT, UsageError } from "./exit.ts";
import { type CliIo, processIo, wantsColour } from "./io.ts";

/**
 * Runs a command line.
 *
 * @param args The words after the program's name.
 * @returns The exit code; see {@linkcode EXIT}.
 */
export async function main(args: readonly string[], io: CliIo): Promise<number> {
  let code: number = EXIT.good;
  const program = build(io, async (file, operands, flags) => {
    // Not a literal: a path known beforehand is loaded at start, needed or not.
    const command: CommandModule = await import(file);
    code = await command.execute(operands, flags, io);
  });
  try {
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    code = error instanceof ElsewhereError ? await startElsewhere(error, args, io) : explain(error, args, io);
  }
  return io.signal.aborted ? EXIT.interrupted : code;
}

interface Relaunch {
  relaunch(error: ElsewhereError, args: readonly string[], io: CliIo): Promise<number>;
}

const RELAUNCH: string = "../subjects/relaunch.ts";

/** The same command, where the chosen subject can be loaded. */
async function startElsewhere(error: ElsewhereError, args: readonly string[], io: CliIo): Promise<number> {
  const { relaunch }: Relaunch = await import(RELAUNCH);
  return await relaunch(error, args, io);
}

type Run = (file: string, operands: readonly string[], flags: object) => Promise<void>;

function build(io: CliIo, run: Run): Command {
  const program = new Command("bench")
    .description("Brownout: a test bench for multi-agent systems under partial failure")
    .usage("[command] [options] [selectors...]")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text),
      outputError: () => {},
      getOutHelpWidth: () => Math.min(io.columns, 100),
      getErrHelpWidth: () => Math.min(io.columns, 100),
      getOutHasColors: () => wantsColour(io),
      getErrHasColors: () => false,
    })
    .addHelpText(
      "after",
      `
A selector is a crew, a scenario, scenario/variant, a glob over these, a file or a folder.
Exit codes: ${EXIT.good} good, ${EXIT.failed} expectations failed, ${EXIT.usage} usage or invalid input, ` +
        `${EXIT.internal} the bench failed,
${EXIT.nothing} nothing selected, ${EXIT.interrupted} interrupted.`,
    );
  for (const [i, { name, summary, operands, options, file }] of COMMANDS.entries()) {
    const command = program.command(`${name} ${operands}`, { isDefault: i === 0 }).description(summary);
    for (const [flags, description, fallback, repeatable] of options) {
      if (flags.startsWith("--subject ")) command.option(flags, description, oneSubject(), fallback);
      else if (repeatable === undefined) command.option(flags, description, fallback);
      else command.option(flags, description, (value: string, before: string[] = []) => [...before, value]);
    }
    command.action((words: string | readonly string[], flags: object) => run(file, [words].flat(), flags));
  }
  return program;
}

/** A subject that is given twice is a wish to compare, and none to forget the first. */
function oneSubject(): (value: string) => string {
  let first: string | undefined;
  return (value) => {
    if (first !== undefined) {
      throw new UsageError(
        "--subject is given twice, and a run judges one; to compare two: bench run --subject A -o a.json, " +
          "bench run --subject B -o b.json, then bench compare a.json b.json",
      );
    }
    return first = value;
  };
}

/** Says in one line why a command came to nothing. */
function explain(error: unknown, args: readonly string[], io: CliIo): number {
  const complain = (message: string) => io.err(`brownout: ${oneLine(message)}\n`);
  if (error instanceof CommanderError) {
    // Help that was asked for has been written.
    if (error.exitCode === 0) return EXIT.good;
    complain(
      error.message.replace(/^error: /, "").replace(/\n\(Did you mean (.*)\)$/, " (did you mean $1)") + seeHelp(args),
    );
    return EXIT.usage;
  }
  if (error instanceof UsageError) {
    complain(error.message);
    return EXIT.usage;
  }
  if (error instanceof Error && error.name === "NothingSelected") {
    const [word = ""] = args;
    const names = COMMANDS.map(({ name }) => name);
    const near = names.includes(word) ? undefined : nearest(word, names);
    if (near !== undefined && "selector" in error && error.selector === word) {
      complain(`unknown command "${word}" (did you mean "${near}"?), and no scenario has that name; see bench --help`);
      return EXIT.usage;
    }
    complain(error.message);
    return EXIT.nothing;
  }
  complain(`internal error: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`);
  if ((io.env("BROWNOUT_DEBUG") ?? "") === "") io.err("run with BROWNOUT_DEBUG=1 for the stack\n");
  else if (error instanceof Error) io.err(`${printable(error.stack ?? "")}\n`);
  return EXIT.internal;
}

function seeHelp(args: readonly string[]): string {
  const named = COMMANDS.find(({ name }) => name === args[0]);
  return `; see bench ${named === undefined ? "" : `${named.name} `}--help`;
}

if (import.meta.main) Deno.exit(await main(Deno.args, processIo()));
