/** What must fit of people, their words, and the expectations that came with them. */
import type { Crew } from "../../agents/crews/mod.ts";
import type { At } from "./issues.ts";
import { type Problem, quote, unknown } from "./problem.ts";
import { rosterOf } from "./roster.ts";
import { EVENT_TYPES } from "../trace/event_types.ts";
import type { Scenario } from "./schema.ts";

/** What these rules look at. */
interface Subject {
  readonly scenario: Scenario;
  readonly crew: Crew;
  readonly tools: readonly string[];
  readonly at: At;
}

/** The operator decides on tools that there are, and takes over from specialists that there are. */
export function* people({ scenario: { operator, user }, crew, tools, at }: Subject): Iterable<Problem> {
  const names = crew.specialists.map(({ name }) => name);
  for (const [i, { tool }] of (operator?.approvals ?? []).entries()) {
    if (!tools.includes(tool)) yield at(["operator", "approvals", i, "tool"], unknown("tool", tool, tools));
  }
  for (const name of Object.keys(operator?.takeovers ?? {})) {
    if (!names.includes(name)) yield at(["operator", "takeovers", name], unknown("specialist", name, names), "key");
  }
  for (const name of Object.keys(user?.answers ?? {})) {
    if (!names.includes(name)) yield at(["user", "answers", name], unknown("specialist", name, names), "key");
  }
}

/** What comes when the subject has ended, or is killed: nobody can be killed after that. */
const TOO_LATE: ReadonlySet<string> = new Set([
  "run.settled",
  "run.end",
  "script.problem",
  "script.left",
  "server.ledger",
  "subject.killed",
  // Of subjects that are not killed.
  "subject.shows",
  "subject.process",
  "subject.unplayable",
]);

/** The subject is killed after events that there are, while it lives. */
export function* kills({ scenario: { interrupts }, at }: Subject): Iterable<Problem> {
  const types = [...EVENT_TYPES.keys()].filter((type) => !TOO_LATE.has(type));
  for (const [i, { after }] of (interrupts ?? []).entries()) {
    if (!types.includes(after)) yield at(["interrupts", i, "after"], unknown("event", after, types));
  }
}

/** What is expected of recoveries, notes, effects, approvals and handoffs is about what there is. */
export function* outcomes({ scenario, crew, tools, at }: Subject): Iterable<Problem> {
  const { expect, operator } = scenario;
  if (expect === undefined) return;
  const { specialists, entry } = rosterOf(scenario, crew);
  for (const field of ["recovered", "notes"] as const) {
    for (const name of Object.keys(expect[field] ?? {})) {
      const path = ["expect", field, name];
      if (!specialists.includes(name)) yield at(path, unknown("specialist", name, specialists), "key");
      else if (field === "recovered" && Object.hasOwn(expect.failed, name)) {
        yield at(path, `${quote(name)} is in recovered and in failed; who recovers has not failed`, "key");
      }
    }
  }
  for (const [i, { server }] of (expect.effects ?? []).entries()) {
    if (!crew.servers.includes(server)) {
      yield at(["expect", "effects", i, "server"], unknown("server", server, crew.servers));
    }
  }
  for (const [i, { tool }] of (expect.approvals ?? []).entries()) {
    if (!tools.includes(tool)) yield at(["expect", "approvals", i, "tool"], unknown("tool", tool, tools));
  }
  if (expect.handoffs !== undefined && scenario.topology !== "peer") {
    yield at(["expect", "handoffs"], "only peers hand over control; write `topology: peer`, or take this out", "key");
  }
  for (const [i, pair] of (expect.handoffs ?? []).entries()) {
    const known = [entry, ...specialists];
    for (const [j, name] of pair.entries()) {
      if (!known.includes(name)) yield at(["expect", "handoffs", i, j], unknown("agent", name, known));
    }
  }
  for (const [name, substitute] of Object.entries(expect.substituted)) {
    if (substitute.by !== "human" || typeof operator?.takeovers[name] === "string") continue;
    const message = `nobody is scripted to stand in for ${quote(name)}; say what in operator.takeovers.${name}`;
    yield at(["expect", "substituted", name], message, "key");
  }
}
