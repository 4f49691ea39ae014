/** Runs a graph on a virtual clock, as tests like it. */
import { VirtualClock } from "../../../core/mod.ts";
import type { Channels, Graph, RunOptions, RunResult, UpdateOf } from "../mod.ts";

/** Runs a graph from its start on a new virtual clock, and checks that it leaves no timer behind. */
export async function run<C extends Channels>(
  graph: Graph<C>,
  input: UpdateOf<C>,
  options: Omit<RunOptions, "clock"> = {},
): Promise<RunResult<C>> {
  const clock = new VirtualClock();
  const result = await clock.run(async () => {
    const ended = await graph.run(input, { ...options, clock });
    if (clock.pending > 0) throw new Error(`${clock.pending} timers left behind`);
    return ended;
  });
  return result;
}
