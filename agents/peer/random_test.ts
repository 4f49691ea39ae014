import assert from "node:assert/strict";
import { CodedError, Random } from "../../core/mod.ts";
import { CREW } from "../supervisor/testing.ts";
import { type Move, say, sim } from "../testing.ts";
import type { ToolCall } from "../models/model.ts";
import { ENTRY, HANDOFF, MAX_HANDOFFS } from "./handoff.ts";
import { FOUND, runPeers, TOOLS } from "./testing.ts";
import { TRIAGE_STEPS } from "./triage.ts";

const RUNS = 200;
const NAMES = ["billing", "policy", "comms", "poet", "constructor", "__proto__", "triage", ""];
const OBJECTIVES = ["Find the charge.", "find  the CHARGE.", "State the policy.", ""];

/** What an agent may do, good or bad, by chance. */
function anyMove(random: Random, agent: string, worker: boolean): Move {
  const pick = <T>(list: readonly T[], otherwise: T): T => list[Math.floor(random.next() * list.length)] ?? otherwise;
  const handoff = (): Omit<ToolCall, "id"> => ({
    name: HANDOFF + pick(NAMES, ""),
    args: random.next() < 0.9 ? { objective: pick(OBJECTIVES, ""), inputs: pick([{}, { order: "1" }], {}) } : {},
    ...(random.next() < 0.1 ? { rawArguments: '{"objective": "Fi' } : {}),
  });
  const tool = (): Omit<ToolCall, "id"> => ({
    name: pick([TOOLS[agent] ?? "x", "policy.find", "no.such"], ""),
    args: {},
  });
  const chance = random.next();
  if (chance < 0.05) return new CodedError("model_error", "gone");
  if (chance < 0.1) return say("cut", "length");
  if (chance < (worker ? 0.35 : 0.15)) return say(pick([FOUND[agent] ?? "x", "", "Nothing to say."], ""));
  const calls = Array.from(
    { length: 1 + Math.floor(random.next() * 3) },
    () => random.next() < 0.6 ? handoff() : tool(),
  );
  const ids = random.next() < 0.1 ? () => "same" : (i: number) => `c${i}`;
  return {
    text: pick(["", "On the way."], ""),
    calls: calls.map((call, i) => ({ id: ids(i), ...call })),
    finish: "tool_calls",
    usage: { inputTokens: 1, outputTokens: 1 },
  };
}

Deno.test("peers(), whatever agents do, end, give each call one result, and are silent on nothing that was lost", () =>
  sim(async (clock) => {
    const seen = new Map<string, number>();
    for (let seed = 0; seed < RUNS; seed++) {
      const random = new Random(`peers ${seed}`);
      const moves = (agent: string, count: number, worker = true) =>
        Array.from({ length: count }, () => anyMove(random, agent, worker));
      const script = {
        [ENTRY]: moves(ENTRY, TRIAGE_STEPS, false),
        ...Object.fromEntries(Object.keys(TOOLS).map((name) => [name, moves(name, 3 * MAX_HANDOFFS)])),
      };
      const down = random.next() < 0.2 ? ["policy"] : [];
      const { answer, model, of } = await runPeers(clock, script, { down });
      const where = `seed ${seed}`;
      for (const { detail: { outcome } } of of("handoff")) {
        seen.set(String(outcome), (seen.get(String(outcome)) ?? 0) + 1);
      }

      // Ends within its limits.
      const steps = Object.groupBy(model.requests, ({ span }) => span.split("/")[2] ?? "");
      assert.ok(of("packet").length <= MAX_HANDOFFS, where);
      for (const [task, requests = []] of Object.entries(steps)) assert.ok(requests.length <= 3, `${where} ${task}`);

      // Each call has one result: on record, and, where its agent is asked again, in the conversation.
      const started = of("call.start").map(({ span }) => span);
      assert.equal(new Set(started).size, started.length, where);
      assert.deepEqual(of("call.end").map(({ span }) => span).sort(), started.sort(), where);
      for (const { messages } of model.requests) {
        const asked = messages.flatMap((one) => one.role === "assistant" ? one.calls.map(({ id }) => id) : []);
        const told = messages.flatMap((one) => one.role === "tool" ? [one.callId] : []);
        assert.deepEqual(told, asked, where);
      }

      // Control is with one agent at a time, and moves only by a handoff that was accepted.
      const accepted = of("handoff").filter(({ detail }) => detail["outcome"] === "accepted").map(({ detail }) =>
        detail["to"]
      );
      const packets = of("packet").map(({ detail: { packet } }) => (packet as { recipient: string }).recipient);
      const first = of("plan.fallback").length > 0 ? ["comms"] : [];
      assert.deepEqual(packets, [...first, ...accepted], where);

      // The answer: whoever failed, and whoever does not exist and did not get its task done by another, is named.
      const named = new Set(answer.failures.map(({ specialist }) => specialist));
      for (const { detail: { report } } of of("report")) {
        const { worker, failure } = report as { worker: string; failure?: unknown };
        if (failure !== undefined) assert.ok(named.has(worker), `${where}: ${worker} failed, and is not named`);
      }
      assert.equal(answer.failures.length, new Set(answer.failures.map((one) => JSON.stringify(one))).size, where);
      if (answer.status === "complete") {
        assert.deepEqual(answer.failures, [], where);
        assert.ok(answer.sections.length > 0, where);
      }
      for (const name of named) {
        assert.ok(name === ENTRY || NAMES.includes(name), where);
        const known = CREW.specialists.some((one) => one.name === name) || name === ENTRY;
        if (!known) {
          assert.deepEqual(answer.failures.find(({ specialist }) => specialist === name)?.code, "unknown_specialist");
        }
      }
    }
    for (const outcome of ["accepted", "cycle", "unknown", "second", "denied"]) {
      assert.ok((seen.get(outcome) ?? 0) > 5, `${outcome}: ${seen.get(outcome)}`);
    }
  }));
