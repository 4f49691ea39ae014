/**
 * Names of tools: scripts and traces have `server.tool`, and a subject offers its model whatever its framework makes of
 * that: `orders_find_order`, `mcp__orders__find_order`, `findOrder`; of `handoff.billing`, `handoff_billing` or
 * `transfer_to_billing`.
 */

/** A tool and its words. */
interface Worded {
  readonly name: string;
  readonly server: readonly string[];
  readonly tool: readonly string[];
}

/** How a subject's names of tools and the bench's go together. */
export interface ToolNames {
  /** The bench's name of an offered tool; what is none of the bench's tools keeps its name. */
  canonical(offered: string): string;
  /** What the subject calls a tool; `undefined` if it offers none that can only be this one. */
  offered(canonical: string): string | undefined;
}

/**
 * Finds out which offered name stands for which tool: the same name, else one that ends with the words of server and tool,
 * else one that has the words of the tool alone. Each way is tried for all tools before the next, and counts only where one
 * name fits one tool and no other.
 *
 * @param tools `server.tool` of all that there are.
 * @param offered Names as the subject's model is given them.
 */
export function toolNames(tools: readonly string[], offered: readonly string[]): ToolNames {
  const toOffered = new Map<string, string>();
  const toCanonical = new Map<string, string>();
  const worded = tools.map(wordsOf);
  for (const fits of WAYS) {
    const left = worded.filter(({ name }) => !toOffered.has(name));
    const free = [...new Set(offered)].filter((name) => !toCanonical.has(name)).map((name) => ({
      name,
      words: words(name),
    }));
    const found = left.flatMap((tool) => {
      const [only, ...more] = free.filter((one) => fits(one, tool));
      return only === undefined || more.length > 0 ? [] : [{ tool: tool.name, name: only.name }];
    });
    for (const { tool, name } of found) {
      if (found.some((other) => other.name === name && other.tool !== tool)) continue;
      toOffered.set(tool, name);
      toCanonical.set(name, tool);
    }
  }
  return {
    canonical: (name) => toCanonical.get(name) ?? name,
    offered: (name) => toOffered.get(name),
  };
}

type Fits = (offered: { readonly name: string; readonly words: readonly string[] }, tool: Worded) => boolean;

const WAYS: readonly Fits[] = [
  ({ name }, tool) => name === tool.name,
  ({ words }, { server, tool }) => endsWith(words, [...server, ...tool]),
  // The frameworks' own word for handing over.
  ({ words }, { server, tool }) => server.join() === "handoff" && endsWith(words, ["transfer", "to", ...tool]),
  ({ words }, { tool }) => words.length === tool.length && endsWith(words, tool),
];

function wordsOf(name: string): Worded {
  const dot = name.indexOf(".");
  return { name, server: words(name.slice(0, Math.max(dot, 0))), tool: words(name.slice(dot + 1)) };
}

/** The words of a name, however they are put together. */
function words(name: string): string[] {
  const apart = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2");
  return apart.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word !== "");
}

function endsWith(list: readonly string[], end: readonly string[]): boolean {
  return list.length >= end.length && end.every((word, i) => word === list[list.length - end.length + i]);
}
