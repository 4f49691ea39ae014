/**
 * A run that can be killed at any of its events: it stands still at the one it is told, for whoever is to kill it.
 *
 * As a program: `killed_run.ts FILE POINT`. It prints one line for each point that it passes.
 */
import { CodedError, RealClock } from "../../../core/mod.ts";
import { append, END, type Graph, graph, type GraphEvent, reducer, send, START } from "../mod.ts";
import { SqliteCheckpointer } from "../sqlite.ts";

const channels = {
  notes: append<string>(),
  // Not commutative: a merge in another order gives another value.
  digest: reducer<number, number>(7, (current, update) => (current * 31 + update) % 1_000_003),
};

/** The graph, with a call at each point that a task passes from inside. */
export function killable(pass: (point: string) => void): Graph<typeof channels> {
  return graph(channels)
    .node("plan", () => {
      pass("in plan");
      return { notes: ["planned"] };
    })
    .node("worker", async (_state, { task, payload }) => {
      pass(`in ${task}`);
      const turns = Number(payload);
      for (let turn = 0; turn < turns; turn++) await Promise.resolve(); // the last dispatched finishes first
      if (turns === 4) throw new CodedError("empty_result", "nothing came");
      return { notes: [`${task} is done`], digest: turns };
    })
    .node("collect", ({ notes }, { failures }) => {
      pass("in collect");
      return { notes: [`collected ${notes.length}, missed ${failures.length}`] };
    })
    .edge(START, "plan")
    .branch("plan", () => [10, 8, 6, 4, 2].map((turns) => send("worker", turns)))
    .edge("worker", "collect")
    .edge("collect", END)
    .compile();
}

/** The name of an event as a point; `undefined` for an event that has no use as one. */
export function pointOf(event: GraphEvent): string | undefined {
  if (event.type === "task_end") return `after ${event.task}`;
  return event.type === "superstep_end" ? `saved ${event.superstep}` : undefined;
}

if (import.meta.main) {
  const [file = "", stopAt] = Deno.args;
  const pass = (point: string): void => {
    Deno.stdout.writeSync(new TextEncoder().encode(`${point}\n`));
    if (point === stopAt) Deno.stdin.readSync(new Uint8Array(1)); // stands still until it is killed
  };
  const onEvent = (event: GraphEvent): void => {
    const point = pointOf(event);
    if (point !== undefined) pass(point);
  };
  using checkpointer = new SqliteCheckpointer(file);
  await killable(pass).run({}, { clock: new RealClock(), checkpointer, runId: "killed", onEvent });
}
