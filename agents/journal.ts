/**
 * What came of pieces of work, written down before anybody is told of it. A checkpoint comes a little later: a run that is
 * killed in between has said that somebody is done, and must not let them work again.
 */
import * as z from "zod";
import type { Json } from "../core/mod.ts";
import type { RunLog } from "./run_log.ts";

/** Results by the span of the work that they came of, kept in a list of a run's log. */
export class Journal<T extends Json> {
  readonly #known = new Map<string, T>();

  /**
   * Reads what the log has.
   *
   * @param log Where it is kept; nowhere if left out.
   * @param list The list of the log, which is this journal's alone.
   * @throws {z.ZodError} If the list holds what was never written here.
   */
  constructor(private readonly log: RunLog | undefined, private readonly list: string, result: z.ZodType<T>) {
    const written = log?.read(list) ?? [];
    // Nothing to read is the rule, and a schema takes a while to make.
    if (written.length === 0) return;
    const entry = z.strictObject({ span: z.string(), result });
    for (const one of written) {
      const { span, result } = entry.parse(one);
      this.#known.set(span, result);
    }
  }

  /** What came of the work of a span before the kill; `undefined` of work that had not ended. */
  find(span: string): T | undefined {
    return this.#known.get(span);
  }

  /** Writes down what has come of the work of a span. */
  keep(span: string, result: T): void {
    this.log?.append(this.list, { span, result });
  }
}
