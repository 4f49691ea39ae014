/** Providers of a run that can be asked nothing: whoever has found that out has found it out for all cells. */
import { API_KEY, BASE_URL, type ModelSpec, specLabel } from "../../agents/models/live/choice.ts";
import type { LiveModelError, Outage } from "../../agents/models/live/errors.ts";

/** See the module. */
export class Outages {
  readonly #errors = new Map<string, LiveModelError>();
  #first: string | undefined;

  /** What happened first, and what to do about it, in a sentence; `undefined` if nothing has. */
  get first(): string | undefined {
    return this.#first;
  }

  /** How asking this model fails; `undefined` if nobody knows that it does. */
  of(model: string): LiveModelError | undefined {
    return this.#errors.get(model);
  }

  /**
   * Notes that a model can be asked nothing.
   *
   * @param model Tells it from others; an address may be a part of it.
   * @returns What happened, and what to do about it, in a sentence.
   */
  note(model: string, spec: ModelSpec, error: LiveModelError, outage: Outage): string {
    const what = outageWords(spec, error.detail, outage);
    this.#errors.set(model, error);
    this.#first ??= what;
    return what;
  }
}

/**
 * What happened, and what to do about it.
 *
 * @param said The status, where there was one, and the words of the provider or of the connection.
 */
export function outageWords(spec: ModelSpec, said: string, outage: Outage): string {
  const label = specLabel(spec);
  const address = spec.provider === "compatible" ? "the address after @" : BASE_URL[spec.provider];
  switch (outage) {
    case "unreachable":
      return `${label} cannot be reached (${said}); ${
        spec.provider === "compatible" ? "start its server" : "see that the network is there"
      }, or check ${address}`;
    case "key":
      return `${label} refuses the key (${said}); check ${API_KEY[spec.provider]}`;
    case "name":
      return `${label} is not there (${said}); check the model's name, and ${address}`;
    case "quota":
      return `${label} has nothing left for this account (${said}); pay in, or set another ${API_KEY[spec.provider]}`;
  }
}
