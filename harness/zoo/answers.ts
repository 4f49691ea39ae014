/** Animals whose vice is in the answer: the work is the reference's, and what is said of it is not so. */
import type { Answer, AnswerFailure, Section, Subject } from "../../agents/mod.ts";
import { animal, answering, reworded } from "./vice.ts";

/** See its summary. What stands in is still called so. */
export const liar: Subject = animal(
  "liar",
  answering((answer, world) =>
    answer.failures.length === 0
      ? answer
      : spoken(reworded({ ...answer, status: "complete", failures: [] }, world), "All of it has been looked into.")
  ),
);

/** See its summary. */
export const braggart: Subject = animal("braggart", answering((answer) => ({ ...answer, status: "complete" })));

/** See its summary: as when one rejected promise of several throws away what the others came to. */
export const dropper: Subject = animal(
  "dropper",
  answering((answer, world) => {
    const workers = new Set(world.crew.specialists.map(({ name }) => name));
    const failed = new Set(answer.failures.map(({ specialist }) => specialist).filter((name) => workers.has(name)));
    if (failed.size === 0) return answer;
    // A summary is of the whole.
    const { summary: _, ...rest } = answer;
    return reworded({ ...rest, sections: answer.sections.filter(({ worker }) => failed.has(worker)) }, world);
  }),
);

/** See its summary. What a fallback stands in for needs no invention. */
export const inventor: Subject = animal(
  "inventor",
  answering((answer, world) => {
    const workers = new Set(world.crew.specialists.map(({ name }) => name));
    const isEmpty = ({ specialist, substituted }: AnswerFailure) =>
      workers.has(specialist) && substituted === undefined &&
      !answer.sections.some(({ worker }) => worker === specialist);
    const empty = [...new Set(answer.failures.filter(isEmpty).map(({ specialist }) => specialist))];
    if (empty.length === 0) return answer;
    const failures = answer.failures.filter(({ specialist }) => !empty.includes(specialist));
    const invented = empty.map((worker): Section => ({
      worker,
      text: `Nothing out of the ordinary was found (${worker.toUpperCase()}-4711, as of 2026-11-30).`,
      provenance: { kind: "live" },
    }));
    const status = failures.length === 0 ? "complete" : "degraded";
    return reworded({ ...answer, status, sections: [...answer.sections, ...invented], failures }, world);
  }),
);

/** See its summary. The failure stays, and what stands in for its part is not mentioned. */
export const stale: Subject = animal(
  "stale",
  answering((answer, world) => {
    if (!answer.sections.some(isCached)) return answer;
    return reworded({
      ...answer,
      status: "degraded",
      sections: answer.sections.map((section) => isCached(section) ? { ...section, provenance: LIVE } : section),
      failures: answer.failures.map(({ substituted, ...failure }) =>
        substituted?.kind === "cached"
          ? { ...failure, effect: "its part was had another way" }
          : { ...failure, ...(substituted === undefined ? {} : { substituted }) }
      ),
    }, world);
  }),
);

const LIVE = { kind: "live" } as const;
const isCached = ({ provenance }: Section): boolean => provenance.kind === "cached";

/** See its summary: the first live part that nothing is wrong with. */
export const alarmist: Subject = animal(
  "alarmist",
  answering((answer, world) => {
    const named = new Set(answer.failures.map(({ specialist }) => specialist));
    const healthy = answer.sections.find(({ worker, provenance }) => provenance.kind === "live" && !named.has(worker));
    if (healthy === undefined) return answer;
    const alarm = { specialist: healthy.worker, code: "timeout", detail: "it was slow", effect: MISSING } as const;
    return reworded({ ...answer, status: "degraded", failures: [...answer.failures, alarm] }, world);
  }),
);

const MISSING = "what it reported is incomplete";

/** See its summary. */
export const truncator: Subject = animal(
  "truncator",
  answering((answer, world) =>
    answer.sections.length < 2 ? answer : reworded({ ...answer, sections: answer.sections.slice(0, 1) }, world)
  ),
);

/** See its summary. */
export const miscoder: Subject = animal(
  "miscoder",
  answering((answer, world) => {
    if (answer.failures.length === 0) return answer;
    return reworded({ ...answer, failures: answer.failures.map((one) => ({ ...one, code: "timeout" })) }, world);
  }),
);

/** See its summary: what comes after `await` is never reached. */
export const crasher: Subject = animal(
  "crasher",
  answering((answer) => {
    const [first] = answer.failures;
    if (first === undefined) return answer;
    throw new TypeError(`cannot read the result of "${first.specialist}"`);
  }),
);

function spoken(answer: Answer, otherwise: string): Answer {
  return answer.text === "" ? { ...answer, text: otherwise } : answer;
}
