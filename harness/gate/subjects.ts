/** Subjects that the gate can be asked to hold to their expected failures. */
import { reference, type Subject } from "../../agents/mod.ts";

/** By name. */
export const SUBJECTS: ReadonlyMap<string, Subject> = new Map([reference].map((subject) => [subject.name, subject]));
