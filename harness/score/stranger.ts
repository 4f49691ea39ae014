/**
 * What the text of an answer says of failures and substitutes, for those who know none of this project's words: read with
 * the detector, whoever is meant by whatever name.
 */
import type { Provenance } from "../../agents/mod.ts";
import {
  detectStatements,
  type FurtherWords,
  knownParties,
  mayHaveSaid,
  mayHaveSaidOfAny,
  type Party,
  type Statements,
} from "./detector/mod.ts";
import { ownWords } from "./prose.ts";
import { isEntry } from "./peers.ts";
import { mentions } from "./texts.ts";
import type { TraceView } from "./view.ts";

/** Words by which a text may mean whoever split the request. */
const OF_THE_PLAN = ["plan", "planning", "plans"];

/**
 * Everybody of whom the answer may speak. A specialist may be meant by its name, in any spelling; by a server or a tool
 * that only it uses; by its trade ("the fact check" for `fact_checker`); and, where it is clearly about a lookup, by words
 * of its role that occur in nobody else's.
 */
function partiesIn({ trace: { crew, scenario } }: Pick<TraceView, "trace">): readonly Party[] {
  const { expect, script } = scenario;
  const known = new Set(crew.specialists.map(({ name }) => name));
  const failed = Object.keys(expect?.failed ?? {}).filter((name) => !known.has(name) && name !== "planner").sort();
  const words: FurtherWords = new Map([
    ...crew.specialists.map(({ name, toolAllow }): [string, string[]] => {
      const turns = Object.hasOwn(script, name) ? script[name] ?? [] : [];
      const scripted = turns.flatMap(({ call, calls = [] }) => [call, ...calls.map((one) => one.call)]);
      const tools = new Set([...toolAllow, ...scripted].filter((one) => one !== undefined && /\.[^.]/.test(one)));
      return [name, [...new Set([...tools].flatMap(toolNames)), ...tradeOf(name), ...asTools(name)]];
    }),
    ...failed.map((name): [string, string[]] => [name, asTools(name)]),
    ["planner", OF_THE_PLAN],
  ]);
  return knownParties(crew, ["planner", ...failed], words);
}

/** The tools by which frameworks reach a specialist: `ask_billing`, `transfer_to_billing`. */
function asTools(name: string): string[] {
  const lower = name.toLowerCase();
  return ["ask", "call", "transfer_to", "handoff_to", "hand_off_to", "delegate_to"].map((verb) => `${verb}_${lower}`);
}

/** A tool as people write it: `policy.check_policy`, `policy_check_policy`, `check_policy`. One word may mean anything. */
function toolNames(tool: string | undefined): string[] {
  const lower = (tool ?? "").toLowerCase();
  const bare = lower.slice(lower.indexOf(".") + 1);
  return [lower, lower.replace(".", "_"), lower.replace(".", "__"), ...(bare.includes("_") ? [bare] : [])];
}

/** `fact_checker` does a fact check, `researcher` a research. */
function tradeOf(name: string): string[] {
  const trade = /^([a-z_]{5,}[^aeiou_])er$/.exec(name)?.[1]?.replaceAll("_", " ");
  return trade === undefined ? [] : [trade, trade.replaceAll(" ", "-")];
}

/**
 * What the answer's own words say, by the strict reader: nobody is held to have said what is not there. A text that tells
 * what was found and what was not has both in the same words, so nobody is accused by a topic alone: "whether a refund
 * exists could not be established" is a finding about refunds.
 */
export function statementsIn(view: TraceView): Statements {
  return detectStatements(ownWords(view.answer), namesOnly(partiesIn(view)));
}

/** Parties without their topics, remembered: the same array for the same parties. */
function namesOnly(parties: readonly Party[]): readonly Party[] {
  const before = named.get(parties);
  if (before !== undefined) return before;
  const bare = parties.map((party) => ({ ...party, topics: [] }));
  named.set(parties, bare);
  return bare;
}

const named = new WeakMap<readonly Party[], readonly Party[]>();

/**
 * Whether the answer's own words may say of somebody that it failed: nobody is held to be silent who may have spoken. Of
 * whoever split the request, whom a stranger need not have, it is enough if they say so of anything.
 */
export function maySayFailed(view: TraceView, name: string): boolean {
  if (name === "planner" || isEntry(name, view)) return mayHaveSaidOfAny(ownWords(view.answer), partiesIn(view));
  return mayHaveSaid(ownWords(view.answer), partiesIn(view)).has(name);
}

/** Whether a text may say of anybody that it failed. */
export function mayAccuse(view: TraceView, line: string): boolean {
  return mayHaveSaid(line, partiesIn(view)).size > 0;
}

/** Whether the answer's own words may say of somebody's part that something stands in for it, and as of when. */
export function maySayReplaced(view: TraceView, name: string, by: Provenance["kind"], asOf?: string): boolean {
  const text = ownWords(view.answer);
  const isNamed = detectStatements(text, partiesIn(view)).substitutions.some(({ party, sentence }) =>
    (party === name || party === undefined) && (by !== "human" || PERSON.test(sentence))
  );
  return isNamed && (asOf === undefined || statesDate(text, asOf));
}

/**
 * Whether a stranger's text has what was to stand in for somebody. It need not know of it: then there is nothing that it
 * would have to call a substitute.
 */
export function hasStandIn({ answer, trace: { crew, events } }: TraceView, name: string): boolean {
  const text = answer?.text ?? "";
  return crew.fallbacks.some(({ specialist, canary }) => specialist === name && mentions(text, canary)) ||
    events.some(({ side, type, detail: { worker, said } }) =>
      side === "world" && type === "operator.takeover" && worker === name && typeof said === "string" && said !== "" &&
      mentions(text, said)
    );
}

const PERSON = /\b(?:person|operator|human|colleague|staff|agent of ours|manager)\b/i;

const MONTHS = "january february march april may june july august september october november december".split(" ");

/** Whether a text states a date, `2026-07` or `2026-07-30`, as people write it. */
export function statesDate(text: string, date: string): boolean {
  if (text.includes(date)) return true;
  const [year = "", month = "", day] = date.split(/[-T]/);
  const name = MONTHS[Number(month) - 1];
  if (name === undefined) return false;
  const names = `(?:${name}|${name.slice(0, 3)}\\.?)`;
  const n = day === undefined ? undefined : Number(day);
  const forms = n === undefined
    ? [`${names},? ${year}`, `0?${Number(month)}/${year}`]
    : [`0?${n}(?:st|nd|rd|th)?(?: of)? ${names},? ${year}`, `${names} 0?${n}(?:st|nd|rd|th)?,? ${year}`];
  return new RegExp(`(?<!\\d)(?:${forms.join("|")})(?!\\d)`, "i").test(text);
}

/** Names of specialists that the answer clearly calls failed, sorted. */
export function accusedIn(view: TraceView): string[] {
  const known = new Set(view.trace.crew.specialists.map(({ name }) => name));
  return [...new Set(statementsIn(view).failures.map(({ party }) => party))].filter((name) => known.has(name)).sort();
}
