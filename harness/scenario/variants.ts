/** What stands in a scenario's `variants`: some that are written out, and words that stand for many. */
import { ALL_FAULTS, type ScenarioFile, type Variant } from "./schema.ts";

/** The two kinds of variants of a file. */
export interface VariantsIn {
  /** Those that are written out, in the order of the file. */
  readonly written: ReadonlyMap<string, Variant>;
  /** Names of the groups: each stands for one variant for each fault of the catalogue that applies. */
  readonly groups: readonly string[];
}

/** Tells the two kinds apart. */
export function variantsIn({ variants }: Pick<ScenarioFile, "variants">): VariantsIn {
  const entries = Object.entries(variants === ALL_FAULTS ? { [ALL_FAULTS]: ALL_FAULTS } as const : variants);
  const written = new Map<string, Variant>();
  const groups: string[] = [];
  for (const [name, variant] of entries) {
    if (variant === ALL_FAULTS) groups.push(name);
    else written.set(name, variant);
  }
  return { written, groups };
}

/** The group that a variant's name belongs to; `undefined` for one that is written out. */
export function groupOf(variant: string): string | undefined {
  const dot = variant.indexOf(".");
  return dot < 0 ? undefined : variant.slice(0, dot);
}
