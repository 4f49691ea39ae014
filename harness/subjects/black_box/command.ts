/** `--subject "cmd: python my_agent.py"`: any program as a subject. */
import type { Answer } from "../../../agents/mod.ts";
import { UsageError } from "../../cli/exit.ts";
import type { ForeignSubject, ForeignWorld } from "../foreign.ts";
import type { Command } from "./command_line.ts";
import { ofProcess, sayIfSilent } from "./conclusion.ts";
import { openDoors } from "./doors.ts";
import { environmentOf, findProgram, passedOn, type ShimRunner, shimRunner, tell } from "./environment.ts";
import { modelFront } from "./model_front.ts";
import { runProcess } from "./process.ts";

/** Where temporary folders are. */
const TEMPORARY = "/tmp";
/** How long connections of a subject that has ended may take to be seen closed, in milliseconds. */
const CLOSING_MS = 2000;

/**
 * Makes a subject of a command.
 *
 * @param cwd Where it stands when it runs.
 * @throws {UsageError} If there is no such program.
 */
export async function commandSubject({ words, name }: Command, cwd: string): Promise<ForeignSubject> {
  const [program, ...args] = words;
  const path = passedOn()["PATH"] ?? "";
  const found = await findProgram(program, path, cwd);
  if (found === undefined) {
    throw new UsageError(
      `--subject: there is no program ${
        JSON.stringify(program)
      }: neither on PATH nor, with a slash in it, from where you stand`,
    );
  }
  const runner = await shimRunner(path);
  // By its own name, by which programs know what they are to be.
  const command: Command["words"] = [program.includes("/") ? found : program, ...args];
  const runForeign = (world: ForeignWorld) => runCommand(world, { command, cwd, runner });
  return {
    name,
    summary: `the program ${words.join(" ")}`,
    shows: [],
    runForeign,
    run: (world) => runForeign({ ...world, deadlineMs: 120_000, match: new Map(), record: () => {} }),
  };
}

async function runCommand(
  world: ForeignWorld,
  { command, cwd, runner }: {
    readonly command: Command["words"];
    readonly cwd: string;
    readonly runner: ShimRunner;
  },
): Promise<Answer> {
  await using front = await modelFront(world);
  await using doors = openDoors(world.ports);
  const folder = await Deno.makeTempDir({ dir: TEMPORARY, prefix: "brownout-subject-" });
  try {
    const told = tell(world, { modelUrl: front.url, doors, runner });
    await Deno.writeTextFile(`${folder}/mcp.json`, JSON.stringify(told.mcp, null, 2));
    const mark = crypto.randomUUID();
    const env = environmentOf(told, { folder, cell: mark });
    const end = await runProcess({ command, cwd, env, mark, signal: world.signal });
    await doors.empty(CLOSING_MS);
    const answer = ofProcess(end, world);
    sayIfSilent(front, world);
    return answer;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
