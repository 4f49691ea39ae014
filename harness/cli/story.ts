/** Tells a resolved scenario in plain sentences. Pure: a scenario and its crew in, sections of lines out. */
import type { Crew } from "../../agents/crews/mod.ts";
import { FAILURES } from "../../core/failure.ts";
import { clip } from "../../core/text.ts";
import { type FaultEntry, FAULTS, FIXTURES, type Schedule } from "../../servers/mod.ts";
import type { Expansion, Scenario } from "../scenario/mod.ts";

/** One thing that is said: a word in front, and what follows. */
export type Item = readonly [lead: string, text: string];

/** A heading with what belongs under it. */
export interface Section {
  readonly heading: string;
  readonly items: readonly Item[];
}

/**
 * Tells a scenario.
 *
 * @param variants Stories of the scenario's other variants, by name.
 */
export function tell(scenario: Scenario, crew: Crew, variants: ReadonlyMap<string, string>): Section[] {
  const sections: Section[] = [
    { heading: "The request", items: [["", scenario.request]] },
    { heading: `The crew: ${crew.title}`, items: [...specialists(scenario, crew), ...house(scenario, crew)] },
    { heading: "The servers", items: servers(crew) },
    {
      heading: "What goes wrong",
      items: scenario.faults.length === 0 ? [["", "Nothing."]] : scenario.faults.flatMap(fault),
    },
    { heading: "The people", items: people(scenario) },
    { heading: "What must be true", items: expectations(scenario) },
    { heading: "Variants", items: [...variants].map(([name, story]) => [name, story]) },
  ];
  return sections.filter(({ items }) => items.length > 0);
}

/** Tells what a group of variants stands for, and what it leaves out. */
export function tellExpansion({ name }: Scenario, { group, scenarios, inapplicable }: Expansion): Section[] {
  const places = Map.groupBy(scenarios, ({ faults }) => faults.at(-1)?.at ?? "");
  return [
    {
      heading: `${name}/${group}: the same with one more fault, ${count(scenarios.length, "time")}`,
      items: [...places].map(([at, own]): Item => [
        at,
        own.flatMap(({ faults }) => faults.at(-1)?.fault ?? []).join(", "),
      ]),
    },
    {
      heading: `Faults that have nothing to do in ${name}`,
      items: inapplicable.map(({ fault, reason }): Item => [fault, reason]),
    },
  ].filter(({ items }) => items.length > 0);
}

function specialists({ script }: Scenario, crew: Crew): Item[] {
  return crew.specialists.map(({ name, role, toolAllow, maxSteps, deadlineMs }) => {
    const tools = and(toolAllow.map((entry) => entry.endsWith(".") ? `all of ${entry.slice(0, -1)}` : entry));
    const turns = script[name]?.length ?? 0;
    const scripted = turns === 0 ? "It is never called." : `Its script has ${count(turns, "turn")}.`;
    return [name, `${role} Sees ${tools}; at most ${count(maxSteps, "step")} and ${deadlineMs} ms. ${scripted}`];
  });
}

/** How the crew works: its topology, its rules and limits, and what differs from it here. */
function house({ topology, crew_overrides: overrides }: Scenario, crew: Crew): Item[] {
  const { approval = [], budget } = crew;
  const limits = Object.entries(budget ?? {}).map(([what, most]) => `${most} ${what}`);
  return [
    ...(topology === "peer"
      ? sentences(["They are peers: one has control, hands it to the next, and does not get it back."])
      : []),
    ...sentences([
      ...approval.map(ruleWords),
      limits.length > 0 && `The whole run may use ${and(limits)}.`,
      overrides !== undefined && `Different from the crew here: ${and(Object.keys(overrides))}.`,
    ]),
  ];
}

function ruleWords(rule: NonNullable<Crew["approval"]>[number]): string {
  const tools = and(rule.tools);
  switch (rule.rule) {
    case "ask":
      return `Somebody is asked about each call of ${tools}.`;
    case "deny":
      return `Nobody may call ${tools}.`;
    case "limit":
      return `Up to ${rule.max}, ${rule.amount} of ${tools} passes by itself.`;
    case "total": {
      const per = rule.per === undefined ? "" : ` for each ${rule.per}`;
      const period = rule.periodMs === undefined ? "" : ` in ${rule.periodMs} ms`;
      return `Up to ${rule.max} in all${per}${period}, ${rule.amount} of ${tools} passes by itself.`;
    }
  }
}

/** What operator and user say, and when the subject is killed. */
function people({ operator, user, interrupts = [] }: Scenario): Item[] {
  const because = (text: string | undefined) => text === undefined ? "" : `: "${clip(text, 80)}"`;
  return [
    ...(operator?.approvals ?? []).map(({ tool, decision, because: why, takes, seen }): Item => [
      "operator",
      `${decision === "approve" ? "approves" : "denies"} a call of ${tool}${because(why)}` +
      (takes === undefined ? "" : `, after ${takes} ms`) +
      (seen === undefined ? "." : `, having seen other arguments: ${JSON.stringify(seen)}.`),
    ]),
    ...Object.entries(operator?.takeovers ?? {}).map(([name, said]): Item => [
      "operator",
      said === null ? `does not take over from ${name}.` : `takes over from ${name}: "${clip(said, 80)}"`,
    ]),
    ...Object.entries(user?.answers ?? {}).flatMap(([name, answers]) =>
      answers.map((said): Item => [
        "user",
        said === null ? `has no answer for ${name}.` : `answers ${name}: "${clip(said, 80)}"`,
      ])
    ),
    ...interrupts.map((
      { after, nth },
    ): Item => ["kill", `The subject is killed after ${after}, number ${nth}, and goes on.`]),
  ];
}

function servers(crew: Crew): Item[] {
  return crew.servers.map((server) => {
    const fixture = FIXTURES.get(server);
    return [server, `${fixture?.title ?? ""}: ${[...fixture?.tools.keys() ?? []].join(", ")}`];
  });
}

function fault({ fault: id, at, when, ...params }: FaultEntry): Item[] {
  const known = FAULTS.get(id);
  const given = Object.entries(params).map(([key, value]) =>
    `${key} ${typeof value === "string" ? JSON.stringify(clip(value, 80)) : value}`
  );
  const details = given.length === 0 ? "" : ` (${given.join(", ")})`;
  return [
    [id, `at ${placeWords(at)}${details}, ${schedule(when)}: ${known?.summary ?? ""}`],
    ["", `A correct orchestrator: ${known?.correct ?? ""}`],
  ];
}

/** A fault's place; what stands for many is told. */
function placeWords(at: string): string {
  if (at === "*") return "every server";
  if (at === "agent:*") return "every agent's model";
  return at.startsWith("agent:") ? `the model of ${at.slice("agent:".length)}` : at;
}

function schedule(when: Schedule | undefined): string {
  const { calls, first, every, burst, probability, from, until } = when ?? {};
  const parts = [
    calls && `call ${and(calls.map(String))} only`,
    first && `the first ${count(first, "call")}`,
    every && `every ${every} calls`,
    burst && `the first ${count(burst.length, "call")} of every ${burst.every}`,
    probability && `with probability ${probability}`,
    from && `from ${from} ms`,
    until && `until ${until} ms`,
  ].filter((part) => typeof part === "string");
  return parts.length === 0 ? "every time" : parts.join(", ");
}

function expectations({ expect, canaries, secrets }: Scenario): Item[] {
  if (expect === undefined) {
    return sentences([
      "Nobody has written down what comes of it. What must hold in every run must hold in this one: the fault strikes, the " +
      "run ends and leaves nothing behind, the answer names each part that came to nothing and nobody who did theirs, and " +
      "it is called complete only if nothing is missing.",
      ...sources({ canaries, secrets }),
    ]);
  }
  const {
    status,
    failed,
    substituted,
    recovered = {},
    notes = {},
    effects,
    approvals,
    handoffs,
    plan,
    answer,
    makespan,
  } = expect;
  const failures = Object.entries(failed);
  return sentences([
    `The answer is ${status}.`,
    failures.length === 0 && "Nobody fails, and the answer speaks of no failure.",
    ...failures.map(([name, code]) =>
      `${name} fails with ${code} (${lower(FAILURES[code].cause)}), and the answer says so.`
    ),
    failures.length > 0 && "Nobody else fails.",
    ...Object.entries(substituted).map(([name, substitute]) =>
      substitute.by === "cached"
        ? `Something cached as of ${substitute.as_of} stands in for ${name}, and the answer says so.`
        : `A person stands in for ${name}, and the answer says so.`
    ),
    ...Object.entries(recovered).map(([name, strategy]) =>
      `${name} fails first and is recovered by ${strategy}, with live results; the answer does not call it failed.`
    ),
    ...Object.entries(notes).map(([name, label]) => `The worst claim of ${name} is found to be ${label}.`),
    plan && `The plan is ${plan.nodes.length === 0 ? "empty" : and(plan.nodes)}` +
      (plan.edges.length === 0 ? ", all at once." : `, with ${and(plan.edges.map(([a, b]) => `${a} before ${b}`))}.`),
    ...Object.entries(plan?.facts ?? {}).map(([node, facts]) =>
      `The packet of ${node} carries ${
        and(Object.entries(facts).map(([key, value]) => `${key} ${JSON.stringify(value)}`))
      }.`
    ),
    ...answer.says.map(({ from, value }) => `The answer states "${value}", which comes from ${from}.`),
    answer.order !== undefined &&
    `The answer has, in this order: ${answer.order.map((text) => `"${text}"`).join(", ")}.`,
    handoffs !== undefined &&
    (handoffs.length === 0
      ? "Nobody hands over control."
      : `Control goes ${and(handoffs.map(([from, to]) => `from ${from} to ${to}`))}.`),
    approvals !== undefined &&
    (approvals.length === 0
      ? "Nothing is decided on."
      : `Decided is, in this order: ${and(approvals.map(({ tool, decision }) => `${tool} ${decision}`))}.`),
    effects !== undefined &&
    (effects.length === 0
      ? "By the servers' own record nothing is changed."
      : `By the servers' own record this happens and nothing else: ${and(effects.map(effectWords))}.`),
    answer.never.length > 0 && `The answer never says ${answer.never.map((text) => `"${text}"`).join(" or ")}.`,
    ...sources({ canaries, secrets }),
    makespan !== undefined && `In sim the run takes exactly ${makespan} ms.`,
  ]);
}

function effectWords(
  { server, kind, detail, times }: NonNullable<NonNullable<Scenario["expect"]>["effects"]>[number],
): string {
  const about = Object.entries(detail).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return `${kind} at ${server}${about.length === 0 ? "" : ` (${about.join(", ")})`}${
    times === 1 ? "" : `, ${times} times`
  }`;
}

function sources({ canaries, secrets }: Pick<Scenario, "canaries" | "secrets">): (string | false)[] {
  return [
    Object.keys(canaries).length > 0 &&
    `A canary tells where a claim comes from: ${
      and(Object.entries(canaries).map(([value, tool]) => `${value} (${tool})`))
    }.`,
    Object.keys(secrets).length > 0 && `No artifact holds a secret (${and(Object.keys(secrets))}).`,
  ];
}

function sentences(parts: readonly (string | false | undefined)[]): Item[] {
  return parts.flatMap((part): Item[] => typeof part === "string" ? [["-", part]] : []);
}

function and(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;
const lower = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
