/** `--input NAME=FILE`: reads the user's files, and finds the scenario that takes them. */
import { basename } from "node:path/posix";
import { clip, oneLine } from "../../core/text.ts";
import {
  type Found,
  type InputFile,
  MAX_INPUT_BYTES,
  resolveAll,
  type Result,
  type Scenario,
  withInput,
} from "../scenario/mod.ts";
import { UsageError } from "./exit.ts";

/**
 * The one scenario that the files are for, with the files in it. A crew's name as selector means the crew's scenario that
 * takes input.
 *
 * @param inputs Absolute paths, by the names of the inputs.
 * @throws {UsageError} If a file cannot be read or does not fit, or the selection is not one scenario that takes input.
 */
export async function resolveWithInputs(
  found: readonly Found[],
  selectors: readonly string[],
  inputs: ReadonlyMap<string, string>,
): Promise<Result<readonly Scenario[]>> {
  const host = hostOf(found, selectors);
  if (!host.result.ok) return host.result;
  const resolved = resolveAll(host.result.value, [null]);
  const [scenario] = resolved.ok ? resolved.value : [];
  if (scenario === undefined) return resolved;
  const files = new Map<string, InputFile>();
  // A name that there is not is told before a file that there is not.
  for (const name of inputs.keys()) put(scenario, new Map([[name, { name: "probe", text: "" }]]));
  for (const [name, path] of inputs) files.set(name, await readInput(path));
  return { ok: true, value: [put(scenario, files)] };
}

function put(scenario: Scenario, files: ReadonlyMap<string, InputFile>): Scenario {
  try {
    return withInput(scenario, files);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(`--input: ${error.message}`) : error;
  }
}

function hostOf(found: readonly Found[], selectors: readonly string[]): Found {
  const hosts = found.filter(({ result }) => result.ok && result.value.content.input !== undefined);
  const [host] = hosts;
  const names = (some: readonly Found[]) => some.map(({ name }) => name).slice(0, 5).join(", ");
  if (host === undefined) {
    throw new UsageError(
      `--input: no scenario that is selected takes input (${names(found)}); try review --input code=FILE`,
    );
  }
  if (hosts.length > 1) throw new UsageError(`--input is for one scenario; select one of ${names(hosts)}`);
  const others = found.filter((one) => one !== host && !(one.crew === host.crew && selectors.includes(one.crew)));
  if (others.length > 0 && selectors.length > 0) {
    throw new UsageError(`--input is for ${host.name}; these are selected, too, and take none: ${names(others)}`);
  }
  return host;
}

/** Reads a text file of the user's. */
async function readInput(path: string): Promise<InputFile> {
  const shown = `--input "${clip(oneLine(path), 120)}"`;
  try {
    const { isDirectory, isFile, size } = await Deno.stat(path);
    if (isDirectory) throw new UsageError(`${shown} is a folder; give one file`);
    if (!isFile) throw new UsageError(`${shown} is no ordinary file`);
    if (size > MAX_INPUT_BYTES) {
      throw new UsageError(`${shown} has ${size} bytes; at most ${MAX_INPUT_BYTES} (1 MB) are taken`);
    }
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await Deno.readFile(path));
    if (text.includes("\0")) throw new TypeError("a zero byte");
    if (text.trim() === "") throw new UsageError(`${shown} is empty: there is nothing to look at`);
    return { name: basename(path), text };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      throw new UsageError(`${shown}: no such file`);
    }
    if (error instanceof Deno.errors.NotCapable) {
      throw new UsageError(
        `${shown} lies where this task may not read; give a file under the folder you stand in, or /tmp`,
      );
    }
    if (error instanceof TypeError) throw new UsageError(`${shown} is no text in UTF-8`);
    throw new UsageError(`${shown} cannot be read: ${oneLine(error instanceof Error ? error.message : String(error))}`);
  }
}
