import assert from "node:assert/strict";
import type { Message } from "../../agents/mod.ts";
import { RealClock } from "../../core/mod.ts";
import { ScriptedModel, type SubjectWorld } from "../../agents/mod.ts";
import { CREW } from "../../agents/supervisor/testing.ts";
import { Desk } from "./desk.ts";
import { askCall, EntryLead, Lead, type LeadOptions, transferCall, wordForWord } from "./lead.ts";

const SIGNAL = new AbortController().signal;
const PLAN = JSON.stringify({
  tasks: [
    { id: "a", specialist: "billing", objective: "Look.", inputs: { order: "1" } },
    { id: "b", specialist: "policy", objective: "Say." },
  ],
});

async function desk(script: Record<string, string[]>, more: Partial<SubjectWorld> = {}): Promise<Desk> {
  const clock = new RealClock();
  const turns = new Map(Object.entries(script).map(([agent, texts]) => [agent, texts.map((text) => ({ text }))]));
  const model = new ScriptedModel(turns, clock);
  return await Desk.open({
    request: "?",
    crew: CREW,
    model,
    ports: [],
    clock,
    signal: SIGNAL,
    emit: () => {},
    ...more,
  });
}

async function turnsOf(options: LeadOptions, said: string, count: number): Promise<string[][]> {
  await using open = await desk({ planner: [said] });
  const lead = new Lead(open, options);
  const turns: string[][] = [];
  for (let i = 0; i < count; i++) {
    const { calls, text } = await lead.next({ system: "", messages: [{ role: "user", text: "?" }], tools: [] }, SIGNAL);
    turns.push(calls.length > 0 ? calls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`) : [text]);
  }
  return turns;
}

Deno.test("Lead makes one call for each task of the plan, all in one turn or one a turn", async () => {
  assert.deepEqual(await turnsOf({ callOf: transferCall }, PLAN, 1), [[
    "transfer_to_billing {}",
    "transfer_to_policy {}",
  ]]);
  assert.deepEqual(await turnsOf({ callOf: transferCall, parallel: false }, PLAN, 3), [
    ["transfer_to_billing {}"],
    ["transfer_to_policy {}"],
    [""],
  ]);
  assert.deepEqual(await turnsOf({ callOf: askCall }, "```json\n" + PLAN + "\n```", 1), [[
    'ask_billing {"input":"Look.\\norder: \\"1\\""}',
    'ask_policy {"input":"Say."}',
  ]]);
});

Deno.test("Lead says what the planner says if that is no plan", async () => {
  assert.deepEqual(await turnsOf({ callOf: transferCall }, "I would look at the order.", 1), [[
    "I would look at the order.",
  ]]);
  assert.deepEqual(await turnsOf({ callOf: transferCall }, '{"tasks": "none"}', 1), [['{"tasks": "none"}']]);
});

Deno.test("EntryLead plays the entry's script until control has gone, and then says what was reported", async () => {
  await using open = await desk({ triage: ["Hello."] }, { topology: "peer" });
  const lead = new EntryLead(open);
  const said = await lead.next({ system: "", messages: [{ role: "user", text: "?" }], tools: [] }, SIGNAL);
  assert.equal(said.text, "Hello.");
});

Deno.test("wordForWord() passes on reports and errors, and not that control has moved", () => {
  const tool = (name: string, text: string, isError = false): Message => ({
    role: "tool",
    callId: name,
    name,
    text,
    isError,
  });
  const messages: Message[] = [
    { role: "user", text: "?" },
    { role: "assistant", text: "thinking", calls: [{ id: "1", name: "transfer_to_billing", args: {} }] },
    tool("transfer_to_billing", "Successfully transferred to billing"),
    { role: "assistant", text: "Two charges.", calls: [] },
    tool("transfer_to_poet", "not found", true),
    tool("ask_policy", "Five days."),
  ];
  assert.equal(wordForWord({ messages }).text, "Two charges.\n\nnot found\n\nFive days.");
});
