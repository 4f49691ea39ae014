import type { Observer } from "../world_event.ts";

/** A call of a tool: its name, and its number among the calls of its tool. */
export interface CallInFlight {
  /** The tool's name. */
  readonly tool: string;
  /** From 1. */
  readonly call: number;
}

/** What a fault does to what a server touches while a call is in flight. */
export interface BrokerEffect {
  /** The fault's id. */
  readonly fault: string;
  /** Which kind of access; `all` for every kind. */
  readonly access: string;
  /** What the path, host or variable must contain. */
  readonly value: string;
  /** How many that fit are let pass first. */
  readonly after: number;
  /** What it does; a delay is in milliseconds. */
  readonly does:
    | { readonly kind: "deny"; readonly reason: string }
    | { readonly kind: "delay"; readonly ms: number }
    | { readonly kind: "cut" };
}

interface Standing extends BrokerEffect {
  readonly of: CallInFlight;
  seen: number;
  struck: boolean;
}

/** Which calls are in flight, and which faults stand over them: what joins the injector and the permission broker. */
export class BrokerBoard {
  readonly #calls = new Map<string, CallInFlight>();
  readonly #effects = new Map<string, Standing[]>();

  /** The calls that are in flight, in the order in which they came. */
  get calls(): CallInFlight[] {
    return [...this.#calls.values()];
  }

  /** Watches calls come and go. */
  readonly observe: Observer = (event) => {
    if (event.type === "request") this.#calls.set(keyOf(event), { tool: event.tool, call: event.call });
    if (event.type !== "reply" && event.type !== "cancelled") return;
    this.#calls.delete(keyOf(event));
    this.#effects.delete(keyOf(event));
  };

  /** Puts an effect over a call, until it is answered or called off. */
  put(of: CallInFlight, effect: BrokerEffect): void {
    const standing = this.#effects.get(keyOf(of)) ?? [];
    this.#effects.set(keyOf(of), [...standing, { ...effect, of, seen: 0, struck: false }]);
  }

  /**
   * What is to be done about a check: every delay, up to the first effect that settles it.
   *
   * @param first Called with each effect that strikes for the first time.
   */
  strike(access: string, value: string, first: (effect: BrokerEffect, of: CallInFlight) => void): BrokerEffect[] {
    const struck: BrokerEffect[] = [];
    for (const effect of [...this.#effects.values()].flat()) {
      if (effect.access !== "all" && effect.access !== access) continue;
      if (!value.includes(effect.value) || effect.seen++ < effect.after) continue;
      if (!effect.struck) first(effect, effect.of);
      effect.struck = true;
      struck.push(effect);
      if (effect.does.kind !== "delay") break;
    }
    return struck;
  }
}

function keyOf({ tool, call }: CallInFlight): string {
  return `${call} ${tool}`;
}
