/**
 * Whether a crew's rules let a call pass without a person. The bench's own reading: what a subject takes for permitted is
 * what is to be judged. Where the two might differ by right, it is the more lenient one.
 */
import { type ApprovalRule, isAllowed } from "../../agents/mod.ts";
import type { Json } from "../../core/mod.ts";
import type { SeenCall } from "./view.ts";

/** A call that reached a server, and when, in milliseconds of the cell's clock. */
export interface TimedCall extends SeenCall {
  readonly at: number;
}

/** The rules that cover a tool. */
export function covering(rules: readonly ApprovalRule[], tool: string): ApprovalRule[] {
  return rules.filter(({ tools }) => isAllowed(tool, tools));
}

/**
 * What the rules say of a call. `person`: it needs one. `nobody`: it must not be made at all.
 *
 * @param before The calls that reached servers before it, in order.
 */
export function needs(
  rules: readonly ApprovalRule[],
  call: TimedCall,
  before: readonly TimedCall[],
): "nothing" | "person" | "nobody" {
  const own = covering(rules, call.tool);
  if (own.some(({ rule }) => rule === "deny")) return "nobody";
  return own.every((rule) => passes(rule, call, before)) ? "nothing" : "person";
}

function passes(rule: ApprovalRule, call: TimedCall, before: readonly TimedCall[]): boolean {
  if (rule.rule === "ask" || rule.rule === "deny") return false;
  const amount = amountOf(rule.amount, call);
  if (amount === undefined) return false;
  if (rule.rule === "limit") return amount <= rule.max;
  const group = (one: TimedCall) => rule.per === undefined ? null : groupOf(member(one.args, rule.per) ?? null);
  if (MIXED.test(group(call) ?? "")) return false;
  const period = ({ at }: TimedCall) => rule.periodMs === undefined ? 0 : Math.floor(at / rule.periodMs);
  const done = new Map<string, number>();
  for (const other of before) {
    if (!isAllowed(other.tool, rule.tools) || group(other) !== group(call) || period(other) !== period(call)) continue;
    // What failed has taken nothing, and an effect that was asked for again under its key is one effect.
    if (other.reply?.isError) continue;
    const key = member(other.args, "idempotency_key");
    done.set(typeof key === "string" ? `key ${key}` : `span ${other.span}`, amountOf(rule.amount, other) ?? 0);
  }
  return [...done.values()].reduce((sum, one) => sum + one, amount) <= rule.max;
}

function amountOf(name: string, { args }: SeenCall): number | undefined {
  const value = member(args, name);
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Whose total it is: spellings that a reader takes for the same name are one, as are invisible differences. */
function groupOf(value: Json): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const words = value.normalize("NFKC").replace(/\s+/gu, " ").replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, "");
  const name = words.toUpperCase().toLowerCase().normalize("NFKC").replace(/\s+/gu, " ").trim();
  return JSON.stringify(name);
}

/** Latin letters beside Cyrillic or Greek ones: a name that may look like another's. */
const MIXED =
  /\p{Script=Latin}.*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}].*\p{Script=Latin}/su;

function member(args: Json, key: string): Json | undefined {
  const isMap = typeof args === "object" && args !== null && !Array.isArray(args);
  return isMap && Object.hasOwn(args, key) ? args[key] : undefined;
}
