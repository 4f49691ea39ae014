/** A limit on silence, inside a limit on the whole. */
import { type Clock, type Deadline, DeadlineExceeded, type Timer } from "../../core/mod.ts";

/** The reason with which a call ends whose server has shown no sign of life for too long. */
export class IdleExceeded extends DeadlineExceeded {}

/** Watches for silence. */
export interface IdleLimit extends Disposable {
  /** There was a sign of life: the time begins anew. */
  alive(): void;
}

/** Aborts `limit` after so many milliseconds without a sign of life. It never moves the limit's own time. */
export function idleLimit(clock: Clock, ms: number, limit: Deadline): IdleLimit {
  let timer: Timer | undefined;
  const stop = () => {
    timer?.cancel();
    timer = undefined;
  };
  const alive = () => {
    stop();
    timer = clock.after(ms, () => limit.abort(new IdleExceeded(ms)));
  };
  alive();
  return {
    alive: () => {
      if (timer !== undefined) alive();
    },
    [Symbol.dispose]: stop,
  };
}
