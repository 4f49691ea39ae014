/** What `golden` does: run, compare, tell, write. */
import { relative } from "node:path/posix";
import { reference } from "../../agents/mod.ts";
import { EXIT } from "../cli/exit.ts";
import type { CliIo } from "../cli/io.ts";
import type { Change } from "../golden/compare.ts";
import { jsonText } from "../golden/file.ts";
import { pathOf, readGoldens, writeGoldens } from "../golden/folder.ts";
import { makeGoldens } from "../golden/make.ts";
import { compareFolder } from "./compare_folder.ts";
import type { GateOptions } from "./gate.ts";
import { runSubject } from "./run_sim.ts";
import { selectWhole } from "./selection.ts";
import { tellChanges } from "./tell.ts";
import { tellVerdict } from "./verdict.ts";

/**
 * Writes the goldens anew and tells what has changed. A scenario that is not green keeps the golden that it has: a
 * golden excuses nothing. With `CI` in the environment it writes nothing, and any change is a failure.
 *
 * @returns The exit code.
 * @throws {NothingSelected} If nothing is selected.
 * @throws {UsageError} If a selector is empty, or a file cannot be written.
 */
export async function executeGolden(
  options: Omit<GateOptions, "subject" | "subjects" | "outputs">,
  io: CliIo,
): Promise<number> {
  const { place, jobs, json } = options;
  const called = relative(place.base, place.goldens);
  const selection = await selectWhole(options.selectors, place, io.cwd);
  if (selection.problems.length > 0) {
    return tellVerdict({ changes: [], problems: selection.problems, results: [], goldens: called }, json, io);
  }
  const folder = await readGoldens(place.goldens, called);
  const results = await runSubject(reference, selection, jobs, io);
  if (typeof results === "number") return results;
  const goldens = makeGoldens(results);
  const unreadable = folder.problems.map(({ file, line, message }): Change => ({
    where: `${file}:${line}`,
    severity: "check",
    facts: [message],
  }));
  const changes = [...unreadable, ...compareFolder(folder, called, goldens, results, selection.isWhole)];
  if (isCi(io)) {
    const code = tellVerdict({ changes, problems: [], results, goldens: called }, json, io);
    io.err(
      `brownout: CI is set, so nothing was written${changes.length > 0 ? "; write goldens where you work" : ""}\n`,
    );
    return code;
  }
  if (json) io.out(jsonText({ changes, problems: [] }));
  else io.out(tellChanges(changes));
  const kept = goldens.flatMap((golden) => {
    const isGreen = golden.cells.every(({ outcome }) => outcome === "pass");
    return isGreen ? [golden] : folder.files.get(pathOf(golden))?.golden ?? [];
  });
  const { written, deleted } = await writeGoldens(place.goldens, folder, kept, selection.isWhole);
  io.err(`${called}: ${written.length} written, ${deleted.length} deleted\n`);
  const red = results.filter(({ scorecard }) => scorecard.outcome !== "pass").length;
  if (red === 0) return EXIT.good;
  io.err(`brownout: ${red} of ${results.length} cells are not green; their scenarios keep the goldens they had\n`);
  return EXIT.failed;
}

/** Whether a machine runs this, as continuous integration says by convention. */
function isCi(io: CliIo): boolean {
  const value = (io.env("CI") ?? "").toLowerCase();
  return value !== "" && value !== "0" && value !== "false";
}
