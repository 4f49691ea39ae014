/** `variants: all-faults`: a scenario times every fault of the catalogue, each at one place where it can strike. */
import type { Crew } from "../../agents/crews/mod.ts";
import { type Fault, type FaultEntry, faultEntrySchema, FAULTS, type Need } from "../../servers/mod.ts";
import { dryResult, meets, type ScriptedCall, scriptedCalls, serverOf } from "./dry_call.ts";
import type { Scenario } from "./schema.ts";

/** A fault that has nothing to do in a scenario. */
export interface Inapplicable {
  /** Its id. */
  readonly fault: string;
  /** Why. */
  readonly reason: string;
}

/** What a group of variants stands for. */
export interface Expansion {
  /** Its name among the scenario's variants. */
  readonly group: string;
  /** One scenario a fault, in the catalogue's order. */
  readonly scenarios: readonly Scenario[];
  /** The rest of the catalogue. */
  readonly inapplicable: readonly Inapplicable[];
}

/**
 * Expands a scenario.
 *
 * A fault of calls is at the first tool that the crew's specialists call by the script whose result has what the fault
 * needs; one of a server at the server of the first call; one of a plan at the planner; any other one of a model at the
 * first specialist that calls a tool. What comes of it is not foreseen, so there is no ground truth but what the request
 * needs (`gold`), and scripts are played leniently.
 *
 * @param base The scenario itself, resolved.
 */
export function expand(base: Scenario, crew: Crew, group: string): Expansion {
  const sites = new Sites(base, crew);
  const scenarios: Scenario[] = [];
  const inapplicable: Inapplicable[] = [];
  const { expect, ...rest } = base;
  for (const fault of FAULTS.values()) {
    const place = sites.placeOf(fault);
    if ("reason" in place) {
      inapplicable.push({ fault: fault.id, reason: place.reason });
      continue;
    }
    const fitted = FITTED.get(fault.id);
    const entry = parse({ fault: fault.id, at: place.at, ...fitted?.params });
    const company = (fitted?.company?.(sites.speaker) ?? []).map(parse);
    scenarios.push({
      ...rest,
      variant: `${group}.${fault.id}`,
      story: `${base.story} Then ${fault.id} at ${place.at}: ${fault.summary}`,
      smoke: false,
      secrets: { ...base.secrets, ...fitted?.secrets },
      faults: [...base.faults, ...company, entry],
      playback: "lenient",
      ...(expect?.plan === undefined ? {} : { gold: expect.plan }),
    });
  }
  return { group, scenarios, inapplicable };
}

/** What a fault needs beyond its place to strike in a run of a few calls. */
interface Fitting {
  readonly params?: { readonly [name: string]: unknown };
  /** Faults that have to be there first. */
  readonly company?: (site: ScriptedCall) => readonly { readonly fault: string; readonly at: string }[];
  /** Secrets that it plants. */
  readonly secrets?: Readonly<Record<string, string>>;
}

const FITTED: ReadonlyMap<string, Fitting> = new Map(Object.entries<Fitting>({
  // Before the first call of a model that takes half a second.
  dies_idle: { params: { after: 400 } },
  // In the list of tools, which every server has.
  reset_after_bytes: { params: { bytes: 600 } },
  // A list may have one row.
  partial_page: { params: { keep: 0 } },
  // Of the only call that there may be.
  quota_exhausted: { params: { calls: 0 } },
  success_after_failure: { company: ({ tool }) => [{ fault: "tool_error", at: serverOf(tool) }] },
  planted_secret: { params: { secret: "planted-7f3c9e" }, secrets: { planted: "planted-7f3c9e" } },
}));

const parse = (entry: { readonly [key: string]: unknown }): FaultEntry => faultEntrySchema.parse(entry);

const NEEDS: Readonly<Record<Need, string>> = {
  concurrent_calls: "two calls of one server in one turn",
  json_result: "a result that is JSON",
  unpromised_json: "a result that is JSON, of a tool without an output schema",
  number: "a number in a result",
  date: "a date in a result",
  list: "a list in a result",
  echoed_argument: "a result that repeats an argument",
  non_ascii: "a result with letters beyond ASCII",
  structured_content: "a tool with an output schema",
};

/** Codes that only a planner's turn can lead to. */
const OF_PLANS: ReadonlySet<string> = new Set(["plan_malformed", "unknown_specialist"]);

type Where = { readonly at: string } | { readonly reason: string };

/** Where faults can strike in a scenario. */
class Sites {
  readonly #calls: readonly ScriptedCall[];
  readonly #base: Scenario;

  constructor(base: Scenario, crew: Crew) {
    this.#base = base;
    this.#calls = scriptedCalls(base, crew.specialists.map(({ name }) => name))
      .filter(({ tool }) => crew.servers.includes(serverOf(tool)));
  }

  /** The first call of all; asked for only where there is one. */
  get first(): ScriptedCall {
    const [first] = this.#calls;
    if (first === undefined) throw new Error("no specialist calls a tool");
    return first;
  }

  /** The first call of an agent that has the last word about it: among peers, the first may hand on instead. */
  get speaker(): ScriptedCall {
    const { script } = this.#base;
    return this.#calls.find(({ agent }) => script[agent]?.some(({ final }) => final !== undefined)) ?? this.first;
  }

  placeOf({ lanes, applies, layer, outcome, needs }: Fault): Where {
    if (lanes.sim !== true) return { reason: lanes.sim };
    if (applies.includes("agent") && (layer === "plan" || OF_PLANS.has(outcome))) {
      return this.#base.topology === "peer" ? { reason: "peers have no planner" } : { at: "agent:planner" };
    }
    const [first] = this.#calls;
    if (first === undefined) return { reason: "no specialist's script calls a tool" };
    if (applies.includes("agent")) return { at: `agent:${this.speaker.agent}` };
    if (needs === "concurrent_calls") return this.#together();
    if (!applies.includes("tool")) return { at: serverOf(first.tool) };
    const found = needs === undefined
      ? first
      : this.#calls.find((call) => meets(needs, call, dryResult(this.#base, call)));
    return found === undefined ? lacks(needs) : { at: found.tool };
  }

  #together(): Where {
    const found = this.#calls.find(({ tool, together }) =>
      together.filter((other) => serverOf(other) === serverOf(tool)).length > 1
    );
    return found === undefined ? lacks("concurrent_calls") : { at: serverOf(found.tool) };
  }
}

function lacks(need: Need | undefined): Where {
  return { reason: `it needs ${need === undefined ? "a call" : NEEDS[need]}, and the script leads to none` };
}
