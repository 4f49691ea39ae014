/** What a schema cannot see: whether the parts of a scenario fit each other, its crew and the world. */
import * as z from "zod";
import { type Crew, namesAlike, namesAlikeProblem, type Specialist } from "../../agents/crews/mod.ts";
import { ENTRY } from "../../agents/peer/handoff.ts";
import type { Json } from "../../core/mod.ts";
import { FAULTS, FIXTURES } from "../../servers/mod.ts";
import { approvalPlaces } from "./approval_places.ts";
import type { At } from "./issues.ts";
import { mentions } from "./mentions.ts";
import { kills, outcomes, people } from "./people_rules.ts";
import { type Problem, quote, unknown } from "./problem.ts";
import { isHandoff, mayBeAskedAgain, rosterOf } from "./roster.ts";
import type { Scenario } from "./schema.ts";
import type { Path } from "./source.ts";
import { callsOf, GUARD_MS, limitsOf, timing } from "./timing.ts";

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
  names,
  agents,
  plannerScript,
  workerScripts,
  tools,
  approval,
  places,
  people,
  kills,
  expectations,
  outcomes,
  plan,
  canaries,
  inputs,
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
  const allowed = rosterOf(scenario, crew).agents;
  for (const agent of Object.keys(scenario.script)) {
    if (!allowed.includes(agent)) yield at(["script", agent], unknown("agent", agent, allowed), "key");
  }
  const scripted = Object.keys(scenario.script);
  for (const agent of Object.keys(scenario.match ?? {})) {
    if (!scripted.includes(agent)) yield at(["match", agent], unknown("agent with a script", agent, scripted), "key");
  }
}

/** A crew in which two names look alike is refused at start; a scenario may be about just that. */
function* names({ scenario: { expect }, crew, at }: Subject): Iterable<Problem> {
  for (const pair of namesAlike(crew)) {
    if (pair.every((name) => Object.hasOwn(expect?.failed ?? {}, name))) continue;
    yield at(["crew_overrides"], `${namesAlikeProblem(pair)}, or expect both to fail with ambiguous`, "key");
  }
}

function* plannerScript({ scenario, crew, at }: Subject): Iterable<Problem> {
  // Nobody is asked anything.
  if (namesAlike(crew).length > 0) return;
  if (scenario.topology === "peer") return yield* entryScript(scenario, at);
  const turns = scenario.script.planner;
  // What a budget cannot pay for is not asked.
  const isUnpaid = crew.budget !== undefined && turns !== undefined;
  if (turns === undefined || turns.length === 0 && !isUnpaid) {
    yield at(["script", "planner"], "the planner has no turns; give it at least one `say` with its plan");
  }
  for (const [i, turn] of (turns ?? []).entries()) {
    if (turn.say === undefined) yield at(["script", "planner", i], "a planner only speaks; write the turn as `say`");
  }
}

/** The first of the peers hands over, or says something. */
function* entryScript({ script }: Scenario, at: At): Iterable<Problem> {
  if (script[ENTRY] === undefined) {
    yield at(
      ["script", ENTRY],
      `${ENTRY} has no script; give it a call of handoff.<specialist>, or [] if it never gets to speak`,
    );
  }
}

function* workerScripts({ scenario, crew, plannerText, at }: Subject): Iterable<Problem> {
  for (const specialist of crew.specialists) {
    const turns = scenario.script[specialist.name] ?? [];
    for (const [i, turn] of turns.entries()) {
      const path = ["script", specialist.name, i];
      if (turn.say !== undefined) yield at(path, "`say` is for the planner; a worker ends with `final`");
      if (turn.final !== undefined && i < turns.length - 1 && !mayBeAskedAgain(scenario, crew, specialist.name)) {
        yield at([...path, "final"], "nothing is played after a `final`; take out what follows", "key");
        break;
      }
    }
    const last = turns.at(-1);
    const ends = last === undefined || (last.final ?? last.say ?? last.report_from) !== undefined ||
      callsOf(last).some((call) => isHandoff(scenario, call));
    // A plan may grant fewer steps than the crew does, and a limit or a failing model may end the work early.
    const cut = /max_?steps/i.test(plannerText) || isLimited(crew, specialist) ||
      missesDeadline(scenario, crew, specialist) || failsAtModel(scenario, specialist);
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

/** Whether something other than steps and time may run out. */
function isLimited({ budget }: Crew, { maxTokens, maxCostUsd }: Specialist): boolean {
  return (budget ?? maxTokens ?? maxCostUsd) !== undefined;
}

function missesDeadline(scenario: Scenario, crew: Crew, { name }: Specialist): boolean {
  const { hangs, late } = timing(scenario, name, limitsOf(crew, name));
  return hangs || late;
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
        if (!tools.includes(tool) && !isHandoff(scenario, tool)) yield at(path, unknown("tool", tool, tools));
      }
      for (const [j, tool] of (turn.report_from ?? []).entries()) {
        if (!tools.includes(tool)) yield at(["script", agent, i, "report_from", j], unknown("tool", tool, tools));
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

/** What a scenario says of approval anew; what the crew says is held against the same by a test. */
function* approval({ scenario: { crew_overrides = {} }, crew, at }: Subject): Iterable<Problem> {
  if (!Object.hasOwn(crew_overrides, "approval")) return;
  yield* approvalPlaces(crew, (path, message, part) => at(["crew_overrides", "approval", ...path], message, part));
}

function* places({ scenario, crew, tools, at }: Subject): Iterable<Problem> {
  const agents = [...rosterOf(scenario, crew).agents, "*"].map((name) => `agent:${name}`);
  const servers = [...crew.servers, ...tools, "*"];
  for (const [i, { fault: id, at: place }] of scenario.faults.entries()) {
    const fault = FAULTS.get(id);
    const allowed = fault?.applies.includes("agent") ? agents : servers;
    if (!allowed.includes(place)) yield at(["faults", i, "at"], unknown("place", place, allowed));
    // In both lanes the script is asked in the same process, unless the scenario has it reached in another way in one.
    if (fault !== undefined && fault.lanes.sim !== true && scenario.model_via === undefined) {
      const how = "write `model_via: http`, and it is in the wire lane";
      yield at(["faults", i, "fault"], `${quote(id)} cannot be had in a scenario: ${fault.lanes.sim}; ${how}`);
    }
  }
}

function* expectations({ scenario, crew, plannerText, at }: Subject): Iterable<Problem> {
  const { expect, faults, script, topology } = scenario;
  if (expect === undefined) return;
  // A planner that gives no plan is a failure that the answer names like any other.
  const known = rosterOf(scenario, crew).agents;
  const handed = Object.values(script).flatMap((turns) => turns.flatMap(callsOf));
  for (const field of ["failed", "substituted"] as const) {
    for (const name of Object.keys(expect[field])) {
      // A planner, or a fault that speaks for it, may ask for specialists that do not exist: they are expected to fail.
      const invented = topology === "peer" && handed.some((call) => call.endsWith(`.${name}`)) ||
        plannerText.includes(`"${name}"`) || plannerText.includes(`'${name}'`) ||
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
    ["what the operator says", Object.values(scenario.operator?.takeovers ?? {})],
    ["what the user answers", Object.values(scenario.user?.answers ?? {})],
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
        server !== undefined ? ["servers", server] : PLACES.get(where) ?? ["script", "planner"],
        message,
      );
    }
  }
}

const PLACES: ReadonlyMap<string, Path> = new Map([
  ["the request", ["request"]],
  ["what the operator says", ["operator", "takeovers"]],
  ["what the user answers", ["user", "answers"]],
]);

function* inputs({ scenario: { input = {} }, crew, at }: Subject): Iterable<Problem> {
  for (const [name, { server, files, diff }] of Object.entries(input)) {
    if (!crew.servers.includes(server)) yield at(["input", name, "server"], unknown("server", server, crew.servers));
    const data = FIXTURES.get(server)?.data;
    if (!(data instanceof z.ZodObject)) continue;
    const members = Object.keys(data.shape);
    if (!members.includes(files)) yield at(["input", name, "files"], unknown("member", files, members));
    if (diff !== undefined && !members.includes(diff)) {
      yield at(["input", name, "diff"], unknown("member", diff, members));
    }
  }
}

function* races({ scenario, crew, at }: Subject): Iterable<Problem> {
  for (const { name } of crew.specialists) {
    const limits = limitsOf(crew, name);
    const { events, replies } = timing(scenario, name, limits);
    for (
      const [what, seen, limit] of [["deadline", events, limits.deadlineMs], [
        "limit for a call",
        replies,
        limits.callMs,
      ]] as const
    ) {
      const near = seen.find(({ at: [earliest, latest] }) => latest > limit - GUARD_MS && earliest < limit + GUARD_MS);
      if (near === undefined) continue;
      const [earliest, latest] = near.at;
      const when = earliest === latest ? `${earliest} ms` : `between ${earliest} and ${latest} ms`;
      const least = Math.max(0, limit - GUARD_MS);
      yield at(
        ["script", name, near.turn],
        `turn ${near.turn + 1} of ${
          quote(name)
        } comes at ${when}, too near its ${what} of ${limit} ms; keep takes and ` +
          `latency at most ${least} ms or at least ${limit + GUARD_MS} ms in all`,
      );
    }
  }
}

function times(count: number): string {
  return count === 0 ? "nowhere" : `${count} times`;
}
