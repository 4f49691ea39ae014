/** Subjects that the gate can hold to their expected failures: those that run in `sim`, which is where it runs. */
import { listSubjects, type SubjectEntry } from "../subjects/mod.ts";

/** What the gate has to know of a subject. */
export type GateSubject = Pick<SubjectEntry, "load">;

/** By name. */
export const SUBJECTS: ReadonlyMap<string, GateSubject> = new Map(
  listSubjects().filter(({ lanes }) => lanes.includes("sim")).map((entry) => [entry.name, entry]),
);
