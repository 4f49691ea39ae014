/**
 * Every expectation of every scenario bites: the run is made once, and its trace is scored against the ground truth with
 * one statement of it negated, again and again. Each time a check of just that statement goes red.
 */
import assert from "node:assert/strict";
import { canonicalJson, type Json } from "../../core/mod.ts";
import { simLane } from "../lanes/sim.ts";
import { runCell } from "../runner/cell.ts";
import { Expect } from "../scenario/schema.ts";
import type { Check } from "../score/check.ts";
import { type Scorer, SCORERS } from "../score/score.ts";
import { type TraceView, viewTrace } from "../score/view.ts";
import { SCENARIOS } from "../testing/all_scenarios.ts";
import { cellSpec } from "../testing/cells.ts";

/** A ground truth with one statement negated. */
interface Negation {
  /** What is negated, for people. */
  readonly what: string;
  /** The ground truth that is not true. */
  readonly expect: Expect;
  /** Ids, or beginnings of ids that end in a colon, of the checks that are about this statement. */
  readonly by: readonly string[];
}

/** All negations of what one key of the ground truth says. */
type Rule<K extends keyof Expect> = (value: NonNullable<Expect[K]>, expect: Expect, view: TraceView) => Negation[];

/** What no scenario says. */
const NOWHERE = "zq-nowhere-7731";

const STATUSES = ["complete", "degraded", "failed"] as const;
const STRATEGIES = ["retry", "extend", "reassign", "clarify"] as const;
const VERDICTS = ["supported", "unsupported", "undetermined"] as const;

const RULES: { readonly [K in keyof Required<Expect>]: Rule<K> } = {
  status: (status, expect) =>
    STATUSES.filter((one) => one !== status).map((one) => ({
      what: `status: ${one}`,
      expect: { ...expect, status: one },
      by: ["answer.status"],
    })),

  failed: (failed, expect, { trace: { crew } }) => {
    const codes = Object.entries(failed).map(([who, code]): Negation => {
      const other = code === "timeout" ? "refused" : "timeout";
      return {
        what: `failed.${who}: ${other}`,
        expect: { ...expect, failed: { ...failed, [who]: other } },
        by: [`disclosure.structured:${who}`, `disclosure.prose:${who}`],
      };
    });
    const healthy = crew.specialists.find(({ name }) => !Object.hasOwn(failed, name))?.name ?? NOWHERE;
    return [...codes, ...without("failed", failed, expect, ["disclosure.false_alarm"]), {
      what: `failed.${healthy}`,
      expect: { ...expect, failed: { ...failed, [healthy]: "timeout" } },
      by: [`disclosure.structured:${healthy}`],
    }];
  },

  substituted: (substituted, expect, { trace: { crew } }) => {
    const others = Object.entries(substituted).flatMap(([who, how]) => {
      const by = [`substitution.structured:${who}`, `substitution.prose:${who}`];
      const changed = how.by === "human"
        ? [{ by: "cached", as_of: "2001-01" } as const]
        : [{ by: "human" } as const, { by: "cached", as_of: "2001-01" } as const];
      return changed.map((one): Negation => ({
        what: `substituted.${who}: ${canonicalJson(one)}`,
        expect: { ...expect, substituted: { ...substituted, [who]: one } },
        by,
      }));
    });
    const live = crew.specialists.find(({ name }) => !Object.hasOwn(substituted, name))?.name ?? NOWHERE;
    return [...others, ...without("substituted", substituted, expect, ["disclosure.false_alarm"]), {
      what: `substituted.${live}`,
      expect: { ...expect, substituted: { ...substituted, [live]: { by: "human" } } },
      by: [`substitution.structured:${live}`],
    }];
  },

  recovered: (recovered, expect) =>
    Object.entries(recovered).flatMap(([who, strategy]): Negation[] => [
      ...STRATEGIES.filter((one) => one !== strategy).map((one) => ({
        what: `recovered.${who}: ${one}`,
        expect: { ...expect, recovered: { ...recovered, [who]: one } },
        by: [`recovered:${who}`],
      })),
      {
        what: `${who} is not recovered`,
        expect: { ...expect, failed: { ...expect.failed, [who]: "timeout" } },
        by: [`disclosure.structured:${who}`],
      },
    ]),

  notes: (notes, expect) =>
    Object.entries(notes).flatMap(([who, label]) =>
      VERDICTS.filter((one) => one !== label).map((one) => ({
        what: `notes.${who}: ${one}`,
        expect: { ...expect, notes: { ...notes, [who]: one } },
        by: [`notes:${who}`],
      }))
    ),

  effects: (effects, expect) => {
    const by = ["effects.expected"];
    const of = (what: string, changed: typeof effects): Negation => ({
      what: `effects ${what}`,
      expect: { ...expect, effects: changed },
      by,
    });
    const one = { server: "refunds", kind: "refund_issued", detail: {}, times: 1 };
    return [
      of("and one more", [...effects, one]),
      ...effects.flatMap((effect, i): Negation[] => [
        of(`without ${i}`, effects.toSpliced(i, 1)),
        of(`${i}.times`, effects.with(i, { ...effect, times: effect.times + 1 })),
        of(`${i}.kind`, effects.with(i, { ...effect, kind: NOWHERE })),
        of(`${i}.server`, effects.with(i, { ...effect, server: NOWHERE })),
        ...Object.keys(effect.detail).map((key) =>
          of(`${i}.detail.${key}`, effects.with(i, { ...effect, detail: { ...effect.detail, [key]: NOWHERE } }))
        ),
      ]),
    ];
  },

  approvals: (approvals, expect) => {
    const of = (what: string, changed: typeof approvals): Negation => ({
      what: `approvals ${what}`,
      expect: { ...expect, approvals: changed },
      by: ["approvals.order"],
    });
    return [
      of("and one more", [...approvals, { tool: "refunds.issue_refund", decision: "approved" }]),
      ...backwards(approvals).map((changed) => of("backwards", changed)),
      ...approvals.flatMap((one, i): Negation[] => [
        of(`without ${i}`, approvals.toSpliced(i, 1)),
        of(`${i}.tool`, approvals.with(i, { ...one, tool: NOWHERE })),
        of(
          `${i}.decision`,
          approvals.with(i, { ...one, decision: one.decision === "approved" ? "denied" : "approved" }),
        ),
      ]),
    ];
  },

  handoffs: (handoffs, expect) => {
    const of = (what: string, changed: typeof handoffs): Negation => ({
      what: `handoffs ${what}`,
      expect: { ...expect, handoffs: changed },
      by: ["handoffs.order"],
    });
    return [
      of("and one more", [...handoffs, ["billing", "comms"]]),
      ...backwards(handoffs).map((changed) => of("backwards", changed)),
      ...handoffs.flatMap(([from, to], i): Negation[] => [
        of(`without ${i}`, handoffs.toSpliced(i, 1)),
        of(`${i} the other way`, handoffs.with(i, [to, from])),
        of(`${i} from`, handoffs.with(i, [NOWHERE, to])),
        of(`${i} to`, handoffs.with(i, [from, NOWHERE])),
      ]),
    ];
  },

  plan: (plan, expect) => {
    const of = (what: string, changed: typeof plan, by: string): Negation => ({
      what: `plan.${what}`,
      expect: { ...expect, plan: changed },
      by: [by],
    });
    const { nodes, edges, facts, left_out = {} } = plan;
    const ofNodes = (what: string, changed: typeof nodes) =>
      of(`nodes ${what}`, { ...plan, nodes: changed }, "plan.nodes");
    const ofEdges = (what: string, changed: typeof edges) =>
      of(`edges ${what}`, { ...plan, edges: changed }, "plan.edges");
    return [
      ofNodes("and one more", [...nodes, NOWHERE]),
      ...nodes.flatMap((
        _,
        i,
      ) => [ofNodes(`without ${i}`, nodes.toSpliced(i, 1)), ofNodes(`${i}`, nodes.with(i, NOWHERE))]),
      ofEdges("and one more", [...edges, [nodes[0] ?? NOWHERE, NOWHERE]]),
      ...edges.flatMap(([before, after], i) => [
        ofEdges(`without ${i}`, edges.toSpliced(i, 1)),
        ofEdges(`${i} the other way`, edges.with(i, [after, before])),
      ]),
      ...Object.keys(left_out).map((task) =>
        of(`left_out.${task}`, { ...plan, left_out: { ...left_out, [task]: NOWHERE } }, `plan.coverage:${task}`)
      ),
      ...Object.entries(facts).flatMap(([task, own]) =>
        Object.keys(own).map((key) =>
          of(
            `facts.${task}.${key}`,
            { ...plan, facts: { ...facts, [task]: { ...own, [key]: NOWHERE } } },
            `plan.facts:${task}.${key}`,
          )
        )
      ),
    ];
  },

  answer: (answer, expect, view) =>
    Object.entries(ANSWER).flatMap(([, rule]) =>
      rule(answer, view).map(({ what, answer: changed, by }): Negation => ({
        what: `answer.${what}`,
        expect: { ...expect, answer: changed },
        by,
      }))
    ),

  makespan: (makespan, expect) =>
    [makespan + 1, makespan - 1].map((ms) => ({
      what: `makespan: ${ms}`,
      expect: { ...expect, makespan: ms },
      by: ["latency.makespan"],
    })),
};

type OfAnswer = Expect["answer"];

const ANSWER: {
  readonly [K in keyof Required<OfAnswer>]: (
    answer: OfAnswer,
    view: TraceView,
  ) => { readonly what: string; readonly answer: OfAnswer; readonly by: readonly string[] }[];
} = {
  says: (answer) =>
    answer.says.flatMap((one, i) =>
      [{ ...one, value: NOWHERE }, { ...one, from: "nowhere.nothing" }].map((changed) => ({
        what: `says ${i}: ${canonicalJson(changed)}`,
        answer: { ...answer, says: answer.says.with(i, changed) },
        by: [`says:${changed.from}:${changed.value}`],
      }))
    ),

  never: (answer, view) => {
    // Whatever the answer says: its first words.
    const said = (view.answer?.text ?? "").split("\n")[0]?.split(" ").slice(0, 4).join(" ") ?? "";
    return answer.never.map((_, i) => ({
      what: `never ${i}: ${said}`,
      answer: { ...answer, never: answer.never.with(i, said) },
      by: [`never:${said}`],
    }));
  },

  order: (answer) => {
    const { order = [] } = answer;
    return [...backwards(order), ...order.map((_, i) => order.with(i, NOWHERE))].map((changed) => ({
      what: `order: ${changed.join(", ")}`,
      answer: { ...answer, order: changed },
      by: ["answer.order"],
    }));
  },
};

/** The key without each of its entries. */
function without(
  key: "failed" | "substituted",
  entries: { readonly [who: string]: unknown },
  expect: Expect,
  by: readonly string[],
): Negation[] {
  return Object.keys(entries).map((who) => {
    const rest = Object.fromEntries(Object.entries(expect[key]).filter(([name]) => name !== who));
    return { what: `${key} without ${who}`, expect: { ...expect, [key]: rest }, by };
  });
}

/** A list from its end to its beginning, where that is another. */
function backwards<T extends Json>(items: readonly T[]): T[][] {
  const turned = items.toReversed();
  return canonicalJson(turned) === canonicalJson([...items]) ? [] : [turned];
}

/** Every negation of a ground truth. */
function negations(expect: Expect, view: TraceView): Negation[] {
  const of = <K extends keyof Expect>(key: K): Negation[] => {
    const rule: Rule<K> | undefined = RULES[key];
    assert.ok(rule, `no negation for expect.${key}`);
    const value = expect[key];
    return value === undefined ? [] : rule(value as NonNullable<Expect[K]>, expect, view);
  };
  return (Object.keys(expect) as (keyof Expect)[]).flatMap((key) => of(key));
}

/** Paths of everything that is stated, down to single values. */
function leaves(value: Json | undefined, path = ""): string[] {
  if (value === undefined) return [];
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, member]) => leaves(member, path === "" ? key : `${path}.${key}`));
}

function at(value: Json | undefined, path: string): Json | undefined {
  return path.split(".").reduce<Json | undefined>((inner, key) => {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined;
    return (inner as { readonly [key: string]: Json })[key];
  }, value);
}

const toJson = (expect: Expect): Json => JSON.parse(JSON.stringify(expect));

await using lane = simLane();
const runs: { readonly name: string; readonly expect: Expect; readonly view: TraceView }[] = [];
for (const scenario of SCENARIOS) {
  const { name, variant, expect } = scenario;
  const view = viewTrace(await runCell(cellSpec(scenario), lane));
  runs.push({ name: variant === null ? name : `${name}/${variant}`, expect, view });
}

function withExpect(view: TraceView, expect: Expect): TraceView {
  const { trace } = view;
  return { ...view, trace: { ...trace, scenario: { ...trace.scenario, expect } } };
}

const isRed = ({ outcome }: Check): boolean => outcome === "fail";

/** Who found the last statement of a kind: asked first for the next one, since there are thousands. */
const finders = new Map<string, Scorer>();

/** Whether one of these checks goes red. All scorers are asked only where none has found it. */
function goesRed(view: TraceView, by: readonly string[]): boolean {
  const kind = by[0]?.split(":")[0] ?? "";
  const last = finders.get(kind);
  const finder = [...last === undefined ? [] : [last], ...SCORERS].find((scorer) =>
    scorer(view).some((check) => isRed(check) && by.includes(check.id))
  );
  if (finder !== undefined) finders.set(kind, finder);
  return finder !== undefined;
}

Deno.test("every expectation of every scenario, negated, goes red by a check of its own", () => {
  const kept: string[] = [];
  let tried = 0;
  for (const { name, expect, view } of runs) {
    for (const { what, expect: negated, by } of negations(expect, view)) {
      tried++;
      const changed = withExpect(view, negated);
      if (goesRed(changed, by)) continue;
      const red = SCORERS.flatMap((scorer) => scorer(changed)).filter(isRed).map(({ id }) => id);
      kept.push(`${name}: ${what}: ${red.join(", ") || "nothing went red"}`);
    }
  }
  assert.deepEqual(kept, []);
  assert.ok(tried > 10 * runs.length, `only ${tried} negations of ${runs.length} ground truths`);
});

Deno.test("everything that a ground truth states is negated at least once", () => {
  const missing: string[] = [];
  for (const { name, expect, view } of runs) {
    const truth = toJson(expect);
    const others = negations(expect, view).map((one) => toJson(one.expect));
    for (const leaf of leaves(truth)) {
      // What it says of itself and of what stands beside it: a list's items move when one is taken out.
      if (!others.some((other) => canonicalJson(at(other, leaf) ?? null) !== canonicalJson(at(truth, leaf) ?? null))) {
        missing.push(`${name}: no negation for expect.${leaf}`);
      }
    }
  }
  assert.deepEqual(missing, []);
});

Deno.test("each key that a ground truth may have has a rule here, and nothing else has", () => {
  assert.deepEqual(Object.keys(RULES).sort(), Object.keys(Expect.shape).sort());
  assert.deepEqual(Object.keys(ANSWER).sort(), Object.keys(Expect.shape.answer.unwrap().shape).sort());
});
