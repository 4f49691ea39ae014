/** What of a scenario and a crew may stand in a trace: all but their secrets. */
import type { Crew } from "../../agents/mod.ts";
import { Redactor } from "../../core/mod.ts";
import type { Scenario } from "../scenario/schema.ts";

/** A scenario's redactor, and scenario and crew without the secrets. */
export interface Redacted {
  /** Takes the scenario's secrets out of whatever is written. */
  readonly redactor: Redactor;
  /** The scenario; each secret is its marker. */
  readonly scenario: Scenario;
  /** The crew. */
  readonly crew: Crew;
}

const known = new WeakMap<Scenario, Redacted & { readonly of: Crew }>();

/**
 * Takes a scenario's secrets out of itself and its crew. Scorers are given the result: a trace has markers wherever a
 * secret was, and so have the expectations that it is compared with. Done once for each scenario, however many cells it
 * makes.
 *
 * @throws {RangeError} If a secret is shorter than 6 characters.
 */
export function withoutSecrets(scenario: Scenario, crew: Crew): Redacted {
  const before = known.get(scenario);
  if (before?.of === crew) return before;
  const redactor = new Redactor(new Map(Object.entries(scenario.secrets)));
  const made = { redactor, scenario: redactor.value(scenario), crew: redactor.value(crew), of: crew };
  known.set(scenario, made);
  return made;
}
