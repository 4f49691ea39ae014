/** `bench list --subjects`: who can be judged. */
import { listSubjects, OPEN_SUBJECTS } from "../subjects/mod.ts";
import { EXIT } from "./exit.ts";
import type { CliIo } from "./io.ts";
import { wrap } from "./wrap.ts";

/** Tells it, and returns the exit code. */
export function tellSubjects(json: boolean, io: CliIo): number {
  const entries = listSubjects();
  if (json) {
    const rows = entries.map(({ name, kind, summary, lanes, shows }) => ({ name, kind, summary, lanes, shows }));
    // What has no name is given in another way.
    const open = OPEN_SUBJECTS.map((one) => ({ name: null, ...one }));
    io.out(`${JSON.stringify([...rows, ...open], null, 2)}\n`);
    return EXIT.good;
  }
  const column = Math.max(...entries.map(({ name }) => name.length));
  const width = Math.min(io.columns, 100);
  const lines = [...Map.groupBy(entries, ({ kind }) => kind)].flatMap(([kind, own]) => [
    kind,
    ...own.flatMap(({ name, summary }) => wrap(summary, width, `  ${name.padEnd(column)}  `)),
    "",
  ]);
  const forms = OPEN_SUBJECTS.flatMap(({ kind, form, summary }) => [kind, ...wrap(summary, width, `  ${form}  `), ""]);
  io.out(`${[...lines, ...forms].join("\n")}\n`);
  return EXIT.good;
}
