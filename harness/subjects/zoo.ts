/** The deliberately bad orchestrators of `harness/zoo/`, as subjects. They are loaded when one of them is chosen. */
import type { Subject } from "../../agents/mod.ts";
import { type AnimalName, isAnimal, SUMMARIES } from "../zoo/names.ts";
import type { SubjectEntry } from "./registry.ts";

/** Not a literal: whoever chooses no animal loads none. */
const ZOO: string = "../zoo/mod.ts";

/** What is loaded. */
interface Zoo {
  readonly ANIMALS: Readonly<Record<AnimalName, Subject>>;
}

/** The animals, in the zoo's order. */
export const ZOO_SUBJECTS: readonly SubjectEntry[] = Object.keys(SUMMARIES).filter(isAnimal).map((name) => ({
  name,
  kind: "zoo",
  summary: SUMMARIES[name],
  lanes: ["sim", "wire"],
  load: () => load(name),
}));

async function load(name: AnimalName): Promise<Subject> {
  const { ANIMALS }: Zoo = await import(ZOO);
  return ANIMALS[name];
}
