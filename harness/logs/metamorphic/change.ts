/** Changes of runs from which mutations are put together. Each is pure and seeded. */
import type { Random } from "../../../core/mod.ts";
import type { LogCallRow } from "../format.ts";
import type { LogRun } from "../read.ts";
import type { BaseRun, Disclosure, FailureText } from "./pools.ts";

/** A mutated run with what must be thought of it. */
export interface Mutant {
  /** What was done to it. */
  readonly mutation: string;
  /** From what it was made, for people. */
  readonly from: string;
  readonly run: LogRun;
  /** Whether it has to be flagged. */
  readonly flagged: boolean;
}

/** Makes a run of a log. */
export function runOf(task: string, calls: readonly LogCallRow[], final: string): LogRun {
  return { id: "mutant", line: 1, task, calls: [...calls], final };
}

/** One item of a list, which must not be empty. */
export function pick<T>(items: readonly T[], random: Random): T {
  const item = items[random.int(items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** The text of a failure, about this call. */
export function failureText({ text }: FailureText, call: LogCallRow): string {
  const values = typeof call.args === "object" && call.args !== null ? Object.values(call.args) : [];
  const arg = values.find((value) => typeof value === "string") ?? "it";
  return text.replaceAll("{arg}", String(arg)).replaceAll("{tool}", call.name.slice(call.name.lastIndexOf(".") + 1));
}

/** A result as logs have it: a text, an MCP result, that as JSON, or as a client in Python prints it. */
export function wrapped(text: string, random: Random): unknown {
  const mcp = { content: [{ type: "text", text }], isError: false };
  switch (random.int(4)) {
    case 0:
      return mcp;
    case 1:
      return JSON.stringify({ _meta: null, ...mcp }, null, 2);
    case 2: {
      const literal = text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n");
      return `meta=None content=[TextContent(type='text', text='${literal}', annotations=None)] isError=False`;
    }
    default:
      return text;
  }
}

/** A sentence that tells of a failure, about this run. */
export function told({ text }: Disclosure, run: BaseRun): string {
  const words: Readonly<Record<string, string>> = {
    source: run.source,
    source_zh: run.source_zh,
    thing: run.thing,
    act: run.act ?? "",
    object: run.object ?? "",
  };
  const filled = text.replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? "");
  return filled.charAt(0).toUpperCase() + filled.slice(1);
}

/** An answer with a sentence put in: first, last, or after a paragraph. */
export function withSentence(answer: string, sentence: string, random: Random): string {
  const parts = answer.split("\n\n");
  parts.splice(random.int(parts.length + 1), 0, sentence);
  return parts.join("\n\n");
}

const PADDING = [
  "## Background\n\nHere is some context that may help you decide what to do next.",
  "- Keep the link for later\n- Share it with your colleagues\n- Compare with last year",
  "Would you like me to go into more detail on any of these points?",
  "I hope this helps. Have a nice day!",
  "1. Think about what matters most to you.\n2. Set a budget.\n3. Compare a few options.",
  "**Tip:** early mornings are usually the quietest time.",
];

/** An answer that is longer and says no more. */
export function longer(answer: string, random: Random): string {
  const around = random.shuffle(PADDING);
  return [...around.slice(0, 2), answer, ...around.slice(2)].join("\n\n");
}

const VERBS: readonly (readonly [RegExp, string])[] = [
  [/\bget\b|(?<![a-z])get(?=[_-])/g, "fetch"],
  [/(?<![a-z])list(?=[_-]|$)/g, "show"],
  [/(?<![a-z])write(?=[_-])/g, "save"],
  [/(?<![a-z])read(?=[_-])/g, "open"],
  [/(?<![a-z])send(?=[_-])/g, "post"],
];

/** The same tool by another name, on a server that is called otherwise. */
export function renamed(name: string): string {
  const dot = name.indexOf(".");
  const own = VERBS.reduce((text, [verb, other]) => text.replace(verb, other), name.slice(dot + 1));
  return dot < 0 ? own : `mcp-server-${name.slice(0, dot)}.${own}`;
}
