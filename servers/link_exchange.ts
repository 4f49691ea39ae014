/** A request of the hub's and its reply, on their way through a link. */
import type { ArmedFault } from "./faults/armed.ts";
import type { LinkCircumstances, Phase, ReplyVerdict, Verdict } from "./faults/fault.ts";
import type { Reply, RpcRequest } from "./jsonrpc.ts";

/** A request that the hub has made and not been answered. */
export class Exchange {
  /** `held` while faults have its request, then `sent`, or `lost` if the server never sees it. */
  state: "held" | "sent" | "lost" = "held";
  /** The server has answered, and faults have the reply. */
  answered = false;
  /** The hub's cancellation, if it came while the request was held. */
  cancel?: Uint8Array;
  private isCancelled = false;
  private told: (() => void)[] | undefined;

  /**
   * @param phase What it is.
   * @param tool The tool, if it is a call.
   * @param call Its number among the calls of its tool, or the requests of its phase.
   * @param faults Those that strike it, settled once, when it is made.
   */
  constructor(
    readonly request: RpcRequest,
    readonly phase: Phase,
    readonly tool: string | undefined,
    readonly call: number,
    readonly faults: readonly ArmedFault[],
  ) {}

  /** Resolves when the hub calls it off. */
  cancelled(): Promise<void> {
    return this.isCancelled ? Promise.resolve() : new Promise((resolve) => (this.told ??= []).push(resolve));
  }

  /** The hub calls it off. */
  callOff(): void {
    this.isCancelled = true;
    for (const tell of this.told ?? []) tell();
    this.told = undefined;
  }
}

const PHASES: ReadonlyMap<string, Phase> = new Map([["initialize", "initialize"], ["tools/list", "list"]]);

/** The phase of a request that is no call, if faults can be about it. */
export function setupPhase(request: RpcRequest): Phase | undefined {
  return PHASES.get(request.method);
}

/** Where and when a hook is asked. */
export interface Occasion {
  readonly phase: Phase;
  readonly tool: string | undefined;
  readonly call: number;
  readonly exchange?: Exchange | undefined;
}

/** The occasion that a request is. */
export function occasionOf(exchange: Exchange): Occasion {
  const { phase, tool, call } = exchange;
  return { phase, tool, call, exchange };
}

type ReplyHook = (reply: Reply, ctx: LinkCircumstances) => Verdict<ReplyVerdict>;

/** The hooks of a fault on the reply to a request of this phase: those named after it, and those of its own phase. */
export function replyHooks({ hooks, phase: own }: ArmedFault, phase: Phase): ReplyHook[] {
  const named = phase === "initialize" || phase === "list" ? hooks[phase] : undefined;
  const general = own === phase ? hooks.reply : undefined;
  return [named, general].filter((hook) => hook !== undefined);
}
