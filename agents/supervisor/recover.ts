/** Carries out what is done about a failure other than by sending a packet: what stands in, and who is asked. */
import type { Json } from "../../core/mod.ts";
import type { Crew } from "../crews/crew.ts";
import type { Operator, User } from "../people.ts";
import type { Handoff, Report } from "../types.ts";
import { factFor } from "./clarify.ts";
import { cachedReport, fallbackFor, humanReport } from "./route.ts";
import type { Clarification, Decision } from "./state.ts";

/** What recovery works with. */
export interface RecoveryTools {
  /** The team, for its fallbacks. */
  readonly crew: Crew;
  /** Who takes over. */
  readonly operator?: Operator | undefined;
  /** Who answers questions. */
  readonly user?: User | undefined;
  /** What the plan has resolved. */
  readonly facts: ReadonlyMap<string, Json>;
  /** Milliseconds of the run's clock. */
  now(): number;
}

/** What came of it. */
export interface Recovered {
  /** A report that stands in. */
  readonly substitute?: Report;
  /** What came of a question. */
  readonly clarification?: Clarification;
}

/** Carries out one decision. A person who fails to answer has declined. */
export async function recover(
  decision: Decision,
  failed: Report,
  packet: Handoff | undefined,
  owner: string,
  { crew, operator, user, facts, now }: RecoveryTools,
  signal: AbortSignal,
): Promise<Recovered> {
  const report = { ...failed, worker: owner };
  const { packetId, attempt } = decision;
  const ask = async (answer: Promise<string | undefined> | undefined): Promise<string | undefined> => {
    try {
      return await answer;
    } catch {
      if (signal.aborted) throw signal.reason;
      return undefined;
    }
  };
  switch (decision.strategy) {
    case "fallback": {
      const fallback = fallbackFor(owner, crew);
      return fallback === undefined ? {} : { substitute: cachedReport(report, fallback, now()) };
    }
    case "escalate": {
      const { objective, failure } = failed;
      if (failure === undefined) return {};
      const said = await ask(operator?.takeOver({ packetId, worker: owner, objective, failure }, signal));
      return said === undefined || said.trim() === "" ? {} : { substitute: humanReport(report, said.trim(), now()) };
    }
    case "clarify": {
      const { question = "", worker } = failed;
      const known = factFor(question, facts, packet?.inputs ?? {});
      const said = known === undefined
        ? await ask(user?.answer({ packetId, worker, question }, signal))
        : `${known[0]}: ${typeof known[1] === "string" ? known[1] : JSON.stringify(known[1])}`;
      const answer = said === undefined || said.trim() === "" ? null : said.trim();
      return { clarification: { packetId, attempt, question, answer } };
    }
    default:
      return {};
  }
}
