/**
 * What orchestration adds to three workers that each wait 500 ms for their server, in the `wire` lane: real processes,
 * the machine's clock. Overhead is what a run takes beyond those 500 ms.
 *
 * `deno run --allow-read=. --allow-env --allow-run --allow-sys=homedir harness/perf/wire.ts`
 */
import {
  Annotation,
  END as LG_END,
  Send as LgSend,
  START as LG_START,
  StateGraph,
} from "npm:@langchain/langgraph@1.7.3";
import { append, END, graph, Hub, send, START } from "../../agents/mod.ts";
import type { FaultEntry } from "../../servers/mod.ts";
import { wireLane } from "../lanes/wire.ts";
import type { World } from "../lanes/lane.ts";
import { runCell } from "../runner/cell.ts";
import { cellOf } from "./scenario.ts";
import { print, spread, table } from "./stats.ts";

const TAKES_MS = 500;
const ROUNDS = 9;

const CALLS = [
  { tool: "orders.find_order", args: { order_id: "12345" } },
  { tool: "kb.search_kb", args: { query: "duplicate charge" } },
  { tool: "policy.check_policy", args: { topic: "duplicate charge" } },
];
const FAULTS: readonly FaultEntry[] = ["orders", "kb", "policy"].map((at) => ({
  fault: "latency",
  at,
  ms: TAKES_MS,
  jitter: 0,
}));

type Call = (typeof CALLS)[number];
type Contender = (call: (one: Call) => Promise<string>, world: World) => Promise<number>;

/** The floor: the three calls, awaited together. */
const bare: Contender = async (call) => (await Promise.all(CALLS.map(call))).length;

const engine: Contender = async (call, { clock }) => {
  const compiled = graph({ results: append<string>() })
    .node("plan", () => {})
    .node("worker", async (_state, { payload }) => ({ results: [await call(payload as Call)] }))
    .node("collect", () => {})
    .edge(START, "plan")
    .branch("plan", () => CALLS.map((one) => send("worker", one)), { targets: ["worker"] })
    .edge("worker", "collect")
    .edge("collect", END)
    .compile({ stepCap: 10, deadlineMs: 60_000 });
  return (await compiled.run({}, { clock })).state.results.length;
};

const langgraph: Contender = async (call) => {
  const join = (current: string[], update: string[]) => current.concat(update);
  const State = Annotation.Root({ results: Annotation<string[]>({ reducer: join, default: () => [] }) });
  const compiled = new StateGraph(State)
    .addNode("plan", () => ({}))
    .addNode("worker", async (one: unknown) => ({ results: [await call(one as Call)] }))
    .addNode("collect", () => ({}))
    .addEdge(LG_START, "plan")
    .addConditionalEdges("plan", () => CALLS.map((one) => new LgSend("worker", one)), ["worker"])
    .addEdge("worker", "collect")
    .addEdge("collect", LG_END)
    .compile();
  return (await compiled.invoke({}, { recursionLimit: 10 })).results.length;
};

/** Measures, and prints a table. */
export async function wireBench(): Promise<void> {
  const contenders = new Map<string, Contender>([["bare Promise.all", bare], ["engine", engine], [
    "langgraph",
    langgraph,
  ]]);
  const overheads = new Map<string, number[]>([...contenders.keys(), "whole support cell"].map((name) => [name, []]));
  await using lane = wireLane();
  const cell = await cellOf("healthy-desk", "wire");
  const slow = {
    ...cell,
    scenario: { ...cell.scenario, faults: [...FAULTS], script: quickScript(cell.scenario.script) },
  };
  for (let round = -1; round < ROUNDS; round++) {
    for (const [name, contender] of contenders) {
      const ms = await overhead(lane, contender);
      if (round >= 0) overheads.get(name)?.push(ms);
    }
    const trace = await runCell(slow, lane);
    const at = (type: string) => trace.events.find((event) => event.type === type && event.span === "run/s2")?.t ?? NaN;
    if (round >= 0) overheads.get("whole support cell")?.push(at("superstep.end") - at("superstep.start") - TAKES_MS);
  }
  const floor = overheads.get("bare Promise.all") ?? [];
  const rows = [...overheads].map(([name, samples]) => {
    const beyond = spread(samples.map((ms, i) => ms - (floor[i] ?? NaN)));
    const { min, median } = spread(samples);
    return [name, min.toFixed(2), median.toFixed(2), name === "bare Promise.all" ? "" : beyond.median.toFixed(2)];
  });
  print(
    `wire lane: three workers of ${TAKES_MS} ms, overhead in ms`,
    table([["", "min", "median", "beyond the calls alone, median"], ...rows]),
    `${ROUNDS} rounds, interleaved; the whole cell is its dispatch superstep, traced, three workers of one call each`,
  );
}

/** One call a worker, so that the critical path is one call long. */
function quickScript(script: Awaited<ReturnType<typeof cellOf>>["scenario"]["script"]): typeof script {
  const final = { final: "Done, as the tool said." };
  const turns = CALLS.map(({ tool, args }) => [{ call: tool, with: args }, final]);
  const [billing = [], comms = [], policy = []] = turns;
  return { ...script, billing, comms, policy };
}

async function overhead(lane: ReturnType<typeof wireLane>, contender: Contender): Promise<number> {
  const servers = ["orders", "kb", "policy"];
  const world = await lane.open({ servers, data: {}, faults: FAULTS, seed: "0", shuffle: false, observer: () => {} });
  return await world.run(async () => {
    await using hub = await Hub.open({ ports: world.ports, clock: world.clock });
    const { signal } = new AbortController();
    const call = async ({ tool, args }: Call) => {
      const { kind, text } = await hub.call(tool, args, { allow: servers, signal, span: "perf" });
      if (kind !== "answered") throw new Error(`${tool}: ${kind}: ${text}`);
      return text;
    };
    const start = performance.now();
    const results = await contender(call, world);
    const took = performance.now() - start;
    if (results !== CALLS.length) throw new Error(`${results} of ${CALLS.length} results`);
    return took - TAKES_MS;
  });
}

if (import.meta.main) await wireBench();
