/** `--subject "cmd: python my_agent.py"`: any program as a subject. */
import { extname, resolve } from "node:path/posix";
import type { Answer } from "../../../agents/mod.ts";
import { UsageError } from "../../cli/exit.ts";
import type { ForeignSubject, ForeignWorld } from "../foreign.ts";
import type { Command } from "./command_line.ts";
import { ofProcess, sayIfSilent } from "./conclusion.ts";
import { cleanAfterDeadBenches, newFolder, newMark } from "./dead_benches.ts";
import { openDoors } from "./doors.ts";
import { environmentOf, findProgram, passedOn, type ShimRunner, shimRunner, tell } from "./environment.ts";
import { modelFront } from "./model_front.ts";
import { runProcess } from "./process.ts";

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
    throw new UsageError(`--subject: ${await whyNot(program, cwd)}`);
  }
  const runner = await shimRunner(path);
  // Whoever may not look, or cannot, cleans nothing: that is no failure of this run.
  await cleanAfterDeadBenches().catch(() => {});
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

/** What runs files of a kind, by their extension. */
const INTERPRETERS: ReadonlyMap<string, string> = new Map([
  [".py", "python3"],
  [".js", "node"],
  [".mjs", "node"],
  [".ts", "deno run -A"],
  [".rb", "ruby"],
  [".sh", "sh"],
]);

/** Why a program cannot be started, and what to do. */
async function whyNot(program: string, cwd: string): Promise<string> {
  const isFile = (await Deno.stat(resolve(cwd, program)).catch(() => undefined))?.isFile ?? false;
  const near = program.includes("/") ? program : `./${program}`;
  const name = JSON.stringify(program);
  const run = `cmd: ${INTERPRETERS.get(extname(program)) ?? "INTERPRETER"} ${near}`;
  if (isFile && near === program) {
    return `${name} is there but not executable: chmod +x it, or name its interpreter, as in ${JSON.stringify(run)}`;
  }
  const hint = isFile
    ? `; there is such a file where you stand: name its interpreter, as in ${JSON.stringify(run)}`
    : "";
  return `there is no program ${name}: neither on PATH nor, with a slash in it, from where you stand${hint}`;
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
  const folder = await newFolder();
  try {
    const told = tell(world, { modelUrl: front.url, doors, runner });
    await Deno.writeTextFile(`${folder}/mcp.json`, JSON.stringify(told.mcp, null, 2));
    const mark = await newMark();
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
