/** How long faults make things take. Asked of the faults themselves, so that a new one is known without being listed. */
import { type Clock, Random } from "../../core/mod.ts";
import { type FaultEntry, FAULTS, type ModelReply, type Reply, type RpcRequest } from "../../servers/mod.ts";

/** A span of time, in milliseconds. */
export type Span = readonly [least: number, most: number];

/** What a fault delays: a call of this tool, or a turn with this text. */
export type Delayed = { readonly tool: string } | { readonly agent: string; readonly text: string };

/** A script of bytes may have no end. */
const MAX_STEPS = 10_000;

/** About as long as a reply's line is; what a fault makes of each byte depends on it. */
const LINE = new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", id: 1, result: "x".repeat(300) })}\n`);

/**
 * What a fault adds to a call or a turn that it strikes. Of a fault that waits several times, one wait after the other,
 * only the first is seen; where chance has a say, the least and the most.
 */
export function delayOf(entry: FaultEntry, what: Delayed): Span {
  const waits = [0, 0.5, 1].map((draw) => waitOf(entry, what, draw));
  return [Math.min(...waits), Math.max(...waits)];
}

/** Arms the fault and lets it loose on a clock that only listens. */
function waitOf({ fault, at: _at, when: _when, ...params }: FaultEntry, what: Delayed, draw: number): number {
  const known = FAULTS.get(fault);
  if (known === undefined) return 0;
  let waited = 0;
  const clock: Clock = {
    kind: "virtual",
    now: () => 0,
    after(ms) {
      waited += ms;
      return { cancel() {} };
    },
  };
  const { signal } = new AbortController();
  const common = { clock, random: new Fixed(draw), call: 1, signal };
  const hooks = known.arm(params);
  try {
    if ("agent" in what) {
      const request = { agent: what.agent, system: "", messages: [], tools: [] };
      const reply: ModelReply = {
        text: what.text,
        calls: [],
        finish: "stop",
        usage: { inputTokens: 1, outputTokens: 1 },
      };
      const ctx = { ...common, agent: what.agent, request };
      quiet(hooks.ask?.(request, ctx));
      quiet(hooks.turn?.(reply, ctx));
      return waited;
    }
    if (hooks.phase !== "call" && hooks.phase !== "stream") return 0;
    const [server = "", ...tool] = what.tool.split(".");
    const request: RpcRequest = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: tool.join("."), arguments: {} },
    };
    const reply: Reply = { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "{}" }] } };
    const forever = new Promise<never>(() => {});
    const ctx = {
      ...common,
      server,
      tool: tool.join("."),
      phase: hooks.phase,
      request,
      link: { notify() {}, ask: () => forever, repeat() {}, hangUp() {} },
      cancelled: () => forever,
      covers: () => true,
    };
    quiet(hooks.request?.(request, ctx));
    quiet(hooks.reply?.(reply, ctx));
    let steps = 0;
    for (const step of hooks.bytes?.(LINE, ctx) ?? []) {
      if (typeof step === "object" && "wait" in step) waited += step.wait;
      if (++steps > MAX_STEPS) break;
    }
  } catch {
    // A fault that wants more than it is given here delays nothing that is known.
  }
  return waited;
}

/** Numbers that are always the same. */
class Fixed extends Random {
  constructor(private readonly value: number) {
    super("fixed");
  }

  override next(): number {
    return this.value;
  }
}

/** What a fault goes on to do when its wait is over is never done here. */
function quiet(verdict: unknown): void {
  if (verdict instanceof Promise) verdict.catch(() => {});
}
