/** The gates after a kill at each of the moments that their own log tells apart. */
import assert from "node:assert/strict";
import type { Json } from "../../core/mod.ts";
import { sim } from "../testing.ts";
import type { ApprovalRule } from "../crews/crew.ts";
import type { CallOutcome } from "../hub/mod.ts";
import type { Operator } from "../people.ts";
import { MemoryRunLog, type RunLog } from "../run_log.ts";
import { FakeHub, rig } from "./testing.ts";

/** A log that is cut off after so many entries, as if the process had been killed then. */
class CutLog implements RunLog {
  readonly kept = new MemoryRunLog();
  #left: number;

  constructor(entries: number) {
    this.#left = entries;
  }

  append(list: string, entry: Json): void {
    if (this.#left-- > 0) this.kept.append(list, entry);
  }

  read(list: string): readonly Json[] {
    return this.kept.read(list);
  }
}

function operatorOf(asked: string[]): Operator {
  return {
    approve: ({ callId, binding }) => {
      asked.push(callId);
      return Promise.resolve({ decision: "approve", binding });
    },
    takeOver: () => Promise.resolve(undefined),
  };
}

// Sent twice, the amounts together would need a decision that nobody is asked for.
const TOTAL: ApprovalRule = { rule: "total", tools: ["refunds.issue"], amount: "amount", max: 150 };
const ASK: ApprovalRule = { rule: "ask", tools: ["outbox.send"] };

Deno.test("gated(), killed between any two entries of its log, sends nothing twice and asks about nothing twice", () =>
  sim(async (clock) => {
    // decided, used, sent, done: killed after so many of them.
    for (const entries of [0, 1, 2, 3, 4]) {
      for (const [tool, args] of [["refunds.issue", { amount: 90 }], ["outbox.send", { to: "a" }]] as const) {
        const about = `${tool} killed after ${entries} entries`;
        const log = new CutLog(entries);
        const hub = new FakeHub();
        const asked: string[] = [];
        const operator = operatorOf(asked);
        const live = (log: RunLog): Promise<CallOutcome> =>
          rig(clock, { approval: [TOTAL, ASK], operator, hub, log }).call(tool, { ...args }, { span: "s1" });
        await live(log);
        const sent = entries < 3 ? 0 : 1;
        if (sent === 0) hub.sent.length = 0; // it was killed before the call left
        const outcome = await live(log.kept);
        assert.equal(hub.sent.length, 1, about);
        assert.equal(outcome.code, entries === 3 ? "outcome_unknown" : undefined, about);
        // One that was made on a decision of which nothing is on record is asked about again.
        assert.equal(asked.length, tool === "refunds.issue" ? 0 : entries === 0 ? 2 : 1, about);
      }
    }
  }));
