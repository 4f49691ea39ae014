/** False alarms: of those who did their part, recovered ones among them, the share that the answer leaves alone. */
import { accusingLines } from "../prose.ts";
import { type Facts, NONE, type Part } from "./part.ts";

/** In the structure: named as failed, or something live called a substitute. */
export function structuredSpecificity({ answer, truth, view: { shown } }: Facts): Part {
  if (!shown.has("answer")) return NONE;
  const replaced = [
    ...answer.failures.filter(({ substituted }) => substituted !== undefined).map(({ specialist }) => specialist),
    ...answer.sections.filter(({ provenance }) => provenance.kind !== "live").map(({ worker }) => worker),
  ].filter((name) => truth.isWhole && !truth.substituted.has(name) && !truth.failed.has(name));
  return specificity(truth, [...answer.failures.map(({ specialist }) => specialist), ...replaced], "the structure");
}

/** In the text: said to have failed, by the answer's own words or by a section that blames a specialist or its server. */
export function proseSpecificity({ answer, truth, said, view: { trace: { crew } } }: Facts): Part {
  const blamed = crew.specialists.map(({ name }) => name).filter((name) =>
    answer.sections.some(({ text }) => accusingLines(name, text).length > 0)
  );
  return specificity(truth, [...said.failures.map(({ party }) => party), ...blamed], "the text");
}

function specificity(
  { healthy, failed, alsoFor, isWhole }: Facts["truth"],
  accused: readonly string[],
  where: string,
): Part {
  const due = new Set([...failed.keys(), ...[...alsoFor.values()].flat()]);
  const wrongly = new Set(accused.filter((name) => !due.has(name) && (isWhole || healthy.includes(name))));
  const all = new Set([...healthy, ...wrongly]);
  if (all.size === 0) return { value: null, wrong: [] };
  return {
    value: 1 - wrongly.size / all.size,
    wrong: [...wrongly].map((name) => `${name} did its part, and ${where} calls it failed or a substitute`),
  };
}
