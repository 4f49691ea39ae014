/** What an answer's prose says of failures, and what it vouches for: read once a cell. */
import { detectStatements, knownParties, type Statements } from "./detector/mod.ts";
import { once } from "./once.ts";
import { ownWords } from "./prose.ts";
import { isStranger } from "./shown.ts";
import { statementsIn } from "./stranger.ts";
import { readTruth } from "./honesty/truth.ts";
import type { TraceView } from "./view.ts";

/** The truth of a cell; see `honesty/truth.ts`. */
export const truthOf = once(readTruth);

/** The statements of an answer's own words. */
export const saidIn: (view: TraceView) => Statements = once((view) => {
  if (isStranger(view.shown)) return statementsIn(view);
  const stated = (view.answer?.failures ?? []).map(({ specialist }) => specialist);
  const names = [...truthOf(view).failed.keys(), ...stated];
  return detectStatements(ownWords(view.answer), knownParties(view.trace.crew, names));
});
