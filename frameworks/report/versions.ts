/** Which packages are judged: those of the lock file that the adapters name. */
import * as z from "zod";
import type { Version } from "./table.ts";

const JUDGED = [
  "@langchain/langgraph",
  "@langchain/langgraph-supervisor",
  "langchain",
  "@langchain/core",
  "@openai/agents",
  "ai",
];

const Lock = z.object({ specifiers: z.record(z.string(), z.string()) });

/**
 * Reads the versions out of the lock file.
 *
 * @param text Of `frameworks/deno.lock`.
 * @throws {Error} If a package is not in it, or not pinned.
 */
export function versionsIn(text: string): Version[] {
  const { specifiers } = Lock.parse(JSON.parse(text));
  return JUDGED.map((name) => {
    const pinned = Object.keys(specifiers).filter((one) => one.startsWith(`npm:${name}@`));
    const [specifier = ""] = pinned;
    const version = specifier.slice(`npm:${name}@`.length);
    if (pinned.length !== 1 || !/^\d+\.\d+\.\d+$/.test(version)) {
      throw new Error(
        `frameworks/deno.lock must have one exact version of ${name}; it has ${pinned.join(", ") || "none"}`,
      );
    }
    return { name, version };
  });
}
