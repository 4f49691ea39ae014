/** Whether a crew's approval rules are about tools and arguments that there are: a rule about nothing protects nothing. */
import type { Crew } from "../../agents/crews/mod.ts";
import { type ApprovalRule, isAllowed } from "../../agents/mod.ts";
import { FIXTURES } from "../../servers/mod.ts";
import type { At } from "./issues.ts";
import { type Problem, unknown } from "./problem.ts";

/**
 * Checks the approval rules of a crew.
 *
 * @param at Places a path below the list of rules.
 */
export function* approvalPlaces({ servers, approval = [] }: Crew, at: At): Iterable<Problem> {
  const known = new Map(
    servers.flatMap((server) =>
      [...FIXTURES.get(server)?.tools ?? []].map(([name, { inputSchema: { properties } }]): [string, string[]] => [
        `${server}.${name}`,
        typeof properties === "object" && properties !== null ? Object.keys(properties) : [],
      ])
    ),
  );
  for (const [i, rule] of approval.entries()) {
    for (const [j, entry] of rule.tools.entries()) {
      const meant = [...known].filter(([tool]) => isAllowed(tool, [entry]));
      if (meant.length === 0) {
        yield at([i, "tools", j], unknown("tool", entry, [...known.keys(), ...servers.map((server) => `${server}.`)]));
        continue;
      }
      // Of a whole server it is enough that one tool has the argument: the others are asked about each time.
      const args = meant.flatMap(([, names]) => names);
      for (const [key, name] of argumentsOf(rule)) {
        if (!args.includes(name)) yield at([i, key], unknown(`argument of ${entry}`, name, args));
      }
    }
  }
}

function argumentsOf(rule: ApprovalRule): (readonly [key: string, name: string])[] {
  if (rule.rule === "ask" || rule.rule === "deny") return [];
  const per = rule.rule === "total" && rule.per !== undefined ? [["per", rule.per] as const] : [];
  return [["amount", rule.amount], ...per];
}
