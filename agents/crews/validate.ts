/** What is wrong with a crew that its type cannot say. */
import { normalName } from "../hub/names.ts";
import { PROMPTS } from "../prompts/mod.ts";
import type { Crew } from "./crew.ts";

/**
 * Checks that a crew holds together: names are unique, and whatever is named exists.
 *
 * @returns One sentence for each problem; none for a good crew.
 */
export function crewProblems(crew: Crew): string[] {
  const { servers, specialists, fallbacks, fallbackPlan } = crew;
  const names = new Set(specialists.map(({ name }) => name));
  const strangers = (what: string, used: readonly string[], known: ReadonlySet<string>) =>
    used.filter((name) => !known.has(name)).map((name) => `${what} names ${name}, which the crew does not have`);
  return [
    ...twice(servers).map((name) => `two servers are called ${name}`),
    ...twice(specialists.map(({ name }) => name)).map((name) => `two specialists are called ${name}`),
    ...twice(fallbacks.map(({ specialist }) => specialist)).map((name) => `${name} has two fallbacks`),
    ...names.has("planner") ? ["a specialist is called planner, which is the planner's own name"] : [],
    ...names.has("triage") ? ["a specialist is called triage, which is the name of the first agent among peers"] : [],
    ...servers.includes("handoff") ? ["a server is called handoff, which is the name of handing control over"] : [],
    ...namesAlike(crew).map(namesAlikeProblem),
    ...specialists.flatMap(({ name, toolAllow }) =>
      strangers(`the allowlist of ${name}`, toolAllow.map((entry) => entry.split(".")[0] ?? ""), new Set(servers))
    ),
    ...specialists.flatMap(({ name, prompt }) =>
      prompt === undefined || PROMPTS.has(prompt) ? [] : [`the prompt of ${name} is ${prompt}, which there is not`]
    ),
    ...specialists.flatMap(({ name, standsInFor = [] }) =>
      strangers(`${name} stands in for somebody and`, standsInFor, names)
    ),
    ...strangers(
      "an approval rule",
      (crew.approval ?? []).flatMap(({ tools }) => tools.map((entry) => entry.split(".")[0] ?? "")),
      new Set(servers),
    ),
    ...strangers("a fallback", fallbacks.map(({ specialist }) => specialist), names),
    ...strangers("the fallback plan", fallbackPlan.map(({ specialist }) => specialist), names),
    ...fallbacks.filter(({ text, canary }) => !text.includes(canary)).map(({ specialist }) =>
      `the fallback for ${specialist} does not hold its own canary`
    ),
  ];
}

/**
 * Specialists whose names look alike: the same without case, spaces, `_`, `-` and whatever else is no letter or digit. As
 * the names of tools they may become one, and a handoff to the one reaches the other.
 */
export function namesAlike({ specialists }: Pick<Crew, "specialists">): [string, string][] {
  const names = [...new Set(specialists.map(({ name }) => name))];
  const normal = names.map(normalName);
  // As many different ones as there are names is the rule, and then there is nothing to compare.
  if (new Set(normal).size === names.length) return [];
  return names.flatMap((name, i) =>
    names.slice(0, i).filter((_, j) => normal[j] === normal[i]).map((other): [string, string] => [other, name])
  );
}

/** What is wrong with a crew in which these two are. */
export function namesAlikeProblem([one, other]: readonly [string, string]): string {
  return `two specialists have names that look alike: ${JSON.stringify(one)} and ${JSON.stringify(other)}; rename one`;
}

function twice(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];
}
