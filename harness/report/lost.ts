/** Who failed in a cell, with which code, and what stands in. */
import type { Provenance } from "../../agents/mod.ts";
import type { CellReport } from "./report.ts";

/** A part of the work that failed. */
export interface LostPart {
  /** The specialist. */
  readonly who: string;
  /** Its failure code. */
  readonly code: string;
  /** What stands in for it, in a few words; none if nothing does. */
  readonly standIn?: string;
}

/**
 * Reads what failed: first from the reports of the workers, then from the answer, which also names what never became a
 * packet. A worker whose packet came right later has recovered.
 */
export function lostParts({ workers, answer }: Pick<CellReport, "workers" | "answer">): LostPart[] {
  const failures = answer?.failures ?? [];
  const parts = workers.flatMap((row, i): LostPart[] => {
    const later = workers.slice(i + 1).filter(({ packet }) => packet === row.packet);
    if (row.code === undefined || later.some(({ code, provenance }) => provenance === "live" && code !== undefined)) {
      return [];
    }
    const { worker: who, code } = row;
    if (later.some(({ provenance }) => provenance === "live")) return [{ who, code, standIn: "recovered" }];
    const stated = failures.find(({ specialist }) => specialist === who)?.substituted;
    const other = later.at(-1)?.provenance;
    const standIn = stated === undefined ? other : provenanceWords(stated);
    return [{ who, code, ...(standIn === undefined ? {} : { standIn }) }];
  });
  const known = new Set(parts.map(({ who }) => who));
  const others = failures.filter(({ specialist }) => !known.has(specialist)).map((
    { specialist: who, code, substituted },
  ): LostPart => ({ who, code, ...(substituted === undefined ? {} : { standIn: provenanceWords(substituted) }) }));
  return [...parts, ...others];
}

/**
 * Says it on one line: those with the same code and the same stand-in together.
 *
 * @param brief Leaves out as of when a stand-in is.
 */
export function describeLost(parts: readonly LostPart[], brief = false): string {
  const groups = new Map<string, { who: string[]; tail: string }>();
  for (const { who, code, standIn } of parts) {
    const tail = standIn === undefined ? code : `${code} → ${brief ? standIn.replace(/ .*$/s, "") : standIn}`;
    const group = groups.get(tail) ?? { who: [], tail };
    group.who.push(who);
    groups.set(tail, group);
  }
  return [...groups.values()].map(({ who, tail }) => `${who.join(", ")} ${tail}`).join("; ");
}

function provenanceWords(provenance: Provenance): string {
  return provenance.kind === "cached" ? `cached ${provenance.asOf}` : provenance.kind;
}
