/** Where the turns of one cell come from: the scenario's script, or whatever takes its place. */
import { type Model, ScriptedModel, type ScriptProblem } from "../../agents/mod.ts";
import type { Clock } from "../../core/mod.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { Cell } from "../trace/event.ts";
import { scriptOf } from "./script.ts";

/**
 * Why a cell says nothing about its subject, although its model was not scripted. `miss`: a recording has no turn for what
 * was asked. `left`: it has turns that nobody asked for. `limit`: a call was refused, because it might have passed a limit
 * of the whole run. `unwritten`: a turn could not be recorded. `outage`: a live provider cannot be reached, or refuses the
 * key or the model's name.
 */
export interface ModelProblem {
  /** Which of them. */
  readonly kind: "miss" | "left" | "limit" | "unwritten" | "outage";
  /** The agent. */
  readonly agent: string;
  /** What happened, in a sentence. */
  readonly what: string;
}

/** The model of one cell. */
export interface CellModel {
  /** The model. */
  readonly model: Model;
  /**
   * Whether the scenario foresees what it says. If not, people are played leniently too, and whatever they are asked that
   * nobody foresaw is denied and no error.
   */
  readonly isForeseen: boolean;
  /** Whoever asks was killed and goes on. */
  resume(): void;
  /** What makes the run worth nothing, once it is over. */
  problems(): readonly (ScriptProblem | ModelProblem)[];
  /** The agents that it plays; any if left out. */
  readonly agents?: readonly string[];
  /** Whether an agent's turns are those of the script; all are if left out. */
  isScripted?(agent: string): boolean;
  /** What it had to say that nobody asked for, where that is nobody's mistake; nothing if left out. */
  left?(): readonly ScriptProblem[];
}

/** What the model of a cell is made of. */
export interface ModelSourceOptions {
  /** The cell. */
  readonly cell: Cell;
  /** Its scenario. */
  readonly scenario: Scenario;
  /** Its clock. */
  readonly clock: Clock;
  /** Whether nothing is known of those who ask but what they send, and nobody has foreseen how they work. */
  readonly isForeign?: boolean;
}

/** Makes the model of one cell; asked once for each, when its world is there. */
export type ModelSource = (options: ModelSourceOptions) => CellModel;

/** The scenario's own script. */
export const scriptedSource: ModelSource = ({ scenario, clock, isForeign = false }) => {
  if (isForeign) return foreignScript(scenario, clock);
  const { canaries, playback = "strict" } = scenario;
  const onlyIfSeen = playback === "lenient" ? Object.keys(canaries) : [];
  const model = new ScriptedModel(scriptOf(scenario), clock, { playback, onlyIfSeen });
  return { model, isForeseen: true, resume: () => model.resume(), problems: () => model.problems() };
};

/** The script as strangers are played it: turns may be left over, and a value is only said where it has been seen. */
function foreignScript(scenario: Scenario, clock: Clock): CellModel {
  const script = scriptOf(scenario);
  const again = scenario.playback === "lenient" ? "same" : "next";
  const onlyIfSeen = Object.keys(scenario.canaries);
  const model = new ScriptedModel(script, clock, { playback: "stateless", onlyIfSeen, again });
  return {
    model,
    isForeseen: false,
    agents: [...script.keys()],
    resume: () => model.resume(),
    problems: () => model.problems().filter(({ kind }) => kind !== "unconsumed"),
    left: () => model.problems().filter(({ kind }) => kind === "unconsumed"),
  };
}
