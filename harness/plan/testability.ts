/** Whether it can be told of an objective that it was met. */
import type { PlanNode } from "./node.ts";
import { contentWords } from "./words.ts";

/** Verbs whose outcome can be looked at. */
const VERBS =
  "find|establish|state|say|quote|give|name|list|count|compute|calculate|work out|compare|check|verify|confirm|" +
  "measure|read|search|look up|fetch|retrieve|extract|collect|record|report|review|inspect|write|draft|summarise|summarize|" +
  "send|pay|refund|issue|return|show|tell|identify|determine|flag|cite|translate|convert|rank|sort|sum|create|update|store";
/** Verbs that name no outcome. */
const VAGUE_VERBS =
  "handle|deal with|take care of|look into|look at|work on|help|assist|support|manage|address|sort out|" +
  "see to|think about|consider|explore|process|cover|do";
/** Words that leave open what is meant. */
const VAGUE_WORDS =
  "etc|and so on|as needed|if needed|if necessary|as appropriate|appropriate|relevant|something|anything|" +
  "whatever|stuff|things?|somehow|various|properly|accordingly|as usual|the rest|best effort|your best|" +
  "the (?:issue|problem|matter|topic|question|request|situation|part|side of it|aspects?)";

const CHECKABLE = new RegExp(`\\b(?:${VERBS})(?:s|es)?\\b`, "i");
const VAGUE = new RegExp(`\\b(?:${VAGUE_WORDS})\\b|^\\W*(?:please )?(?:${VAGUE_VERBS})\\b`, "i");
/** A number, a quotation, or a name: with a dot, slash, dash or underscore inside, or capitals after the first word. */
const CONCRETE = /\d|["“”'‘’`][^"“”'‘’`]{2,}["“”'‘’`]|\p{L}[._/@]\p{L}|(?<=\S\s+)\p{Lu}[\p{L}\p{N}]+/u;

/** What is wrong with an objective, by rule. */
export type TestabilityProblem = "no_checkable_verb" | "nothing_concrete" | "vague";

/**
 * What keeps an objective from being testable. The rules, each one third of its score:
 *
 * 1. It has a verb whose outcome can be looked at (find, compare, write, …).
 * 2. It names something concrete: a number, a quotation, a name, a word of one of its input values, or at least two content
 *    words of the request.
 * 3. It is not vague: it does not begin with a verb that names no outcome (handle, look into, …), and leaves nothing open
 *    (etc., as needed, relevant, the issue, …).
 *
 * The rules are words, not understanding: they find objectives that cannot be tested, and prove none.
 */
export function testabilityProblems(node: PlanNode, request = ""): TestabilityProblem[] {
  const { objective, inputs } = node;
  const words = contentWords(objective);
  const given = contentWords(Object.values(inputs).map((value) => JSON.stringify(value)).join(" "));
  const isConcrete = CONCRETE.test(objective) || !words.isDisjointFrom(given) ||
    words.intersection(contentWords(request)).size >= 2;
  return [
    ...(CHECKABLE.test(objective) ? [] : ["no_checkable_verb" as const]),
    ...(isConcrete ? [] : ["nothing_concrete" as const]),
    ...(VAGUE.test(objective) ? ["vague" as const] : []),
  ];
}

/** Mean over the nodes of the rules that each keeps, 0 to 1; `undefined` without nodes. */
export function testability(nodes: readonly PlanNode[], request = ""): number | undefined {
  return keptRules(nodes.map((node) => testabilityProblems(node, request)));
}

/** The same of problems that have been found, a list for each node. */
export function keptRules(problems: readonly (readonly TestabilityProblem[])[]): number | undefined {
  if (problems.length === 0) return undefined;
  const broken = problems.reduce((sum, { length }) => sum + length, 0);
  return 1 - broken / (3 * problems.length);
}
