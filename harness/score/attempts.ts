/** Tasks and their attempts: a packet that is handed over again, under its id, is more work on the same task. */
import { once } from "./once.ts";
import type { SeenPacket, TraceView } from "./view.ts";

/** One task with all its packets, in the order in which they were handed over. */
export interface Task {
  /** Id of its packets. */
  readonly id: string;
  /** The specialist that got it first: it is its task, whoever meets it. */
  readonly owner: string;
  /** Its packets; the first is the first attempt. */
  readonly attempts: readonly SeenPacket[];
}

/** Every task that was handed over. */
export const tasksOf = once(({ packets }: Pick<TraceView, "packets">): readonly Task[] => {
  return [...Map.groupBy(packets, ({ packet }) => packet.id)].flatMap(([id, attempts]): Task[] => {
    const [first] = attempts;
    return first === undefined ? [] : [{ id, owner: first.packet.recipient, attempts }];
  });
});

/** Whether a packet says that it is a further attempt at its task. What does not say so is work of its own. */
export function isFurther({ packet: { attempt = 1 } }: SeenPacket): boolean {
  return attempt > 1;
}

/** Whether a span lies below another. */
export function isWithin(span: string, above: string): boolean {
  return span.startsWith(above) && span[above.length] === "/";
}
