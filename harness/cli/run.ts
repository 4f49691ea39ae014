/** `bench run`: hands its options to the harness. */
import type { CliIo } from "./io.ts";
import { parseRunOptions, type RunFlags, type RunOptions } from "./options.ts";

/** What runs cells. */
interface RunCommand {
  executeRun(options: RunOptions, io: CliIo): Promise<number>;
}

const RUN_COMMAND: string = "../run_command.ts";

/** See {@linkcode CommandModule}. */
export async function execute(selectors: readonly string[], flags: RunFlags, io: CliIo): Promise<number> {
  const options = parseRunOptions(selectors, flags, io);
  const { executeRun }: RunCommand = await import(RUN_COMMAND);
  return await executeRun({ ...options, typed: { ...flags } }, io);
}
