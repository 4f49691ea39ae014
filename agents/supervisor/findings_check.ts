/** Holds a report to the findings that its tools delivered: none may be kept back, and none made better or worse. */
import { clip, FAILURES, oneLine } from "../../core/mod.ts";
import { extract } from "../planner/extract.ts";
import type { JsonNode, JsonObject } from "../planner/node.ts";
import type { Finding, Observation, Report, ReportedFailure, Severity } from "../types.ts";

const SEVERITIES: readonly Severity[] = ["critical", "high", "medium", "low"];

/** Longest place in a failure, in UTF-16 units. */
const MAX_PLACE = 200;

/** A finding that a tool delivered. */
interface Delivered {
  readonly tool: string;
  readonly severity: Severity;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}

/**
 * A report is held to each observation that is JSON with `findings`, objects that have a `severity`. One that leaves a
 * finding out is `partial` and says so. A claim gets the severity of the
 * finding that it names; one that names none has none. Beside a finding that is missing, a sentence about the whole is
 * withheld: it may deny it.
 *
 * @param report As the worker made it.
 * @param settled What stands of it.
 */
export function heldToFindings(report: Report, settled: Report): Report {
  const ground = groundOf(report.findings.flatMap(({ observations }) => observations));
  if (ground === undefined || settled.status === "needs_clarification") return settled;
  const named = settled.findings.map((finding) => namedBy(finding, ground));
  const covered = new Set(named.flat());
  const missing = ground.filter((one) => !covered.has(one));
  const findings = settled.findings.flatMap((finding, i): Finding[] => {
    const { severity: _, ...claim } = finding;
    const about = named[i] ?? [];
    if (about.length > 0) return [{ ...claim, severity: worstOf(about).severity }];
    // What is stated of its effects comes from the record, and not from the worker.
    const mayDeny = report.effects === undefined && missing.length > 0 && !PLACE.test(claim.claim);
    return mayDeny ? [] : [claim];
  });
  const isSame = findings.length === settled.findings.length;
  const held = { ...settled, findings, note: isSame ? settled.note : findings.map(({ claim }) => claim).join("\n") };
  const failure = failureOf(missing);
  if (failure === undefined) return held;
  return {
    ...held,
    status: findings.length > 0 ? "partial" : "failed",
    failure: settled.failure === undefined
      ? failure
      : { ...settled.failure, detail: `${settled.failure.detail}; ${failure.detail}` },
  };
}

function failureOf(missing: readonly Delivered[]): ReportedFailure | undefined {
  if (missing.length === 0) return undefined;
  const worst = worstOf(missing);
  const place = clip(oneLine(worst.file === undefined ? worst.message : placeOf(worst)), MAX_PLACE);
  const tools = [...new Set(missing.map(({ tool }) => tool))].join(" and ");
  const [findings, are] = missing.length === 1 ? ["finding", "is"] : ["findings", "are"];
  const detail =
    `${missing.length} ${findings} of ${tools} ${are} not in its report, the worst ${worst.severity} at ${place}`;
  return { code: "unverified", detail, retryable: FAILURES.unverified.retryable };
}

/** A place in a file, as claims write it. */
const PLACE = /\S:\d/;

/** The findings that a claim is about. What is no finding and is not borne out, such as a denial, is about none. */
function namedBy({ claim, severity, verdict }: Finding, delivered: readonly Delivered[]): Delivered[] {
  if (severity === undefined && verdict !== "supported") return [];
  const there = delivered.filter((one) => namesPlace(claim, one));
  const exact = there.filter(({ message }) => message !== "" && claim.includes(message));
  if (exact.length > 0) return exact;
  if (there.length > 0 || PLACE.test(claim)) return there;
  return delivered.filter(({ message }) => message !== "" && claim.includes(message));
}

function namesPlace(claim: string, { file, line }: Delivered): boolean {
  if (file === undefined || line === undefined) return false;
  const place = `${file}:${line}`;
  for (let at = claim.indexOf(place); at >= 0; at = claim.indexOf(place, at + 1)) {
    const [before, after] = [claim.slice(Math.max(0, at - 1), at), claim.charAt(at + place.length)];
    if (!/[\w./-]/.test(before) && !/\d/.test(after)) return true;
  }
  return claim.includes(file) && new RegExp(`\\bline ${line}\\b`, "i").test(claim);
}

function placeOf({ file, line }: Delivered): string {
  return line === undefined ? file ?? "" : `${file}:${line}`;
}

function worstOf(some: readonly Delivered[]): Delivered {
  const [first, ...rest] = some;
  if (first === undefined) throw new RangeError("no finding");
  const rank = ({ severity }: Delivered) => SEVERITIES.indexOf(severity);
  return rest.reduce((worst, one) => rank(one) < rank(worst) ? one : worst, first);
}

/** What tools delivered, each finding once; `undefined` if no observation holds findings. */
function groundOf(observations: readonly Observation[]): Delivered[] | undefined {
  const findings = new Map<string, Delivered>();
  const seen = new Set<string>();
  for (const { id, tool, text } of observations) {
    if (seen.has(id) || !text.includes('"findings"')) continue;
    const result = findingsIn(text);
    if (result === undefined) continue;
    seen.add(id);
    for (const one of listAt(result, "findings").flatMap((node) => deliveredBy(tool, node))) {
      findings.set(JSON.stringify([one.file, one.line, one.message, one.severity]), one);
    }
  }
  return seen.size === 0 ? undefined : [...findings.values()];
}

/** The first object that has a list of findings; there may be other text around it. */
function findingsIn(text: string): JsonObject | undefined {
  for (const { value, inBroken } of extract(text).values) {
    if (value instanceof Map && !inBroken && Array.isArray(value.get("findings"))) return value;
  }
  return undefined;
}

function listAt(object: JsonObject, key: string): readonly JsonNode[] {
  const list = object.get(key);
  return Array.isArray(list) ? list : [];
}

function deliveredBy(tool: string, node: JsonNode): Delivered[] {
  if (!(node instanceof Map)) return [];
  const [said, file, line, message] = ["severity", "file", "line", "message"].map((key) => node.get(key));
  const severity = SEVERITIES.find((one) => typeof said === "string" && said.toLowerCase() === one);
  if (severity === undefined || typeof file !== "string" && typeof message !== "string") return [];
  return [{
    tool,
    severity,
    message: typeof message === "string" ? message : "",
    ...(typeof file === "string" ? { file } : {}),
    ...(typeof line === "number" ? { line } : {}),
  }];
}
