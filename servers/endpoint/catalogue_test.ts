/** Every fault on the model's side, in the bytes that a caller gets: each API, stream or not, scripted or forwarding. */
import { RealClock } from "../../core/mod.ts";
import type { Fault } from "../faults/fault.ts";
import type { ModelCall, ModelReply } from "../faults/model_hooks.ts";
import { MODEL_FAULTS } from "../faults/model/mod.ts";
import { PLAN } from "../faults/model/testing.ts";
import type { ModelEvent } from "../model/events.ts";
import {
  ANTHROPIC_TOOLS,
  apiOf,
  at,
  type Bench,
  bench,
  NOTE,
  OPENAI_TOOLS,
  RESPONSES_TOOLS,
  TURN,
  WAYS,
} from "./testing.ts";
import assert from "node:assert/strict";

/** A turn for each kind of fault: one of them gives it something to do. */
const TURNS: readonly ModelReply[] = [TURN, NOTE, { ...NOTE, text: `Here: ${PLAN}` }];

/** Shorter than by default: these tests wait on the machine's clock. */
const QUICK: Readonly<Record<string, Record<string, unknown>>> = {
  slow_first_token: { ms: 1 },
  slow_stream: { ms: 1 },
};

/** Faults that have nothing to do in a body that is one whole, or in one way of writing calls. */
const STREAM_ONLY = new Set(["shared_stream_index"]);
/** Faults after which nothing more comes until the caller leaves. */
const HANGS = new Set(["model_hang", "model_stream_stall"]);
/** Faults that change when the bytes come, or where they are cut, and none of them. */
const SAME_BYTES = new Set(["slow_first_token", "slow_stream", "split_multibyte"]);

/** A conversation in which a tool has been called, and has failed. */
const BODIES = {
  openai: {
    model: "m",
    tools: OPENAI_TOOLS,
    messages: [
      { role: "user", content: "Hello" },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "a", type: "function", function: { name: "find_order", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "a", content: "no" },
    ],
  },
  responses: {
    model: "m",
    tools: RESPONSES_TOOLS,
    input: [
      { role: "user", content: "Hello" },
      { type: "function_call", call_id: "a", name: "find_order", arguments: "{}" },
      { type: "function_call_output", call_id: "a", output: "no" },
    ],
  },
  anthropic: {
    model: "m",
    max_tokens: 10,
    tools: ANTHROPIC_TOOLS,
    messages: [
      { role: "user", content: "Hello" },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "find_order", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "no", is_error: true }] },
    ],
  },
};

const PATHS = { openai: "/v1/chat/completions", responses: "/v1/responses", anthropic: "/v1/messages" } as const;

/** What the caller gets: status, bytes, and how they end. */
interface Bytes {
  readonly status: number;
  readonly body: string;
  readonly end: "whole" | "broken" | "none";
}

async function ask(on: Bench, way: typeof WAYS[number], hangs: boolean): Promise<Bytes> {
  const api = apiOf(way);
  const stream = way.endsWith("stream");
  const options = stream && api === "openai" ? { stream_options: { include_usage: true } } : {};
  const body = JSON.stringify({ ...BODIES[api], stream, ...options });
  const controller = new AbortController();
  if (hangs) on.first("model_fault").then(() => controller.abort());
  let [status, text] = [0, ""];
  try {
    const response = await fetch(on.url + PATHS[api], { method: "POST", body, signal: controller.signal });
    status = response.status;
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
    return { status, body: text.replace(/"(?:created|created_at|completed_at)":\d+|billing-\d+/g, ""), end: "whole" };
  } catch {
    return { status, body: text, end: status === 0 ? "none" : "broken" };
  }
}

/** The first turn with which a fault has something to do, and what came of it without and with the fault. */
async function struck(fault: Fault, way: typeof WAYS[number], forwards: boolean) {
  for (const turn of TURNS) {
    const next = ({ messages }: ModelCall) =>
      Promise.resolve({ ...turn, usage: { ...turn.usage, inputTokens: 1000 + messages.length } });
    await using on = await bench({ turn: next, forwards });
    const healthy = await ask(on, way, false);
    const events: ModelEvent[] = [];
    const observer = (event: ModelEvent) => events.push(event);
    on.events.length = 0;
    on.endpoint.bind({
      faults: at(fault.id, QUICK[fault.id] ?? (fault.id === "ends_at_once" ? { when: { calls: [1] } } : {})),
      clock: new RealClock(),
      seed: "1",
      observer: (event) => on.tell((observer(event), event)),
    });
    const faulty = await ask(on, way, HANGS.has(fault.id));
    const fired = events.filter(({ type }) => type === "model_fault");
    assert.deepEqual(events.filter(({ type }) => type === "model_fault_broke"), []);
    if (fired.length > 0) return { healthy, faulty, fired, reply: await on.first("model_reply") };
    assert.deepEqual(faulty, healthy, `${fault.id} did not fire, and changed something`);
  }
  return undefined;
}

for (const fault of MODEL_FAULTS) {
  Deno.test(`${fault.id} fires at the endpoint, in each API, and the bytes are not those of the fault-free run`, async () => {
    for (const forwards of [false, true]) {
      for (const way of WAYS) {
        const where = `${way}, ${forwards ? "forwarding" : "scripted"}`;
        const got = await struck(fault, way, forwards);
        if (STREAM_ONLY.has(fault.id) && !way.endsWith("stream")) {
          assert.equal(got, undefined, where);
          continue;
        }
        // OpenAI's protocols cannot say that a tool has failed.
        if (fault.id === "success_after_failure" && apiOf(way) !== "anthropic") {
          assert.equal(got, undefined, where);
          continue;
        }
        assert.ok(got, `${where}: nothing happened`);
        const { healthy, faulty, fired, reply } = got;
        assert.equal(healthy.end, "whole");
        assert.equal(fired.length, 1, where);
        if (SAME_BYTES.has(fault.id)) assert.deepEqual(faulty, healthy, where);
        else assert.notDeepEqual(faulty, healthy, where);
        if (HANGS.has(fault.id)) assert.deepEqual([faulty.end === "whole", reply.ended], [false, "cancelled"], where);
      }
    }
  });
}
