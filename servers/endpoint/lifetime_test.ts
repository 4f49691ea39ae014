/** Callers who leave, upstreams that fail, and the end of an endpoint. */
import OpenAI from "npm:openai@7.59.0";
import { RealClock } from "../../core/mod.ts";
import type { ModelReply } from "../faults/model_hooks.ts";
import type { ModelEvent } from "../model/events.ts";
import { endpoint } from "./endpoint.ts";
import { ASK, at, bench, get, NOTE, TURN, WAYS } from "./testing.ts";
import assert from "node:assert/strict";

const HANGS = [["model_hang", {}], ["model_stream_stall", { byte: 20 }]] as const;

for (const [fault, params] of HANGS) {
  for (const way of WAYS) {
    Deno.test(`${fault}, ${way}: a caller who leaves is recorded, and the call is over`, async () => {
      for (const forwards of [false, true]) {
        await using on = await bench({ forwards, faults: at(fault, params) });
        const controller = new AbortController();
        const hanging = assert.rejects(get(on, way, controller.signal));
        await on.first("model_fault");
        controller.abort();
        await hanging;
        assert.equal((await on.first("model_reply")).ended, "cancelled");
      }
    });

    Deno.test(`${fault}, ${way}: close() ends it, and the client is told`, async () => {
      for (const forwards of [false, true]) {
        await using on = await bench({ forwards, faults: at(fault, params) });
        const hanging = assert.rejects(get(on, way));
        await on.first("model_fault");
        await on.endpoint.close();
        await hanging;
        assert.equal((await on.first("model_reply")).ended, "cancelled");
      }
    });
  }
}

Deno.test("a caller who leaves while the model thinks ends the model's call", async () => {
  const ended = Promise.withResolvers<void>();
  await using on = await bench({
    turn: (_call, signal) =>
      new Promise<ModelReply>((_, reject) => {
        signal.addEventListener("abort", () => {
          ended.resolve();
          reject(signal.reason);
        });
      }),
  });
  const controller = new AbortController();
  const hanging = assert.rejects(get(on, "openai", controller.signal));
  await on.first("model_request");
  controller.abort();
  await hanging;
  await ended.promise;
});

Deno.test("an upstream that is not there, or redirects, is a 502 in the caller's own shape", async () => {
  const gone = await endpoint({ backend: { scripted: () => Promise.resolve(NOTE) } });
  await gone.close();
  const elsewhere = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response(null, { status: 307, headers: { location: gone.url } }),
  );
  for (const url of [gone.url, `http://127.0.0.1:${elsewhere.addr.port}`]) {
    await using up = await endpoint({ backend: { forward: { url } } });
    const client = new OpenAI({ apiKey: "x", baseURL: `${up.url}/v1`, maxRetries: 0 });
    await assert.rejects(client.chat.completions.create(ASK.openai), { status: 502, message: /the upstream/ });
  }
  await elsewhere.shutdown();
});

Deno.test("an upstream's error comes through: status, body, Retry-After, and nothing else of its headers", async () => {
  const body = JSON.stringify({ error: { message: "slow down", type: "x", param: null, code: "y" } });
  const seen: Headers[] = [];
  const upstream = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    seen.push(request.headers);
    const headers = {
      "retry-after": "7",
      "set-cookie": "a=b",
      "x-ratelimit-limit": "1",
      "content-type": "application/json",
    };
    return new Response(body, { status: 429, headers });
  });
  const url = `http://127.0.0.1:${upstream.addr.port}/v1/`;
  const ask = async (options: { headers?: Record<string, string>; passCredentials?: boolean }) => {
    // A fault of turns has nothing to do with an error.
    await using up = await endpoint({ backend: { forward: { url, ...options } }, faults: at("empty_reply") });
    const client = new OpenAI({ apiKey: "sk-caller", baseURL: `${up.url}/v1`, maxRetries: 0 });
    await assert.rejects(client.chat.completions.create(ASK.openai), (error) => {
      assert.ok(error instanceof OpenAI.APIError);
      assert.deepEqual([error.status, error.code], [429, "y"]);
      assert.deepEqual(
        ["retry-after", "x-ratelimit-limit", "set-cookie"].map((name) => error.headers?.get(name) ?? null),
        ["7", "1", null],
      );
      return true;
    });
    return seen.at(-1)?.get("authorization");
  };
  assert.equal(await ask({}), null);
  assert.equal(await ask({ passCredentials: true }), "Bearer sk-caller");
  assert.equal(await ask({ headers: { authorization: "Bearer sk-own" } }), "Bearer sk-own");
  await upstream.shutdown();
});

Deno.test("an upstream that breaks off in its stream breaks off here, and is recorded as cut", async () => {
  const events: ModelEvent[] = [];
  await using behind = await endpoint({
    backend: { scripted: () => Promise.resolve(TURN) },
    faults: at("model_stream_cut"),
  });
  await using up = await endpoint({
    backend: { forward: { url: behind.url } },
    observer: (event) => events.push(event),
  });
  const client = new OpenAI({ apiKey: "x", baseURL: `${up.url}/v1`, maxRetries: 0 });
  await assert.rejects(client.chat.completions.stream(ASK.openai).finalChatCompletion());
  const reply = events.find(({ type }) => type === "model_reply");
  assert.ok(reply?.type === "model_reply" && reply.ended === "cut" && reply.finish === undefined);
});

Deno.test("bind() begins anew: ordinals, faults and observer are the next cell's", async () => {
  await using on = await bench({ turn: NOTE, faults: at("model_overloaded", { when: { first: 1 } }) });
  const ask = () => on.openai.chat.completions.create(ASK.openai).then(() => "ok", ({ status }) => status);
  assert.deepEqual([await ask(), await ask()], [529, "ok"]);
  const events: ModelEvent[] = [];
  on.endpoint.bind({
    faults: at("model_unauthorized", { when: { calls: [1] } }),
    clock: new RealClock(),
    seed: "2",
    observer: (event) => events.push(event),
  });
  assert.deepEqual([await ask(), await ask()], [401, "ok"]);
  assert.deepEqual(events.flatMap((event) => "call" in event ? event.call : []), [1, 1, 1, 2, 2]);
});

Deno.test("a port that is taken is an error, and a closed one is free again", async () => {
  await using on = await bench();
  const port = Number(new URL(on.url).port);
  const backend = { scripted: () => Promise.resolve(NOTE) };
  await assert.rejects(endpoint({ backend, port }), { code: "EADDRINUSE" });
  await on.endpoint.close();
  await using again = await endpoint({ backend, port });
  assert.equal(again.url, on.url);
});
