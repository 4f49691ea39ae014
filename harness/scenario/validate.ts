/** What a schema cannot see: whether the parts of a scenario fit each other, its crew and the world. */
import type { Crew, Specialist } from "../../agents/crews/mod.ts";
import type { Json } from "../../core/mod.ts";
import { FAULTS, FIXTURES } from "../../servers/mod.ts";
import type { At } from "./issues.ts";
import { mentions } from "./mentions.ts";
import { type Problem, quote, unknown } from "./problem.ts";
import type { Scenario } from "./schema.ts";
import type { Path } from "./source.ts";
import { callsOf, GUARD_MS, timing } from "./timing.ts";

/** What a rule looks at. */
interface Subject {
  readonly scenario: Scenario;
  readonly crew: Crew;
  /** Every `server.tool` that the crew's servers have. */
  readonly tools: readonly string[];
  /** All that the planner says. */
  readonly plannerText: string;
  readonly at: At;
}

/** One kind of check. */
type Rule = (subject: Subject) => Iterable<Problem>;

/** The checks, in the order in which they are made. */
const RULES: readonly Rule[] = [
  agents,
  plannerScript,
  workerScripts,
  tools,
  places,
  expectations,
  plan,
  canaries,
  races,
];

/**
 * Checks a resolved scenario.
 *
 * @param at Places a path of the scenario in its file.
 */
export function validateScenario(scenario: Scenario, crew: Crew, at: At): Problem[] {
  const tools = crew.servers.flatMap((server) =>
    [...FIXTURES.get(server)?.tools.keys() ?? []].map((tool) => `${server}.${tool}`)
  );
  const plannerText = (scenario.script.planner ?? []).map(({ say }) => say ?? "").join("\n");
  const subject: Subject = { scenario, crew, tools, plannerText, at };
  return RULES.flatMap((rule) => [...rule(subject)]);
}

function* agents({ scenario, crew, at }: Subject): Iterable<Problem> {
  const allowed = ["planner", ...crew.specialists.map(({ name }) => name)];
  for (const agent of Object.keys(scenario.script)) {
    if (!allowed.includes(agent)) yield at(["script", agent], unknown("agent", agent, allowed), "key");
  }
}

function* plannerScript({ scenario, at }: Subject): Iterable<Problem> {
  const turns = scenario.script.planner;
  if (turns === undefined || turns.length === 0) {
    yield at(["script", "planner"], "the planner has no turns; give it at least one `say` with its plan");
  }
  for (const [i, turn] of (turns ?? []).entries()) {
    if (turn.say === undefined) yield at(["script", "planner", i], "a planner only speaks; write the turn as `say`");
  }
}

function* workerScripts({ scenario, crew, plannerText, at }: Subject): Iterable<Problem> {
  for (const specialist of crew.specialists) {
    const turns = scenario.script[specialist.name] ?? [];
    for (const [i, turn] of turns.entries()) {
      const path = ["script", specialist.name, i];
      if (turn.say !== undefined) yield at(path, "`say` is for the planner; a worker ends with `final`");
      if (turn.final !== undefined && i < turns.length - 1) {
        yield at([...path, "final"], "nothing is played after a `final`; take out what follows", "key");
        break;
      }
    }
    const last = turns.at(-1);
    const ends = last === undefined || last.final !== undefined || last.say !== undefined;
    // A plan may grant fewer steps than the crew does, and a deadline or a failing model may end the work early.
    const cut = /max_?steps/i.test(plannerText) || missesDeadline(scenario, specialist) ||
      failsAtModel(scenario, specialist);
    if (!ends && turns.length < specialist.maxSteps && !cut) {
      yield at(
        ["script", specialist.name, turns.length - 1],
        `the script of ${
          quote(specialist.name)
        } is too short: ${turns.length} of ${specialist.maxSteps} steps and no ` +
          "`final`; add turns, or end with `final`",
      );
    }
  }
}

function missesDeadline(scenario: Scenario, { name, deadlineMs }: Specialist): boolean {
  const { hangs, end } = timing(scenario, name);
  return hangs || end.some(([, latest]) => latest >= deadlineMs);
}

/** Whether a fault ends what the worker's model has to say. */
function failsAtModel({ faults }: Scenario, { name }: Specialist): boolean {
  return faults.some(({ fault, at }) =>
    (at === `agent:${name}` || at === "agent:*") && FAULTS.get(fault)?.outcome !== "ok"
  );
}

function* tools({ scenario, tools, at }: Subject): Iterable<Problem> {
  for (const [agent, turns] of Object.entries(scenario.script)) {
    for (const [i, turn] of turns.entries()) {
      for (const [j, tool] of callsOf(turn).entries()) {
        const path = ["script", agent, i, ...(turn.call === undefined ? ["calls", j] : []), "call"];
        if (!tools.includes(tool)) yield at(path, unknown("tool", tool, tools));
      }
    }
  }
  for (const [i, { from }] of (scenario.expect?.answer.says ?? []).entries()) {
    if (!tools.includes(from)) yield at(["expect", "answer", "says", i, "from"], unknown("tool", from, tools));
  }
  for (const [canary, tool] of Object.entries(scenario.canaries)) {
    if (!tools.includes(tool)) yield at(["canaries", canary], unknown("tool", tool, tools));
  }
}

function* places({ scenario, crew, tools, at }: Subject): Iterable<Problem> {
  const agents = ["planner", ...crew.specialists.map(({ name }) => name), "*"].map((name) => `agent:${name}`);
  const servers = [...crew.servers, ...tools, "*"];
  for (const [i, { fault: id, at: place }] of scenario.faults.entries()) {
    const fault = FAULTS.get(id);
    const allowed = fault?.applies.includes("agent") ? agents : servers;
    if (!allowed.includes(place)) yield at(["faults", i, "at"], unknown("place", place, allowed));
    // In both lanes the script is asked in the same process.
    if (fault !== undefined && fault.lanes.sim !== true) {
      yield at(["faults", i, "fault"], `${quote(id)} cannot be had in a scenario: ${fault.lanes.sim}`);
    }
  }
}

function* expectations({ scenario: { expect, faults }, crew, plannerText, at }: Subject): Iterable<Problem> {
  if (expect === undefined) return;
  // A planner that gives no plan is a failure that the answer names like any other.
  const known = ["planner", ...crew.specialists.map(({ name }) => name)];
  for (const field of ["failed", "substituted"] as const) {
    for (const name of Object.keys(expect[field])) {
      // A planner, or a fault that speaks for it, may ask for specialists that do not exist: they are expected to fail.
      const invented = plannerText.includes(`"${name}"`) || plannerText.includes(`'${name}'`) ||
        faults.some((fault) => fault.at.startsWith("agent:") && Object.values(fault).includes(name));
      if (!known.includes(name) && !invented) {
        yield at(["expect", field, name], unknown("specialist", name, known), "key");
      } else if (field === "substituted" && !Object.hasOwn(expect.failed, name)) {
        const message = `${quote(name)} is substituted and not in failed; what stands in stands in for a failure`;
        yield at(["expect", field, name], message, "key");
      }
    }
  }
}

function* plan({ scenario: { expect }, at }: Subject): Iterable<Problem> {
  const plan = expect?.plan;
  if (plan === undefined) return;
  const path = ["expect", "plan"];
  for (const [i, node] of plan.nodes.entries()) {
    if (plan.nodes.indexOf(node) < i) yield at([...path, "nodes", i], `node ${quote(node)} is there twice`);
  }
  for (const [i, edge] of plan.edges.entries()) {
    for (const [j, node] of edge.entries()) {
      if (!plan.nodes.includes(node)) yield at([...path, "edges", i, j], unknown("node", node, plan.nodes));
    }
  }
  for (const node of Object.keys(plan.facts)) {
    if (!plan.nodes.includes(node)) yield at([...path, "facts", node], unknown("node", node, plan.nodes), "key");
  }
}

function* canaries({ scenario, crew, tools, plannerText, at }: Subject): Iterable<Problem> {
  const elsewhere = (server: string | undefined): [where: string, value: Json][] => [
    ["the request", scenario.request],
    ["the planner's script", plannerText],
    ...crew.fallbacks.map(({ specialist, text }): [string, Json] => [`the crew's fallback for ${specialist}`, text]),
    ...Object.entries(scenario.servers).filter(([other]) => other !== server)
      .map(([other, data]): [string, Json] => [`the data of ${other}`, data]),
  ];
  for (const [canary, tool] of Object.entries(scenario.canaries)) {
    const [server = ""] = tool.split(".");
    if (!tools.includes(tool)) continue;
    const path: Path = ["canaries", canary];
    const count = mentions(scenario.servers[server] ?? null, canary);
    if (count !== 1) {
      yield at(
        path,
        `canary ${quote(canary)} is ${times(count)} in the data of ${server}; it must be there once`,
        "key",
      );
    }
    for (const [where, value] of elsewhere(server)) {
      if (mentions(value, canary) === 0) continue;
      const message = `canary ${quote(canary)} is also in ${where}; it proves nothing unless it is in one place only`;
      yield at(path, message, "key");
    }
  }
  for (const { specialist, canary } of crew.fallbacks) {
    for (const [where, value] of elsewhere(undefined)) {
      if (where.endsWith(`fallback for ${specialist}`) || mentions(value, canary) === 0) continue;
      const message = `${where} holds ${
        quote(canary)
      }, the canary of the crew's fallback for ${specialist}; use another value`;
      const server = /^the data of (.+)$/.exec(where)?.[1];
      yield at(
        server !== undefined ? ["servers", server] : where === "the request" ? ["request"] : ["script", "planner"],
        message,
      );
    }
  }
}

function* races({ scenario, crew, at }: Subject): Iterable<Problem> {
  for (const { name, deadlineMs } of crew.specialists) {
    const near = timing(scenario, name).events.find(({ at: [earliest, latest] }) =>
      latest > deadlineMs - GUARD_MS && earliest < deadlineMs + GUARD_MS
    );
    if (near === undefined) continue;
    const [earliest, latest] = near.at;
    const when = earliest === latest ? `${earliest} ms` : `between ${earliest} and ${latest} ms`;
    yield at(
      ["script", name, near.turn],
      `turn ${near.turn + 1} of ${quote(name)} comes at ${when}, too near its deadline of ${deadlineMs} ms; keep ` +
        `takes and latency at most ${deadlineMs - GUARD_MS} ms or at least ${deadlineMs + GUARD_MS} ms in all`,
    );
  }
}

function times(count: number): string {
  return count === 0 ? "nowhere" : `${count} times`;
}
