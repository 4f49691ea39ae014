/** Systems under test by name: the reference, the zoo, other people's frameworks, and whatever a command or a URL starts. */
export { findSubject, listSubjects, OPEN_SUBJECTS, type SubjectEntry, type SubjectKind } from "./registry.ts";
