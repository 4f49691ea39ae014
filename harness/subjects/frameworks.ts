/**
 * Orchestrators on other people's libraries, in `frameworks/`. Their packages are in a lock file of their own, so a process
 * that runs under `deno.lock` cannot load them: whoever loads one there is told to start again elsewhere.
 */
import type { Subject } from "../../agents/mod.ts";
import { ElsewhereError } from "./elsewhere.ts";
import type { SubjectEntry } from "./registry.ts";

/** A process whose main module is in there runs under the frameworks' lock file. */
const FOLDER: string = new URL("../../frameworks/", import.meta.url).href;

/** Name, file in `frameworks/`, and one sentence for people. */
export const FRAMEWORKS: readonly (readonly [name: string, file: string, summary: string])[] = [
  [
    "langgraph",
    "langgraph/subject.ts",
    "LangGraph.js: a planner, Send to one agent a task, a reducer, a recovery edge, a checkpointer.",
  ],
  [
    "langgraph-handled",
    "langgraph/handled.ts",
    "The same with LangGraph's retry policy and error handler on every node, and limits that end in errors.",
  ],
  [
    "langgraph-supervisor",
    "langgraph_supervisor/subject.ts",
    "createSupervisor of @langchain/langgraph-supervisor over one agent a specialist.",
  ],
  [
    "langgraph-supervisor-handled",
    "langgraph_supervisor/handled.ts",
    "The same with one handoff at a time, and LangGraph's retry policy and error handler on every node.",
  ],
  [
    "openai-agents",
    "openai_agents/subject.ts",
    "OpenAI Agents SDK: a manager with agents as tools; among peers, handoffs.",
  ],
  [
    "openai-agents-handled",
    "openai_agents/handled.ts",
    "The same with the SDK's error handlers, and unknown tools told to the model.",
  ],
  [
    "ai-sdk",
    "ai_sdk/subject.ts",
    "Vercel AI SDK: a planner with structured output, one ToolLoopAgent a task.",
  ],
  [
    "ai-sdk-handled",
    "ai_sdk/handled.ts",
    "The same with errors of workers caught, JSON extracted, and ends without a word noticed.",
  ],
];

/** The frameworks as subjects. They take the real clock for granted, so they run in `wire` only. */
export const FRAMEWORK_SUBJECTS: readonly SubjectEntry[] = FRAMEWORKS.map(([name, file, summary]) => ({
  name,
  kind: "framework",
  summary,
  lanes: ["wire"],
  shows: ["agents"],
  load: () => load(name, file),
}));

async function load(name: string, file: string): Promise<Subject> {
  if (!Deno.mainModule.startsWith(FOLDER)) throw new ElsewhereError(name);
  const { subject }: { readonly subject: Subject } = await import(new URL(file, FOLDER).href);
  return subject;
}
