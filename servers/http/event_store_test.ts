import { MemoryEventStore } from "./event_store.ts";
import assert from "node:assert/strict";

const message = (id: number) => ({ jsonrpc: "2.0" as const, id, result: {} });

async function replay(store: MemoryEventStore, after: string): Promise<unknown[]> {
  const sent: unknown[] = [];
  await store.replayEventsAfter(after, { send: (_, message) => Promise.resolve(void sent.push(message)) });
  return sent;
}

Deno.test("MemoryEventStore replays what came later on the same stream, in order", async () => {
  const store = new MemoryEventStore();
  const first = await store.storeEvent("a", message(1));
  await store.storeEvent("b", message(2));
  const third = await store.storeEvent("a", message(3));
  await store.storeEvent("a", message(4));
  assert.equal(await store.getStreamIdForEventId(third), "a");
  assert.deepEqual(await replay(store, first), [message(3), message(4)]);
  assert.deepEqual(await replay(store, third), [message(4)]);
});

Deno.test("MemoryEventStore forgets the oldest events, and does not replay after one that it does not know", async () => {
  const store = new MemoryEventStore();
  const first = await store.storeEvent("a", message(0));
  let last = first;
  for (let i = 1; i <= 1000; i++) last = await store.storeEvent("a", message(i));
  assert.equal(await store.getStreamIdForEventId(first), undefined);
  await assert.rejects(replay(store, first), RangeError);
  assert.deepEqual(await replay(store, last), []);
});
