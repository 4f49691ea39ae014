/** How calls that are not made are told to the model that asked for them. */
import { type CallOutcome } from "../hub/mod.ts";
import { failed } from "../hub/outcome.ts";

/** A call that somebody, or a rule, has said no to. */
export function denied(tool: string, by: "policy" | "operator" | "nobody", because: string): CallOutcome {
  const who = by === "operator" ? "the operator" : by === "policy" ? "policy" : "nobody being there to approve it";
  const text =
    `${tool} was not called: denied by ${who}: ${because}. Do not try it again, with other arguments neither; ` +
    "report that it was denied, and why.";
  return { ...failed("denied", text), detail: `denied by ${who}: ${because}` };
}

/** A call that would repeat one of which nobody knows whether it has acted. */
export function mayHaveActed(tool: string, server: string): CallOutcome {
  const detail = `${tool} was not called again: an earlier call with these arguments may have had its effect`;
  const text = `${detail}. Read back first, with a tool of ${server} that only reads, whether it had; ` +
    "or report that the outcome is unknown.";
  return { ...failed("refused", text, { code: "outcome_unknown" }), detail };
}

/**
 * A call whose end does not say whether it has acted. A server's own error keeps its code: that something failed is
 * certain, and only what is left behind is not.
 */
export function outcomeUnknown(tool: string, server: string, outcome: CallOutcome): CallOutcome {
  const { code, kind, text } = outcome;
  const saidSo = code === "tool_error" && (kind === "tool_error" || kind === "rpc_error" || kind === "answered");
  const said = text.trim() === "" ? outcome.detail ?? "no content" : text;
  const note =
    `It is not known whether ${tool} had its effect. Do not call it again before you have read back, with a ` +
    `tool of ${server} that only reads, whether it had; if you cannot, report the outcome as unknown.`;
  if (saidSo) return { ...outcome, text: `${said}\n${note}`, detail: outcome.detail ?? text };
  const detail = `${outcome.detail ?? said}; it is not known whether ${tool} had its effect`;
  return { ...outcome, text: `${said}\n${note}`, detail, code: "outcome_unknown" };
}

/** The result of a call that was made before, for whoever asks for the same once more. Nothing of it is changed. */
export function madeBefore(outcome: CallOutcome): CallOutcome {
  return { ...outcome, text: outcome.text + REUSED };
}

/** A call that another task of the same run has made already. */
export function madeForAnother(tool: string): CallOutcome {
  return denied(tool, "policy", "another task of this run has made the same call with the same arguments");
}

/** What is said, to the model alone, behind a result that is given again. */
const REUSED = "\n[from the same call before; it was not made again]";

/** A result as it was when its call was made. */
export function asMade(text: string): string {
  return text.endsWith(REUSED) ? text.slice(0, -REUSED.length) : text;
}
