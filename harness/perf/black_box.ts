/**
 * What it costs to be somebody else: a turn over HTTP beside the same turn in this process, and whole cells of a Node
 * program, start included, beside a Node process that does nothing.
 *
 * `deno task perf black-box`
 */
import { fileURLToPath } from "node:url";
import { type ModelRequest, ScriptedModel } from "../../agents/mod.ts";
import { RealClock } from "../../core/mod.ts";
import { endpoint } from "../../servers/endpoint/mod.ts";
import { wireLane } from "../lanes/wire.ts";
import { runCells } from "../runner/run.ts";
import { commandEntry } from "../subjects/black_box/entries.ts";
import { cellSpec, scenarioNamed } from "../testing/cells.ts";
import { print, spread, table } from "./stats.ts";

const TURNS = 1000;
const WARM_UP = 100;
const ROUNDS = 3;
const CELLS = 12;
const AGENT = fileURLToPath(new URL("../subjects/black_box/testdata/one_agent.mjs", import.meta.url));

const QUESTION = "I was charged twice for order 12345. What happened and what happens now?";
const RESULT = JSON.stringify({ order_id: "12345", customer: "R. Okafor", total: "$129.00", charge_count: 2 });
const TOOLS = ["find_order", "refund_status", "search_kb", "check_policy"].map((name) => ({
  name,
  description: "Looks something up in the records of the desk.",
  schema: { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] },
}));

/** A way to ask for a turn. */
interface Way {
  readonly name: string;
  ask(): Promise<unknown>;
}

/** Measures, and prints two tables. */
export async function blackBoxBench(): Promise<void> {
  await turns();
  print("");
  await cells();
}

async function turns(): Promise<void> {
  const clock = new RealClock();
  const turn = { calls: [{ name: "refund_status", args: { order_id: "12345" } }] };
  const script = new Map([["billing", [turn]]]);
  const model = new ScriptedModel(script, clock, { playback: "stateless" });
  const { signal } = new AbortController();
  await using up = await endpoint({
    backend: { scripted: (call, signal) => model.next({ ...call, span: "run" }, signal) },
  });
  const request: ModelRequest = {
    agent: "billing",
    span: "run",
    system: "You are the billing specialist.",
    messages: [{ role: "user", text: QUESTION }],
    tools: TOOLS.map(({ name, description, schema }) => ({ name, description, inputSchema: schema })),
  };
  const post = async (path: string, body: unknown) => {
    const headers = { "content-type": "application/json", "anthropic-version": "2023-06-01" };
    const reply = await fetch(`${up.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return await reply.text();
  };
  const ways: readonly Way[] = [
    { name: "in this process", ask: () => model.next(request, signal) },
    { name: "openai", ask: () => post("/v1/chat/completions", openai(false)) },
    { name: "openai, streamed", ask: () => post("/v1/chat/completions", openai(true)) },
    { name: "anthropic", ask: () => post("/v1/messages", anthropic(false)) },
    { name: "anthropic, streamed", ask: () => post("/v1/messages", anthropic(true)) },
  ];
  const samples = new Map<string, number[]>(ways.map(({ name }) => [name, []]));
  for (let i = -WARM_UP; i < TURNS; i++) {
    for (const { name, ask } of ways) {
      const start = performance.now();
      await ask();
      if (i >= 0) samples.get(name)?.push(performance.now() - start);
    }
  }
  const rows = [...samples].map(([name, list]) => [name, at(list, 0.5), at(list, 0.95), at(list, 0.99)]);
  print("a model turn with history and four tools, in ms", table([["", "p50", "p95", "p99"], ...rows]));
}

async function cells(): Promise<void> {
  const desk = scenarioNamed("healthy-desk");
  const scenario = {
    ...desk,
    script: {
      planner: [{ say: '{"tasks": [{"id": "billing", "specialist": "billing", "objective": "Look at the order."}]}' }],
      billing: [
        { call: "orders.find_order", with: { order_id: "12345" } },
        { final: "Two charges of $129.00 on order 12345 (ORD-7731-KX)." },
      ],
    },
  };
  const subject = await commandEntry(`node ${AGENT} '{"model": "billing"}'`).load();
  const found = new Map<string, number[]>([["node, doing nothing", []], ["cells, one at a time", []], [
    "cells, four at once",
    [],
  ]]);
  for (let round = 0; round < ROUNDS; round++) {
    found.get("node, doing nothing")?.push(await bareStarts());
    for (const [name, jobs] of [["cells, one at a time", 1], ["cells, four at once", 4]] as const) {
      const specs = Array.from({ length: CELLS }, () => cellSpec(scenario, { subject, lane: "wire" }));
      // Both start their server anew, as a run of the bench does.
      const start = performance.now();
      const results = await runCells(specs, { jobs, openLane: () => wireLane() });
      found.get(name)?.push(CELLS / ((performance.now() - start) / 1000));
      const bad = results.find(({ trace }) => trace.events.at(-1)?.outcome !== "answered");
      if (bad !== undefined) {
        throw new Error(`a cell did not end as it should: ${JSON.stringify(bad.trace.events.at(-1))}`);
      }
    }
  }
  const rows = [...found].map(([name, list]) => {
    const rates = list.map((one) => -one);
    return [name, (-spread(rates).min).toFixed(1), (-spread(rates).median).toFixed(1)];
  });
  print(
    "whole cells of a Node program (two turns, one tool, one server), a second, start included",
    table([["", "best", "median"], ...rows]),
    `${ROUNDS} rounds of ${CELLS}, interleaved`,
  );
}

/** How many Node processes that do nothing start and end in a second, one after another. */
async function bareStarts(): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < CELLS; i++) await new Deno.Command("node", { args: ["-e", ""] }).output();
  return CELLS / ((performance.now() - start) / 1000);
}

function openai(stream: boolean): unknown {
  const call = { id: "1.1", type: "function", function: { name: "find_order", arguments: '{"order_id": "12345"}' } };
  return {
    model: "billing",
    stream,
    messages: [
      { role: "system", content: "You are the billing specialist." },
      { role: "user", content: QUESTION },
      { role: "assistant", content: "", tool_calls: [call] },
      { role: "tool", tool_call_id: "1.1", content: RESULT },
    ],
    tools: TOOLS.map(({ name, description, schema }) => ({
      type: "function",
      function: { name, description, parameters: schema },
    })),
  };
}

function anthropic(stream: boolean): unknown {
  return {
    model: "billing",
    max_tokens: 1000,
    stream,
    system: "You are the billing specialist.",
    messages: [
      { role: "user", content: QUESTION },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "1.1", name: "find_order", input: { order_id: "12345" } }],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "1.1", content: RESULT }] },
    ],
    tools: TOOLS.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
  };
}

/** The value below which so great a part of the samples lies, with two digits. */
function at(samples: readonly number[], part: number): string {
  const sorted = samples.toSorted((a, b) => a - b);
  return (sorted[Math.min(Math.floor(part * sorted.length), sorted.length - 1)] ?? NaN).toFixed(2);
}

if (import.meta.main) await blackBoxBench();
