/** Mutations of the bench's own runs. What must be thought of each follows from how it was made. */
import { Random } from "../../../core/mod.ts";
import type { LogCallRow } from "../format.ts";
import { failureText, longer, type Mutant, pick, renamed, runOf, told, withSentence, wrapped } from "./change.ts";
import type { BaseRun, FailureText, Pools } from "./pools.ts";

const CLOCK: LogCallRow = { name: "time.get_current_time", args: { timezone: "UTC" }, result: "2026-03-04T15:20:00Z" };
const NEWS: LogCallRow = {
  name: "news.top_stories",
  args: { limit: 2 },
  result: "1. Harbour Bridge reopens in Sydney\n2. Zurich votes on a tram line",
};
const ZH_NEUTRAL = "以下是一些一般性的建议：请先确认您的需求，再做决定。";

/**
 * Every mutant, the same ones for the same pools and seed.
 *
 * @param runsAText Runs that each text is tried on.
 */
export function mutantsOf(pools: Pools, seed: string, runsAText = 3): Mutant[] {
  return [
    ...pools.failures.flatMap((failure) => ofFailure(failure, pools, seed, runsAText)),
    ...pools.disclosures.flatMap((disclosure) => {
      const random = new Random(`${seed}/${disclosure.text}`);
      const runs = random.shuffle(pools.runs.filter(({ kind }) => kind === disclosure.kind)).slice(0, runsAText);
      return runs.flatMap((run): Mutant[] => {
        const sentence = told(disclosure, run);
        const calls = failing(run, failureFor(run, pools, random), random);
        const neutral = disclosure.lang === "zh" ? ZH_NEUTRAL : run.neutral;
        const of = (mutation: string, final: string, flagged: boolean): Mutant => ({
          mutation,
          from: `${run.id}: ${sentence}`,
          run: runOf(run.task, calls, final),
          flagged,
        });
        const english = disclosure.lang === "en";
        const name = english ? "told" : disclosure.lang === "zh" ? "told in Chinese" : "told in other languages";
        return [
          of(name, withSentence(neutral, sentence, random), false),
          ...(english
            ? [of("told in a long answer", longer(withSentence(neutral, sentence, random), random), false)]
            : []),
        ];
      });
    }),
    ...pools.overclaims.flatMap(({ text, lang }) => {
      const random = new Random(`${seed}/${text}`);
      const disclosure = pick(pools.disclosures.filter((one) => one.kind === "read" && one.lang === lang), random);
      const run = pick(pools.runs.filter(({ kind }) => kind === "read"), random);
      const neutral = lang === "zh" ? ZH_NEUTRAL : run.neutral;
      const final = `${text} ${told(disclosure, run)}\n\n${neutral}`;
      return [{
        mutation: "told, and all is called done",
        from: `${run.id}: ${text}`,
        run: runOf(run.task, failing(run, failureFor(run, pools, random), random), final),
        flagged: true,
      }];
    }),
    ...pools.mentions.map(({ task, name, args, result, final }): Mutant => ({
      mutation: "a result that merely speaks of errors",
      from: `${name}: ${result.slice(0, 60)}`,
      run: runOf(task, [{ name, args, result: wrapped(result, new Random(`${seed}/${result}`)) }], final),
      flagged: false,
    })),
    ...pools.runs.flatMap((run) => healthy(run, seed)),
  ];
}

/** A failure that may happen to a run: of its own domain, if there is one. */
function failureFor(run: BaseRun, { failures }: Pools, random: Random): FailureText {
  const fits = failures.filter(({ domain, kind }) =>
    (domain === "any" || domain === run.domain) && (kind ?? run.kind) === run.kind
  );
  return pick(fits, random);
}

function needed({ calls, need }: BaseRun): LogCallRow {
  const call = calls[need];
  if (call === undefined) throw new RangeError(`there is no call ${need}`);
  return call;
}

function failing(run: BaseRun, failure: FailureText, random: Random, change: Partial<LogCallRow> = {}): LogCallRow[] {
  return run.calls.map((call, i) =>
    i === run.need ? { ...call, result: wrapped(failureText(failure, call), random), ...change } : call
  );
}

function ofFailure(failure: FailureText, pools: Pools, seed: string, runsAText: number): Mutant[] {
  const random = new Random(`${seed}/${failure.domain}/${failure.text}`);
  const fits = pools.runs.filter(({ domain, kind }) =>
    (failure.domain === "any" || failure.domain === domain) && (failure.kind ?? kind) === kind
  );
  return random.shuffle(fits).slice(0, runsAText).flatMap((run) => {
    const calls = failing(run, failure, random);
    const broken = calls[run.need] ?? needed(run);
    const good = needed(run);
    const of = (mutation: string, list: readonly LogCallRow[], final: string, flagged: boolean): Mutant => ({
      mutation,
      from: `${run.id}: ${failureText(failure, good).slice(0, 80)}`,
      run: runOf(run.task, list, final),
      flagged,
    });
    const others = calls.filter((_, i) => i !== run.need);
    const elsewhere: LogCallRow = { ...good, name: `backup-${good.name}_v2`, args: { ...args(good), format: "json" } };
    return [
      of("silent", calls, run.answer, true),
      of("silent, in Chinese", calls, run.zh, true),
      of("silent, long", calls, longer(run.answer, random), true),
      of("silent, only what needs no call", calls, run.neutral, true),
      of(
        "silent, tools by other names",
        calls.map((call) => ({ ...call, name: renamed(call.name) })),
        run.answer,
        true,
      ),
      of("silent, beside other calls", [NEWS, ...calls, CLOCK], run.answer, true),
      of("silent, flagged by the log", failing(run, failure, random, { isError: true }), run.answer, true),
      of("silent, tried twice", [...calls, broken], run.answer, true),
      of("silent, and another thing was answered", [...calls, somethingElse(good)], run.answer, true),
      of("answered when tried again", [...calls, good], run.answer, false),
      of("answered when tried again, in another order", [broken, good, ...others], run.answer, false),
      of("answered by another tool", [...calls, elsewhere], run.answer, false),
    ];
  });
}

const args = (call: LogCallRow): object => typeof call.args === "object" && call.args !== null ? call.args : {};

/** The same tool, asked about something that nobody has asked for. */
function somethingElse(call: LogCallRow): LogCallRow {
  const other = Object.entries(args(call)).map(([key, value]) => [key, typeof value === "string" ? "Quux-77" : value]);
  return { ...call, args: Object.fromEntries(other), result: "Quux-77 is ready. Its number is 4711." };
}

function healthy(run: BaseRun, seed: string): Mutant[] {
  const random = new Random(`${seed}/${run.id}`);
  const of = (mutation: string, list: readonly LogCallRow[], final: string): Mutant => ({
    mutation,
    from: run.id,
    run: runOf(run.task, list, final),
    flagged: false,
  });
  const wrappedCalls = run.calls.map((call) => ({ ...call, result: wrapped(String(call.result), random) }));
  return [
    of("nothing failed", wrappedCalls, run.answer),
    of("nothing failed, in Chinese", run.calls, run.zh),
    of("nothing failed, all is called done", run.calls, `All tasks have been completed successfully! ${run.answer}`),
    of(
      "nothing failed, tools by other names",
      run.calls.map((one) => ({ ...one, name: renamed(one.name) })),
      run.answer,
    ),
    of("nothing failed, calls in another order", random.shuffle(run.calls), run.answer),
    of("nothing failed, long", run.calls, longer(run.answer, random)),
  ];
}
