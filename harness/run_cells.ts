/** The cells that a run is made of. */
import type { Subject } from "../agents/mod.ts";
import { UsageError } from "./cli/exit.ts";
import type { RunOptions } from "./cli/options.ts";
import type { PromptPort } from "./cli/prompt_port.ts";
import { type CellSpec, DEADLINE_MS } from "./runner/cell.ts";
import { crewOf, type Scenario } from "./scenario/mod.ts";
import type { LaneName } from "./trace/event.ts";

/** Not a literal: what only a run with a person needs is not loaded by others. */
const CLACK_PORT: string = "./cli/clack_port.ts";

/** The cells of a scenario. Repeats of a cell in `sim` differ by their seed, as the schedule does; in `wire` by nothing. */
export function cellsOf(
  scenario: Scenario,
  subject: Subject,
  { lane, seed, repeat, subject: { lanes } }: RunOptions,
): CellSpec[] {
  const crew = crewOf(scenario);
  const wanted: LaneName[] = lane === "default"
    ? !lanes.includes("sim") || scenario.smoke ? ["sim", "wire"] : ["sim"]
    : lane === "both"
    ? ["sim", "wire"]
    : [lane];
  return wanted.filter((name) => lanes.includes(name)).flatMap((name) =>
    Array.from({ length: repeat }, (_, i) => ({
      cell: {
        scenario: scenario.name,
        variant: scenario.variant,
        lane: name,
        subject: subject.name,
        model: "scripted",
        seed: String(seed),
        repeat: i + 1,
      },
      scenario,
      crew,
      subject,
    }))
  );
}

/** The cells with so much time for their subject, whoever its models and people are; as it was where nobody says. */
export function within(specs: readonly CellSpec[], deadlineMs: number | undefined): readonly CellSpec[] {
  return deadlineMs === undefined ? specs : specs.map((spec) => ({ ...spec, deadlineMs }));
}

/** The cells with a person at the terminal for operator and user, who has time to answer. */
export async function asked(specs: readonly CellSpec[]): Promise<CellSpec[]> {
  if (!Deno.stdin.isTerminal()) throw new UsageError("--ask needs a terminal, and stdin is none");
  const { patient, PATIENCE_MS, terminalPeople } = await import("./cli/ask.ts");
  const { clackPort }: { readonly clackPort: PromptPort } = await import(CLACK_PORT);
  return specs.map((spec) => ({
    ...spec,
    crew: patient(spec.crew),
    deadlineMs: (spec.deadlineMs ?? DEADLINE_MS) + PATIENCE_MS,
    people: (options) => terminalPeople(clackPort, options),
  }));
}
