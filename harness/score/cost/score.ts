/**
 * What a run cost: the sum over the replies that models really gave, by the model endpoint's record. Each reply counts
 * once, however it was delivered; one that is asked for anew after a kill is another reply, and is paid for again.
 */
import { ENTRY } from "../../../agents/mod.ts";
import { isWithin } from "../attempts.ts";
import { eventsOf } from "../events.ts";
import { unusedAttempts, workOf } from "../latency/work.ts";
import { count } from "../model_use.ts";
import type { Score, ScoreComponent } from "../scores.ts";
import { unseen } from "../shown.ts";
import type { TraceView } from "../view.ts";

interface Reply {
  readonly agent: string;
  readonly span: string;
  readonly seq: number;
  readonly input: number;
  readonly output: number;
  /** US dollars; `undefined` if the reply does not say. */
  readonly usd: number | undefined;
}

/**
 * Scores cost: tokens in and out. `usd` is `null` where a reply does not say what it cost; `retry_share` is the share of
 * the tokens that went into attempts that were not used (see `unusedAttempts`), `null` without any tokens. Which agents
 * there are depends on the crew and its topology; an agent that is none of them counts as `other`.
 */
export function costScore(view: TraceView): Score {
  const { trace: { events, crew, scenario }, calls, shown } = view;
  const asked = eventsOf(events, "world", "model.request");
  const replies = repliesOf(view);
  const tokens = total(replies);
  const entry = scenario.topology === "peer" ? ENTRY : "planner";
  const agents = [...new Set([entry, ...crew.specialists.map(({ name }) => name), "synthesizer"])];
  const of = (name: string) => total(replies.filter(({ agent }) => agent === name));
  // Without names it is nobody's.
  const ofAgents = (tokens: number) => shown.has("agents") ? tokens : null;
  const named = agents.map((name): ScoreComponent => ({
    id: `tokens:${name}`,
    value: ofAgents(of(name)),
    unit: "tokens",
  }));
  const other = total(replies.filter(({ agent }) => !agents.includes(agent)));
  const usd = replies.some((reply) => reply.usd === undefined)
    ? null
    : Number(replies.reduce((sum, reply) => sum + (reply.usd ?? 0), 0).toFixed(9));
  const unused = workOf(view).flatMap((task) => unusedAttempts(task, view)).map(({ packet }) => packet.span);
  const again = replies.filter(({ span }) => unused.some((work) => isWithin(span, work)));
  // Which attempt was used, packets and the answer's sections tell.
  const hidden = unseen(shown, ["agents", "packets", "answer"]);
  const share = tokens === 0 || hidden !== undefined ? null : Number((total(again) / tokens).toPrecision(6));
  const cost = usd === null ? "at no known price" : `for $${usd}`;
  return {
    id: "cost",
    value: tokens,
    unit: "tokens",
    components: [
      { id: "model_calls", value: asked.length, unit: "count" },
      { id: "tool_calls", value: calls.length, unit: "count" },
      { id: "input_tokens", value: replies.reduce((sum, { input }) => sum + input, 0), unit: "tokens" },
      { id: "output_tokens", value: replies.reduce((sum, { output }) => sum + output, 0), unit: "tokens" },
      { id: "usd", value: usd, unit: "usd" },
      { id: "retry_share", value: share, unit: "ratio" },
      ...named,
      { id: "tokens:other", value: ofAgents(other), unit: "tokens" },
    ],
    message: `${asked.length} model calls and ${calls.length} tool calls, ${tokens} tokens, ${cost}${
      hidden !== undefined
        ? `; ${hidden}, so what went into attempts that were not used is not known`
        : again.length === 0
        ? ""
        : `; ${total(again)} tokens went into attempts that were not used`
    }`,
    evidence: replies.map(({ seq }) => seq),
  };
}

function repliesOf({ trace: { events } }: TraceView): Reply[] {
  return eventsOf(events, "world", "model.turn").map(({ seq, span, detail }) => {
    const { usage } = detail;
    const isKnown = typeof usage === "object" && usage !== null && !Array.isArray(usage) &&
      typeof usage["costUsd"] === "number";
    return {
      agent: typeof detail["agent"] === "string" ? detail["agent"] : "",
      ...{ span, seq },
      input: count(usage, "inputTokens"),
      output: count(usage, "outputTokens"),
      usd: isKnown ? count(usage, "costUsd") : undefined,
    };
  });
}

function total(replies: readonly Reply[]): number {
  return replies.reduce((sum, { input, output }) => sum + input + output, 0);
}
