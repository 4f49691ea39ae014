/** What a worker's model says last: a note in prose, findings, or a question. Untrusted, and read forgivingly. */
import type { Json } from "../../core/mod.ts";
import { extract } from "../planner/extract.ts";
import { type JsonNode, type JsonObject, toJson } from "../planner/node.ts";
import { reasoningEnd, reasoningTag } from "../planner/reasoning.ts";
import type { Severity } from "../types.ts";

/** One finding as it was said. */
export interface SaidFinding {
  /** What is claimed. */
  readonly claim: string;
  /** How bad it is. */
  readonly severity?: Severity;
}

/** A last word, read. */
export type Reply =
  | { readonly kind: "empty" }
  | { readonly kind: "note"; readonly note: string }
  | { readonly kind: "question"; readonly question: string }
  | { readonly kind: "findings"; readonly findings: readonly SaidFinding[]; readonly note: string }
  | {
    /** Findings are due, and this is none. */
    readonly kind: "malformed";
    /** What is wrong, for the model that may say it again. */
    readonly problem: string;
  };

const SEVERITIES: ReadonlyMap<string, Severity> = new Map(
  (["critical", "high", "medium", "low"] as const).map((one) => [one, one]),
);

/** How findings are written, in words for a model. */
export const FINDINGS_FORM =
  '{"findings": [{"claim": "one sentence", "severity": "critical" | "high" | "medium" | "low"}], "note": "optional"}';

/**
 * Reads a worker's last word. Reasoning is no part of it. A question is one JSON object with `needs_clarification`,
 * wherever it stands; findings, where they are due, are one with `findings`.
 */
export function readReply(text: string, returns: "note" | "findings" = "note"): Reply {
  const said = withoutReasoning(text).trim();
  if (said === "") return { kind: "empty" };
  const objects = objectsIn(said);
  const questions = objects.flatMap((one) => {
    const question = one.get("needs_clarification");
    return typeof question === "string" && question.trim() !== "" ? [question.trim()] : [];
  });
  const [question] = questions;
  if (question !== undefined && objects.length === 1) return { kind: "question", question };
  if (returns === "note") return { kind: "note", note: said };
  return readFindings(objects.filter((one) => one.has("findings")));
}

/** A text without what stands in reasoning tags; what a tag that nothing closes begins is reasoning to its end. */
export function withoutReasoning(text: string): string {
  let said = "";
  for (let at = 0; at < text.length;) {
    const next = text.slice(at).search(/[<[◁]/);
    if (next < 0) return said + text.slice(at);
    said += text.slice(at, at + next);
    at += next;
    const tag = reasoningTag(text, at);
    if (tag?.kind === "open") at = reasoningEnd(text, tag.end) ?? text.length;
    // The opening tag was in the prompt: all before this one is reasoning.
    else if (tag?.kind === "close") [said, at] = ["", tag.end];
    else said += text.charAt(at++);
  }
  return said;
}

function objectsIn(text: string): JsonObject[] {
  return extract(text).values.flatMap(({ value, inBroken }) => value instanceof Map && !inBroken ? [value] : []);
}

function readFindings(objects: readonly JsonObject[]): Reply {
  const [object, second] = objects;
  if (object === undefined) return malformed("it holds no complete JSON object with findings");
  if (second !== undefined) return malformed("it holds more than one JSON object with findings");
  const list = object.get("findings");
  if (!Array.isArray(list)) return malformed("findings is not a list");
  const findings: SaidFinding[] = [];
  for (const [index, node] of list.entries()) {
    const finding = readFinding(node);
    if (typeof finding === "string") return malformed(`finding ${index + 1} ${finding}`);
    findings.push(finding);
  }
  const note = object.get("note") ?? "";
  if (typeof note !== "string") return malformed("note is not a text");
  return { kind: "findings", findings, note: note.trim() };
}

/** A finding, or what is wrong with it. */
function readFinding(node: JsonNode): SaidFinding | string {
  if (!(node instanceof Map)) return "is not an object";
  const claim = node.get("claim");
  if (typeof claim !== "string" || claim.trim() === "") return "has no claim";
  const given: Json = toJson(node.get("severity") ?? null);
  if (given === null) return { claim: claim.trim() };
  const severity = typeof given === "string" ? SEVERITIES.get(given.trim().toLowerCase()) : undefined;
  if (severity === undefined) return `has no severity that there is; there are ${[...SEVERITIES.keys()].join(", ")}`;
  return { claim: claim.trim(), severity };
}

function malformed(problem: string): Reply {
  return { kind: "malformed", problem };
}
