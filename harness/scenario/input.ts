/** A scenario with a file of the user's in place of a part of its world. */
import { extname } from "node:path/posix";
import * as z from "zod";
import { JsonValue } from "../../agents/contracts.ts";
import { nearest, oneLine } from "../../core/mod.ts";
import { FIXTURES } from "../../servers/mod.ts";
import { quote } from "./problem.ts";
import type { Scenario } from "./schema.ts";

/** Files that are larger are no input, in bytes. */
export const MAX_INPUT_BYTES = 1_048_576;

/** A file that the user gives. */
export interface InputFile {
  /** Its name, without its folder. */
  readonly name: string;
  /** What it says. */
  readonly text: string;
}

const Data = z.record(z.string(), JsonValue);

/**
 * Puts files into a scenario. What was expected of its own data holds no longer: such a run is judged by what must hold in
 * every run, and its scripts are played leniently.
 *
 * @param files By the names of the scenario's inputs.
 * @throws {RangeError} If the scenario has no such input, or a file does not fit it. Says which, why, and what is allowed.
 */
export function withInput(scenario: Scenario, files: ReadonlyMap<string, InputFile>): Scenario {
  const { expect: _, ...rest } = scenario;
  const inputs = new Map(Object.entries(scenario.input ?? {}));
  const servers = new Map(Object.entries(scenario.servers));
  for (const [name, file] of files) {
    const input = inputs.get(name);
    if (input === undefined) {
      const near = nearest(name, [...inputs.keys()]);
      const hint = near === undefined ? "" : ` (did you mean ${quote(near)}?)`;
      throw new RangeError(
        `unknown input ${quote(name)}${hint}; ${scenario.name} takes ${[...inputs.keys()].join(", ")}`,
      );
    }
    const isDiff = [".diff", ".patch"].includes(extname(file.name).toLowerCase());
    if (isDiff && input.diff === undefined) throw new RangeError(`${quote(file.name)}: ${quote(name)} takes no diffs`);
    const put = isDiff && input.diff !== undefined
      ? { [input.files]: {}, [input.diff]: file.text }
      : { [input.files]: { [keyFor(file.name)]: file.text } };
    const parsed = FIXTURES.get(input.server)?.data.safeParse({ ...servers.get(input.server), ...put });
    if (parsed === undefined) throw new RangeError(`${quote(name)} is for ${input.server}, which is no server`);
    if (!parsed.success) throw new RangeError(`${quote(file.name)}: ${oneLine(parsed.error.issues[0]?.message ?? "")}`);
    servers.set(input.server, Data.parse(parsed.data));
  }
  const given = Object.fromEntries([...files].map(([name, file]) => [name, file.name]));
  const shown = Object.values(given).map((name) => oneLine(name)).join(", ");
  return {
    ...rest,
    story: `What you have given (${shown}), in place of the scenario's own.`,
    servers: Object.fromEntries(servers),
    smoke: false,
    given,
    playback: "lenient",
  };
}

/** A file's name as a key. Schemas drop `__proto__`, and with it the file. */
function keyFor(name: string): string {
  return name === "__proto__" ? `./${name}` : name;
}
