/** What `--subject` makes of a command or an address. What runs it is loaded when it is chosen, and not before. */
import type { LaneName } from "../../trace/event.ts";
import type { SubjectEntry } from "../registry.ts";
import { readAddress } from "./address.ts";
import { readCommand } from "./command_line.ts";
import { programFiles } from "./program.ts";

/** A process has no virtual clock. */
const LANES: readonly LaneName[] = ["wire"];

/**
 * A program as a subject.
 *
 * @param text What stands behind `cmd:`.
 * @throws {UsageError} If it is no command.
 */
export function commandEntry(text: string): SubjectEntry {
  const command = readCommand(text);
  return {
    name: command.name,
    kind: "command",
    summary: `the program ${command.words.join(" ")}`,
    lanes: LANES,
    shows: [],
    files: () => programFiles(command.words, whereTheUserStands()),
    load: async () => (await import("./command.ts")).commandSubject(command, whereTheUserStands()),
  };
}

/**
 * A server on this machine as a subject.
 *
 * @throws {UsageError} If it is no address on this machine.
 */
export function addressEntry(text: string): SubjectEntry {
  const address = readAddress(text);
  return {
    name: address.name,
    kind: "http",
    summary: `the server at ${address.url.href}`,
    lanes: LANES,
    shows: [],
    load: async () => (await import("./http.ts")).httpSubject(address),
  };
}

/** `deno task` moves to the project's folder, and leaves in a variable where it was called. */
function whereTheUserStands(): string {
  const { state } = Deno.permissions.querySync({ name: "env", variable: "INIT_CWD" });
  return (state === "granted" ? Deno.env.get("INIT_CWD") : undefined) ?? Deno.cwd();
}
