/** The state that both graphs share: a reducer keeps what all workers have done. */
import type { Done, PlannedTask } from "../bridge/plan.ts";
import { Annotation } from "../deps/langchain.ts";

/** Its channels. */
export const State = Annotation.Root({
  request: Annotation<string>,
  tasks: Annotation<PlannedTask[]>,
  task: Annotation<PlannedTask>,
  done: Annotation<Done[]>({ reducer: (all, more) => [...all, ...more], default: () => [] }),
  recovery: Annotation<Done[]>({ reducer: (_, last) => last, default: () => [] }),
  answer: Annotation<string>,
});
/** What stands in them. */
export type State = typeof State.State;
