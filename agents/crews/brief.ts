import type { Crew } from "./crew.ts";

/**
 * A briefing room: a researcher reads files and a knowledge graph, a writer writes from what was found. `filesystem` and
 * `memory` are servers of other people, of whose tools each specialist gets those that it needs. What the two share is
 * in `notes`, and they reach it only through its tools.
 */
export const brief: Crew = {
  name: "brief",
  title: "Briefing room: facts from files and memory, then a brief that is written from them",
  servers: ["filesystem", "memory", "notes"],
  specialists: [
    {
      name: "researcher",
      role: "Finds facts in the project's files and in the team's memory. Input: query.",
      prompt: "researcher@1",
      toolAllow: [
        "filesystem.read_text_file",
        "filesystem.read_multiple_files",
        "filesystem.list_directory_with_sizes",
        "filesystem.search_files",
        "memory.search_nodes",
        "memory.open_nodes",
        "memory.create_entities",
        "notes.",
      ],
      maxSteps: 6,
      deadlineMs: 20_000,
      returnContract: "One to three sentences of facts, each with its file or entity and its reference.",
    },
    {
      name: "writer",
      role: "Writes a brief from facts that others have found. Needs them first.",
      prompt: "writer@1",
      toolAllow: ["notes."],
      maxSteps: 6,
      deadlineMs: 20_000,
      returnContract: "One or two sentences on what the brief says and where it is.",
    },
  ],
  fallbacks: [],
  fallbackPlan: [{ specialist: "researcher", objective: "Find what the project's files say about its plan." }],
  routes: {},
  deadlineMs: 60_000,
};
