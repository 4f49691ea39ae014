/**
 * How a run gets its first position: from the graph's start, or from what is kept of it.
 */
import type { Channels, UpdateOf } from "./channel.ts";
import { CheckpointError, type SavedRun } from "./checkpoint.ts";
import { dispatch } from "./dispatch.ts";
import { assertUpdate, merge, toState } from "./merge.ts";
import type { Plan } from "./plan.ts";
import { type Journal, type Position, runFrom, type RunOptions, type RunResult } from "./run.ts";
import { show, START } from "./target.ts";

/** Runs a graph from its start. */
export async function start<C extends Channels>(
  plan: Plan<C>,
  input: UpdateOf<C>,
  options: RunOptions,
): Promise<RunResult<C>> {
  assertUpdate(plan.channels, input);
  const initial = toState<C>([...plan.channels].map(([name, channel]) => [name, channel.initial]));
  const { state, refused } = merge(plan.channels, initial, [{ ok: true, update: input }]);
  if (refused.size > 0) throw refused.get(0);
  const journal = await openJournal(options);
  const position: Position<C> = { superstep: 0, state, ...dispatch(plan, [START], state, 0, []) };
  if (journal !== undefined) await journal.checkpointer.save(journal.runId, position);
  return await runFrom(plan, position, new Map(), journal, options);
}

async function openJournal({ checkpointer, runId }: RunOptions): Promise<Journal | undefined> {
  if (checkpointer === undefined) return undefined;
  if (runId === undefined) throw new CheckpointError("a run with a checkpointer needs a runId, by which to resume it");
  if (await checkpointer.load(runId) !== undefined) {
    throw new CheckpointError(`run ${show(runId)} is kept already: resume it, or choose another runId`);
  }
  return { checkpointer, runId };
}

/** Goes on with a run that is kept. */
export async function resume<C extends Channels>(
  plan: Plan<C>,
  runId: string,
  options: Omit<RunOptions, "runId">,
): Promise<RunResult<C>> {
  const { checkpointer } = options;
  if (checkpointer === undefined) throw new CheckpointError("resume needs the checkpointer that keeps the run");
  const saved = await checkpointer.load(runId);
  if (saved === undefined) throw new CheckpointError(`no run ${show(runId)} is kept here`);
  assertFits(plan, runId, saved);
  const { superstep, state, tasks, failures } = saved.checkpoint;
  const position = { superstep, state: toState<C>(Object.entries(state)), tasks, failures };
  const finished = new Map(saved.finished.map(({ task, outcome }) => [task, outcome]));
  return await runFrom(plan, position, finished, { checkpointer, runId }, options);
}

/** A graph that has changed since must not run on half of its old state. */
function assertFits<C extends Channels>({ channels, nodes }: Plan<C>, runId: string, { checkpoint }: SavedRun): void {
  const kept = Object.keys(checkpoint.state);
  const differ = [
    ...kept.filter((name) => !channels.has(name)),
    ...[...channels.keys()].filter((name) => !kept.includes(name)),
  ];
  const unknown = checkpoint.tasks.map(({ node }) => node).filter((node) => !nodes.has(node));
  if (differ.length === 0 && unknown.length === 0) return;
  const what = [
    ...differ.map((name) => `channel ${show(name)}`),
    ...new Set(unknown.map((name) => `node ${show(name)}`)),
  ];
  throw new CheckpointError(`run ${show(runId)} was kept by a different graph: ${what.join(", ")} not in both`);
}
