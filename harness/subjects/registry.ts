/** Every subject that can be chosen with `--subject`. Each is loaded when it is chosen, and not before. */
import { reference, type Shown, type Subject } from "../../agents/mod.ts";
import { UsageError } from "../cli/exit.ts";
import { unknown } from "../scenario/problem.ts";
import { addressEntry, commandEntry } from "./black_box/entries.ts";
import { FRAMEWORK_SUBJECTS } from "./frameworks.ts";
import type { LaneName } from "../trace/event.ts";
import { ZOO_SUBJECTS } from "./zoo.ts";

/**
 * What a subject is. `reference`: the project's orchestrator. `zoo`: one of the bench's deliberately bad ones.
 * `framework`: an orchestrator built on somebody else's library, in this process. `command`: a process of any language.
 * `http`: a server that is already there.
 */
export type SubjectKind = "reference" | "zoo" | "framework" | "command" | "http";

/** A subject as `bench list --subjects` shows it. */
export interface SubjectEntry {
  /** What it is called on the command line and in reports. */
  readonly name: string;
  /** What it is. */
  readonly kind: SubjectKind;
  /** One sentence for people. */
  readonly summary: string;
  /** The lanes in which it can run. */
  readonly lanes: readonly LaneName[];
  /** What it shows; all of it if left out. */
  readonly shows?: readonly Shown[];
  /** Those of its files that nobody else has a digest of: results of an edited program are another's. */
  readonly files?: () => { readonly digest: string; readonly names: readonly string[] };
  /** Loads it. */
  load(): Promise<Subject>;
}

const BOTH: readonly LaneName[] = ["sim", "wire"];

const NAMED: readonly SubjectEntry[] = [
  {
    name: reference.name,
    kind: "reference",
    summary: reference.summary,
    lanes: BOTH,
    load: () => Promise.resolve(reference),
  },
  ...ZOO_SUBJECTS,
  ...FRAMEWORK_SUBJECTS,
];

/** Subjects that have no name of their own: how each is given on the command line. */
export const OPEN_SUBJECTS = [
  {
    form: "cmd: PROGRAM ARGUMENTS…",
    kind: "command",
    summary: "a program in any language, told of its models and servers by its environment",
    lanes: ["wire"],
    shows: [],
  },
  {
    form: "http://localhost:PORT/…",
    kind: "http",
    summary: "the same as a server that is already there",
    lanes: ["wire"],
    shows: [],
  },
] as const satisfies readonly (Omit<SubjectEntry, "name" | "load"> & { readonly form: string })[];

/** The subjects that have a name, in the order in which people should see them. */
export function listSubjects(): readonly SubjectEntry[] {
  return NAMED;
}

/**
 * Finds what `--subject` means.
 *
 * @throws {UsageError} If nothing is called so.
 */
export function findSubject(text: string): SubjectEntry {
  const named = NAMED.find(({ name }) => name === text);
  if (named !== undefined) return named;
  if (text.startsWith("cmd:")) return commandEntry(text.slice("cmd:".length));
  if (/^https?:/.test(text)) return addressEntry(text);
  throw new UsageError(
    unknown("subject", text, [...NAMED.map(({ name }) => name), ...OPEN_SUBJECTS.map(({ form }) => form)]),
  );
}
