/** The faults of a proxy: from the command line and from a file. */
import { z } from "zod";
import type { Fault, FaultEntry } from "../faults/fault.ts";
import { issuesOf, parseFaultSpec, takesServer, unknownFault } from "./fault_spec.ts";
import { type ProxyOptions, ProxyUsageError } from "./options.ts";

/**
 * Reads all faults that are at this proxy's server: those of the file first, then those of the command line.
 *
 * @param catalogue The faults that there are.
 * @throws {ProxyUsageError} Naming the fault that cannot be used, and why.
 */
export async function loadPlan(
  { specs = [], file, name }: Pick<ProxyOptions, "specs" | "file" | "name">,
  catalogue: ReadonlyMap<string, Fault>,
): Promise<FaultEntry[]> {
  const listed = file === undefined ? [] : await fromFile(file, name, catalogue);
  return [...listed, ...specs.map((spec) => parseFaultSpec(spec, name, catalogue))];
}

const list = z.array(z.looseObject({ fault: z.string(), at: z.string() }));
const content = z.union([list, z.strictObject({ faults: list }).transform(({ faults }) => faults)]);

async function fromFile(file: string, server: string, catalogue: ReadonlyMap<string, Fault>): Promise<FaultEntry[]> {
  const fail = (why: string): never => {
    throw new ProxyUsageError(`${file}: ${why}`);
  };
  const read = content.safeParse(await readYaml(file));
  if (!read.success) {
    return fail("a file of faults is a list, or a map with the one key `faults`; each has `fault` and `at`");
  }
  const here = read.data.flatMap((raw, i) => {
    const where = `faults[${i}]`;
    const fault = catalogue.get(raw.fault) ?? fail(`${where}: ${unknownFault(raw.fault, catalogue)}`);
    if (!takesServer(fault)) {
      return fail(`${where}: ${raw.fault} is a fault of the model; a proxy has those of servers`);
    }
    const entry = fault.entry.safeParse(raw);
    if (!entry.success) return fail(`${where} (${raw.fault}): ${issuesOf(entry.error)}`);
    const { at } = entry.data;
    return at === "*" || at === server || at.startsWith(`${server}.`) ? [entry.data] : [];
  });
  if (here.length > 0) return here;
  const places = [...new Set(read.data.map(({ at }) => at))].join(", ");
  return fail(
    places === ""
      ? "there is no fault in it"
      : `no fault is at ${JSON.stringify(server)}, but at ${places}: name the server with --name`,
  );
}

/**
 * Reads a YAML or JSON file.
 *
 * @throws {ProxyUsageError} If it cannot be read or understood.
 */
export async function readYaml(file: string): Promise<unknown> {
  const { parse, YAMLParseError } = await import("yaml");
  const text = await Deno.readTextFile(file).catch((error) => {
    if (error instanceof Deno.errors.NotFound) throw new ProxyUsageError(`${file} does not exist`);
    if (error instanceof Deno.errors.NotCapable) {
      throw new ProxyUsageError(`${file} may not be read: run deno with --allow-read=${file}`);
    }
    throw new ProxyUsageError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  });
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof YAMLParseError) throw new ProxyUsageError(`${file}: ${error.message.split("\n")[0]}`);
    // The parser looks at two variables of its own.
    if (error instanceof Deno.errors.NotCapable) throw new ProxyUsageError(`${file}: ${error.message}`);
    throw error;
  }
}
