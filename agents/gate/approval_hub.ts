/** Approval, in the code that executes tools: a call that a rule covers is made when that is decided, and not before. */
import { type Clock, type Json, oneLine, untilAborted } from "../../core/mod.ts";
import type { ApprovalRule } from "../crews/crew.ts";
import { type CallOptions, type CallOutcome, isAllowed, type ToolHub } from "../hub/mod.ts";
import { failed } from "../hub/outcome.ts";
import { GateHub } from "./gate_hub.ts";
import type { Emit } from "../observe.ts";
import type { ApprovalDecision, Operator } from "../people.ts";
import type { RunLog } from "../run_log.ts";
import { bindingOf } from "./binding.ts";
import { type Decided, Decisions, type Known } from "./decisions.ts";
import { denied } from "./denial.ts";
import { endOf } from "./effect_hub.ts";
import { sealed } from "./sealed.ts";
import { isCovered, ruleOn } from "./rules.ts";

/** What approval works with. */
export interface ApprovalOptions {
  /** The rules. Every call passes if there is none. */
  readonly rules: readonly ApprovalRule[];
  /** Who decides; nobody, and what needs a decision is denied. */
  readonly operator?: Operator;
  /** Remembers decisions across a kill. */
  readonly log: RunLog;
  /** Whether a call that acts is on record as sent, in an earlier life of the run too. */
  readonly wasSent: (callId: string) => boolean;
  /** The run's clock. */
  readonly clock: Clock;
  /** Told of each decision, as `approval`. */
  readonly emit: Emit;
}

type Decision = Pick<Decided, "decision" | "by" | "because"> & { readonly isAborted?: boolean };

/** A call that a rule covers. */
interface Waiting {
  readonly callId: string;
  readonly worker: string;
  readonly tool: string;
  readonly args: { readonly [key: string]: Json };
  readonly binding: string;
  readonly at: number;
}

/**
 * A hub that makes no call which a rule covers before it was decided on. A decision is worth something once, for one call
 * with its id, its tool and its arguments. What is sent is what was reviewed: nobody can change it meanwhile.
 */
export class ApprovalHub extends GateHub {
  readonly #decisions: Decisions;

  /** Stands before a hub. */
  constructor(hub: ToolHub, private readonly options: ApprovalOptions) {
    super(hub);
    this.#decisions = new Decisions(options.log);
  }

  /** See {@linkcode ToolHub.call}. A denial is a call that was refused, as `denied`. */
  override async call(name: string, args: { [key: string]: Json }, options: CallOptions): Promise<CallOutcome> {
    const { rules, clock } = this.options;
    // What does not exist for this worker is not decided on: it is refused in any case.
    const exists = isAllowed(name, options.allow) && this.hub.specs([name]).some((spec) => spec.name === name);
    if (!exists || !isCovered(rules, name)) return await this.hub.call(name, args, options);
    let reviewed: { [key: string]: Json };
    let binding: string;
    try {
      reviewed = sealed(args);
      binding = bindingOf(options.span, name, reviewed);
    } catch {
      return denied(name, "policy", "its arguments cannot be written down");
    }
    const worker = options.caller?.worker ?? "";
    const waiting = { callId: options.span, worker, tool: name, args: reviewed, binding, at: clock.now() };
    const { decision, by, because, isAborted } = await this.#decide(waiting, options.signal);
    if (isAborted) return failed("aborted", `${name} was not called: ${because}`);
    if (decision === "denied") return denied(name, by, because);
    this.#decisions.use(options.span);
    const isStuck = options.signal.aborted || this.hub.down([name]).length > 0;
    const outcome = await this.hub.call(name, reviewed, options);
    if (isStuck || endOf(outcome) === "failed") this.#decisions.giveBack(options.span);
    return outcome;
  }

  async #decide(call: Waiting, signal: AbortSignal): Promise<Decision> {
    const { rules, operator } = this.options;
    const { callId, binding } = call;
    const before = this.#decisions.of(callId);
    const replayed = before && replay(before, binding, this.options.wasSent(callId));
    if (replayed === "valid") return before?.decided ?? refused("it was never decided");
    // It belongs to a call that has a decision: that one stays as it is.
    if (replayed !== undefined) return this.#tell(call, refused(replayed), []);
    const ruling = ruleOn(rules, call, this.#decisions.counted, call.at);
    const reasons = "reasons" in ruling ? ruling.reasons : [];
    this.#decisions.begin(callId, binding, call);
    const decision: Decision = ruling.verdict === "deny"
      ? refused(reasons.join("; "))
      : ruling.verdict !== "ask"
      ? { decision: "approved", by: "policy", because: "within the crew's rules" }
      : operator === undefined
      ? { decision: "denied", by: "nobody", because: reasons.join("; ") }
      : await this.#ask(operator, call, reasons, signal);
    const { tool, args, at } = call;
    const { decision: decided, by, because, isAborted } = decision;
    if (isAborted) this.#decisions.withdraw(callId);
    else this.#decisions.decide({ callId, tool, args: { ...args }, binding, decision: decided, by, because, at });
    return this.#tell(call, decision, reasons);
  }

  async #ask(
    operator: Operator,
    { at: _, ...request }: Waiting,
    reasons: readonly string[],
    signal: AbortSignal,
  ): Promise<Decision> {
    let answer: ApprovalDecision;
    try {
      signal.throwIfAborted();
      answer = await untilAborted(operator.approve({ ...request, reasons }, signal), signal);
    } catch (error) {
      if (signal.aborted) return { ...nobody("it was called off before anybody had decided"), isAborted: true };
      return nobody(`no decision could be had: ${oneLine(error instanceof Error ? error.message : String(error))}`);
    }
    const { decision, binding, because } = answer;
    if (binding !== request.binding) {
      return {
        decision: "denied",
        by: "operator",
        because: "what was decided on was another call, or had other arguments",
      };
    }
    // Anything but the one word is no.
    return decision === "approve"
      ? { decision: "approved", by: "operator", because: because ?? "approved" }
      : { decision: "denied", by: "operator", because: because ?? "no reason was given" };
  }

  #tell({ callId, tool, args, binding }: Waiting, decision: Decision, reasons: readonly string[]): Decision {
    const { decision: decided, by, because } = decision;
    this.options.emit("approval", callId, {
      ...{ callId, tool, args: { ...args }, binding },
      ...{ decision: decided, by, because, reasons: [...reasons] },
    });
    return decision;
  }
}

/**
 * What an earlier decision on a call id is worth. `valid`: the run was killed between decision and call, though it were
 * when the call was about to be written down as sent, and goes on with it now. Nothing: the call was made before the kill,
 * and nothing came of it, for whoever stands before this hub has seen to that; it is decided anew. Otherwise why it is
 * worth nothing.
 */
function replay(
  { binding, isEarlier, isUsed, isReturned, decided }: Known,
  now: string,
  wasSent: boolean,
): string | undefined {
  if (binding !== now) return "this call id was decided on with other arguments";
  if (!isEarlier) return "this call was decided on already, and a decision is good for one call";
  const isOpen = !isUsed || (!isReturned && !wasSent);
  return isOpen && decided !== undefined ? "valid" : undefined;
}

function refused(because: string): Decision {
  return { decision: "denied", by: "policy", because };
}

function nobody(because: string): Decision {
  return { decision: "denied", by: "nobody", because };
}
