/** A hub for the gates' tests: tools with what they claim, and a call for each outcome that a test wants. */
import type { Clock, Json } from "../../core/mod.ts";
import type { Crew } from "../crews/crew.ts";
import type { CallOptions, CallOutcome, ServerStatus, ToolHub } from "../hub/mod.ts";
import { isAllowed } from "../hub/mod.ts";
import { failed } from "../hub/outcome.ts";
import type { ToolAnnotations, ToolSpec } from "../models/model.ts";
import { recording } from "../testing.ts";
import type { Operator } from "../people.ts";
import { MemoryRunLog, type RunLog } from "../run_log.ts";
import { gated } from "./mod.ts";

type Args = { [key: string]: Json };

/** A call as the hub got it. */
export interface SentCall {
  readonly name: string;
  readonly args: Args;
  readonly span: string;
}

/** What a fake tool does. */
export type Deed = CallOutcome | ((call: SentCall, signal: AbortSignal) => Promise<CallOutcome> | CallOutcome);

/** A result. */
export const ok = (text = "paid"): CallOutcome => ({ kind: "answered", text });

const SCHEMA = { type: "object", properties: { idempotency_key: { type: "string" } } };
const TOOLS: readonly (readonly [name: string, annotations: ToolAnnotations | undefined, schema?: object])[] = [
  ["refunds.issue", { readOnlyHint: false, idempotentHint: false }, SCHEMA],
  ["refunds.list", { readOnlyHint: true, idempotentHint: true }],
  ["outbox.send", { readOnlyHint: false }],
  ["files.put", { readOnlyHint: false, idempotentHint: true }],
  ["other.do", undefined],
];

/** A hub that does as it is told and keeps what it was sent. */
export class FakeHub implements ToolHub {
  readonly sent: SentCall[] = [];
  /** What is done next, call by call; then `ok`. */
  readonly deeds: Deed[] = [];
  readonly #down = new Set<string>();

  servers(): ServerStatus[] {
    return [];
  }

  specs(allow: readonly string[]): ToolSpec[] {
    return TOOLS.filter(([name]) => isAllowed(name, allow)).map(([name, annotations, schema]) => ({
      name,
      description: "",
      inputSchema: { type: "object", ...schema },
      ...(annotations === undefined ? {} : { annotations }),
    }));
  }

  down(allow: readonly string[]): ReturnType<ToolHub["down"]> {
    return [...this.#down].filter((name) => allow.some((entry) => entry.startsWith(`${name}.`)))
      .map((name) => ({ name, failure: { code: "server_down", detail: "gone" } }));
  }

  /** A server goes away, or comes back. */
  setDown(name: string, isDown = true): void {
    if (isDown) this.#down.add(name);
    else this.#down.delete(name);
  }

  async call(name: string, args: Args, { allow, span, signal }: CallOptions): Promise<CallOutcome> {
    if (!isAllowed(name, allow)) return failed("refused", `${name} is not a tool of this worker`);
    if (!TOOLS.some(([tool]) => tool === name)) return failed("unknown_tool", `there is no tool ${name}`);
    if (this.down([name]).length > 0) return failed("closed", "not connected");
    const call = { name, args: structuredClone(args), span };
    this.sent.push(call);
    const deed = this.deeds.shift() ?? ok();
    return typeof deed === "function" ? await deed(call, signal) : deed;
  }
}

/** What a gate is tried with. */
export interface Rig {
  readonly hub: FakeHub;
  readonly log: RunLog;
  /** Events of a type, in order. */
  events(type: string): ReturnType<typeof recording>["events"][number]["detail"][];
  /** Makes a call through the gates. */
  call(name: string, args: Args, how?: Partial<CallOptions> & { packet?: string }): Promise<CallOutcome>;
}

/** A gate before a fake hub. Spans count up unless they are given. */
export function rig(
  clock: Clock,
  { approval = [], operator, log = new MemoryRunLog(), hub = new FakeHub(), life = "a" }: {
    approval?: Crew["approval"] & object;
    operator?: Operator;
    log?: RunLog;
    hub?: FakeHub;
    life?: string;
  } = {},
): Rig {
  const { emit, events } = recording();
  const crew: Crew = {
    ...{ name: "c", title: "c", servers: ["refunds"], specialists: [], fallbacks: [], fallbackPlan: [], routes: {} },
    deadlineMs: 1000,
    approval,
  };
  const gate = gated(hub, { crew, log, clock, emit, ...(operator === undefined ? {} : { operator }) });
  let calls = 0;
  return {
    hub,
    log,
    events: (type) => events.filter((event) => event.type === type).map(({ detail }) => detail),
    call: (name, args, { packet = "p1", ...how } = {}) =>
      gate.call(name, args, {
        allow: ["refunds", "outbox", "files", "other"],
        signal: new AbortController().signal,
        span: `run/${life}/call${++calls}`,
        caller: { worker: "cashier", packetId: packet },
        ...how,
      }),
  };
}
