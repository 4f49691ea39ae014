/** Which agent a stranger's model call is from. */
import type { ModelRequest } from "../../../agents/mod.ts";
import { clip, oneLine } from "../../../core/mod.ts";

/** Who asks is not known, and why. */
export interface Nobody {
  /** What is the matter, and what to do, for whoever wrote the subject. */
  readonly why: string;
}

/** What is known of those who may ask. */
export interface KnownAgents {
  /** The agents that are played; any if left out. */
  readonly agents?: readonly string[];
  /** The model that is asked for, which is nobody's name. */
  readonly model?: string;
  /** By what texts of a prompt each is known. */
  readonly match: ReadonlyMap<string, readonly string[]>;
}

/** How a call can say whose it is. */
const HOW = "call /agents/NAME/v1, or ask for a model with the agent's name, or give `match:` in the scenario";

/**
 * Finds out whose call it is that bears no agent's name, neither in its path nor as its model: by the declared texts, of
 * which one has to stand in its system prompt or first message; else it is the only agent that there is.
 */
export function whoAsks(
  { system, messages }: Pick<ModelRequest, "system" | "messages">,
  { agents, match, model }: KnownAgents,
): string | Nobody {
  const [first] = messages;
  const prompt = `${system}\n${first?.text ?? ""}`.toLowerCase();
  const found = [...match].filter(([, texts]) => texts.some((text) => prompt.includes(text.toLowerCase())));
  const [only, ...more] = found.map(([agent]) => agent);
  if (only !== undefined && more.length === 0) return only;
  if (only !== undefined) {
    return {
      why: `a model call fits the \`match\` of ${[only, ...more].join(" and ")}, so nobody can tell whose it is`,
    };
  }
  const [single, ...others] = agents ?? [];
  if (single !== undefined && others.length === 0) return single;
  return {
    why: `a model call${
      model === undefined ? "" : ` for ${JSON.stringify(clip(oneLine(model), 60))}`
    } does not say which agent it is from (${HOW}); agents: ${agents?.join(", ") ?? "any name"}`,
  };
}
