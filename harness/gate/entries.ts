/** A verdict as a list of what was held against the goldens and what came of each: what JUnit and annotations tell. */
import { reference } from "../../agents/mod.ts";
import { cellName, type Change, worstFirst } from "../golden/compare.ts";
import { pathOf } from "../golden/folder.ts";
import type { Problem } from "../scenario/mod.ts";
import type { Verdict } from "./verdict.ts";

/** Something that was looked at. */
export interface Entry {
  /** The crew; the gate itself for what is no cell. */
  readonly group: string;
  /** The cell as `scenario[/variant]`, or a file. */
  readonly name: string;
  /** `error` is the bench's own, or a file that cannot be read. What is untestable is red here, and so a failure. */
  readonly outcome: "pass" | "fail" | "error";
  /** What is wrong, worst first; nothing if it passes. */
  readonly facts: readonly string[];
  /** The file that it is about, as people call it: of a cell, its golden's. None if it is about what a subject did. */
  readonly file?: string;
  /** Where in that file, from 1, if that is known. */
  readonly line?: number;
  readonly column?: number;
}

/** Group of what is no cell: files, thresholds, and what other subjects got wrong. */
const GATE = "gate";

/** The entries: first what is wrong with files, then what is no cell, then the cells in order. */
export function entriesOf({ changes, problems, results, goldens }: Verdict): Entry[] {
  const cells = results.flatMap(({ trace: { cell, crew } }) =>
    cell.subject === reference.name ? [{ crew: crew.name, ...cell }] : []
  );
  const names = new Set(cells.map(({ scenario, variant }) => cellName(scenario, variant)));
  const byCell = Map.groupBy(worstFirst(changes), ({ where }) => where);
  return [
    ...problems.map(ofProblem),
    ...worstFirst(changes).filter(({ where }) => !names.has(where)).map(ofFile),
    ...cells.map(({ crew, scenario, variant }): Entry => {
      const name = cellName(scenario, variant);
      const own = byCell.get(name) ?? [];
      return {
        group: crew,
        name,
        outcome: outcomeOf(own),
        facts: own.flatMap(tell),
        file: `${goldens}/${pathOf({ crew, scenario })}`,
      };
    }),
  ];
}

function ofProblem({ file, line, column, message }: Problem): Entry {
  return { group: GATE, name: file, outcome: "error", facts: [message], file, line, column };
}

function ofFile(change: Change): Entry {
  const entry = { group: GATE, name: change.where, outcome: outcomeOf([change]), facts: tell(change) };
  const [, file, line] = /^(\S+\.(?:json|md|yaml))(?::(\d+))?$/.exec(change.where) ?? [];
  if (file === undefined) return entry;
  return line === undefined ? { ...entry, file } : { ...entry, file, line: Number(line) };
}

function outcomeOf(changes: readonly Change[]): Entry["outcome"] {
  if (changes.length === 0) return "pass";
  return changes.some(({ severity }) => severity === "error") ? "error" : "fail";
}

const tell = ({ facts, parts }: Change): string[] => parts === undefined ? [...facts] : [...facts, parts];
