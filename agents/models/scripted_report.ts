/** What a scripted reviewer says last: made of what its tools have really told it, and of nothing else. */
import { extract } from "../planner/extract.ts";
import { type JsonNode, type JsonObject } from "../planner/node.ts";
import type { Message } from "./model.ts";

/** How many findings of one tool are told. */
const MAX_TOLD = 100;

const SEVERITIES: ReadonlySet<JsonNode> = new Set(["critical", "high", "medium", "low"]);

/**
 * A report of findings, in JSON, from the results of tools as a conversation has them: tool by tool, in the order in which
 * the tools are given. A tool's `findings` become claims of file, line, message and excerpt; its `summary` becomes the last
 * one. A tool that failed, or whose result cannot be read, is named in the note: nothing is said in its place.
 */
export function reportFrom(tools: readonly string[], messages: readonly Message[]): string {
  const findings: { claim: string; severity?: string }[] = [];
  const notes: string[] = [];
  for (const tool of tools) {
    const results = messages.filter((message) => message.role === "tool" && message.name === tool);
    if (results.length === 0) notes.push(`${tool} was not called`);
    for (const message of results) {
      const result = message.role === "tool" && !message.isError ? resultOf(message.text) : undefined;
      if (result === undefined) notes.push(`${tool} gave no result that can be read`);
      else findings.push(...claimsOf(result));
    }
  }
  return JSON.stringify({ findings, ...(notes.length === 0 ? {} : { note: notes.join("; ") }) });
}

/** The first object that has a list of findings; there may be other text around it. */
function resultOf(text: string): JsonObject | undefined {
  for (const { value, inBroken } of extract(text).values) {
    if (value instanceof Map && !inBroken && Array.isArray(value.get("findings"))) return value;
  }
  return undefined;
}

function claimsOf(result: JsonObject): { claim: string; severity?: string }[] {
  const list = result.get("findings");
  const claims = (Array.isArray(list) ? list : []).slice(0, MAX_TOLD).flatMap((finding) =>
    finding instanceof Map ? claimOf(finding) : []
  );
  const summary = result.get("summary");
  return [...claims, ...(typeof summary === "string" && summary !== "" ? [{ claim: `${summary}.` }] : [])];
}

function claimOf(finding: JsonObject): { claim: string; severity?: string }[] {
  const [file, line, message, excerpt, severity] = ["file", "line", "message", "excerpt", "severity"].map((key) =>
    finding.get(key)
  );
  const place = [file, line].filter((part) => typeof part === "string" || typeof part === "number").join(":");
  const said = [place, message].filter((part) => typeof part === "string" && part !== "").join(" ");
  if (said === "") return [];
  const claim = typeof excerpt === "string" && excerpt !== "" ? `${said}: ${excerpt}` : said;
  return [{ claim, ...(typeof severity === "string" && SEVERITIES.has(severity) ? { severity } : {}) }];
}
