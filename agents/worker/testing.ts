/** What the worker's tests share: a worker whose model and tools do as a test says. */
import assert from "node:assert/strict";
import { type FailureCode, VirtualClock } from "../../core/mod.ts";
import type { CallOptions, CallOutcome, ToolHub } from "../hub/mod.ts";
import { failed } from "../hub/outcome.ts";
import { answered } from "../hub/reading.ts";
import { isAllowed } from "../hub/allowlist.ts";
import { Report as ReportSchema } from "../contracts.ts";
import { FakeModel, type Move, recording } from "../testing.ts";
import type { ToolAnnotations } from "../models/model.ts";
import type { Handoff, Report } from "../types.ts";
import type { Control } from "./control.ts";
import { runWorker, type WorkerTools } from "./worker.ts";

/** A packet for one specialist with one server. */
export const PACKET: Handoff = {
  id: "t1",
  sender: "supervisor",
  recipient: "billing",
  objective: "Find order 1.",
  inputs: { order_id: "1", flags: [true, null] },
  toolAllow: ["s."],
  maxSteps: 3,
  deadlineMs: 1000,
  dependsOn: [],
  returnContract: "One sentence.",
};

/** A tool that does as a test says. */
export type Tool = (args: unknown, options: CallOptions) => CallOutcome | Promise<CallOutcome>;

/** A hub whose tools do as a test says. */
export function fakeHub(
  tools: Record<string, Tool>,
  down: { name: string; failure: { code: FailureCode; detail: string } }[] = [],
  annotations: ToolAnnotations | undefined = { readOnlyHint: true },
) {
  const byName = new Map(Object.entries(tools));
  const hub: ToolHub = {
    servers: () => [],
    down: () => down,
    specs: (allow) =>
      [...byName.keys()].filter((name) => isAllowed(name, allow)).map((name) => ({
        name,
        description: "",
        inputSchema: { type: "object" },
        ...(annotations === undefined ? {} : { annotations }),
      })),
    call: async (name, args, options) => {
      if (!isAllowed(name, options.allow)) return failed("refused", `${name} is not a tool of this worker`);
      return await byName.get(name)?.(args, options) ?? failed("unknown_tool", `there is no tool ${name}`);
    },
  };
  return hub;
}

/** A tool that says this. */
export const text = (said: string): Tool => () => answered(said);

/** A tool that fails with this. */
export const fails = (said: string): Tool => () => failed("tool_error", said);

/** A tool that does one thing after the other. */
export const inTurn = (...tools: Tool[]): Tool => (args, options) =>
  (tools.shift() ?? fails("nothing left"))(args, options);

/** What a worker is given besides the moves of its model. */
export interface Setup {
  readonly tools?: Record<string, Tool>;
  readonly packet?: Partial<Handoff>;
  readonly down?: Parameters<typeof fakeHub>[1];
  /** What the tools claim of themselves; that they only read if left out. */
  readonly annotations?: ToolAnnotations;
  readonly signal?: AbortSignal;
  readonly specialist?: WorkerTools["specialist"];
  readonly controls?: readonly Control[];
}

/** Runs a worker whose model makes these moves. */
export async function work(clock: VirtualClock, moves: readonly Move[], setup: Setup = {}) {
  const { tools = { "s.find": text("two charges") }, packet, down, signal = new AbortController().signal } = setup;
  const { specialist, controls, annotations } = setup;
  const model = new FakeModel({ billing: moves });
  const { emit, events } = recording();
  const world = {
    ...{ model, hub: fakeHub(tools, down, annotations), clock, emit },
    ...(specialist === undefined ? {} : { specialist }),
    ...(controls === undefined ? {} : { controls }),
  };
  const report = await runWorker({ ...PACKET, ...packet }, world, "run/s2/t1", signal);
  assert.deepEqual(ReportSchema.parse(report), report);
  return { report, model, events };
}

/** How a report ended: status, code, note. */
export const ended = ({ status, failure, note }: Report) => [status, failure?.code, note];
