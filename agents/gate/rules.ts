/** What a crew's approval rules say of a call. Pure: from rules, calls and the time to a ruling. */
import { clip, type Json, oneLine } from "../../core/mod.ts";
import type { ApprovalRule } from "../crews/crew.ts";
import { isAllowed } from "../hub/mod.ts";

/** A call as rules see it. */
export interface RuledCall {
  /** `server.tool`. */
  readonly tool: string;
  /** Model output: untrusted. */
  readonly args: { readonly [key: string]: Json };
}

/** A call that was let through, or waits for somebody to decide: its amount counts. */
export interface CountedCall extends RuledCall {
  /** When it was asked for, in milliseconds of the run's clock. */
  readonly at: number;
}

/** `uncovered`: no rule is about it. `pass`: all that are let it pass. `ask`: some do not, and a person may. `deny`: nobody may. */
export type Ruling =
  | { readonly verdict: "uncovered" | "pass" }
  | { readonly verdict: "ask" | "deny"; readonly reasons: readonly string[] };

/** Whether any rule is about a tool. */
export function isCovered(rules: readonly ApprovalRule[], tool: string): boolean {
  return rules.some(({ tools }) => isAllowed(tool, tools));
}

/**
 * Holds a call against the rules: every rule that covers it must let it pass.
 *
 * @param counted The calls that count towards totals; without this one.
 * @param now Milliseconds of the run's clock.
 */
export function ruleOn(
  rules: readonly ApprovalRule[],
  call: RuledCall,
  counted: readonly CountedCall[],
  now: number,
): Ruling {
  const covering = rules.filter(({ tools }) => isAllowed(call.tool, tools));
  if (covering.length === 0) return { verdict: "uncovered" };
  const forbidden = covering.filter(({ rule }) => rule === "deny");
  if (forbidden.length > 0) return { verdict: "deny", reasons: [`nobody may call ${call.tool}`] };
  // Several rules may object to the same: it is said once.
  const reasons = [...new Set(covering.flatMap((rule) => objection(rule, call, counted, now) ?? []))];
  return reasons.length === 0 ? { verdict: "pass" } : { verdict: "ask", reasons };
}

function objection(
  rule: ApprovalRule,
  call: RuledCall,
  counted: readonly CountedCall[],
  now: number,
): string | undefined {
  if (rule.rule === "deny") return `nobody may call ${call.tool}`;
  if (rule.rule === "ask") return `${call.tool} is decided on each time`;
  const amount = amountOf(rule.amount, call);
  if (amount === undefined) return `${rule.amount} is not an amount: ${shown(rule.amount, call)}`;
  if (rule.rule === "limit") {
    return amount <= rule.max ? undefined : `${rule.amount} is ${amount}, and up to ${rule.max} passes by itself`;
  }
  const { per, periodMs } = rule;
  const group = per === undefined ? "" : groupOf(per, call);
  if (group === undefined) {
    return `the total is one for each ${per}, and the call names none: ${shown(per ?? "", call)}`;
  }
  if (per !== undefined && mixesScripts(group)) {
    return `${per} has look-alike letters of several scripts, and whose total it is is not known: ${shown(per, call)}`;
  }
  const before = counted.filter((other) =>
    isAllowed(other.tool, rule.tools) &&
    (per === undefined || groupOf(per, other) === group) &&
    (periodMs === undefined || Math.floor(other.at / periodMs) === Math.floor(now / periodMs))
  );
  // Of a call that somebody has let pass without an amount it is not known how much it was: then nothing passes by itself.
  const total = before.reduce((sum, other) => sum + (amountOf(rule.amount, other) ?? Infinity), amount);
  if (total <= rule.max) return undefined;
  const whose = per === undefined ? "" : ` for ${per} ${shown(per, call)}`;
  const much = Number.isFinite(total)
    ? `${rule.amount} adds up to ${total}`
    : `the total of ${rule.amount} is not known`;
  return `${much}${whose}, and up to ${rule.max} passes by itself`;
}

/** A number that can be added up; a text that looks like one is none, or two servers might read it differently. */
function amountOf(name: string, { args }: RuledCall): number | undefined {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function groupOf(name: string, { args }: RuledCall): string | undefined {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return undefined;
  const called = nameKey(value);
  return called === "" ? undefined : JSON.stringify(called);
}

/** Whom a text names, however it is spelt: compatibility forms, invisible characters, white space and case made one. */
function nameKey(text: string): string {
  const seen = text.normalize("NFKC").replace(/\s+/gu, " ").replace(INVISIBLE, "");
  // Upper case first: letters that only differ in lower case, such as the two forms of sigma, become one.
  return seen.toUpperCase().toLowerCase().normalize("NFKC").replace(/\s+/gu, " ").trim();
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;

/** Whether Latin letters stand beside those of a script in which many look the same. Look-alikes are not told apart. */
function mixesScripts(text: string): boolean {
  return /\p{Script=Latin}/u.test(text) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(text);
}

function shown(name: string, { args }: RuledCall): string {
  if (!Object.hasOwn(args, name)) return "it is missing";
  const value = args[name];
  return clip(oneLine(typeof value === "string" ? value : JSON.stringify(value)), 80);
}
