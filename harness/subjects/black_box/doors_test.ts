import assert from "node:assert/strict";
import { memoryPair } from "../../../core/mod.ts";
import { openDoors } from "./doors.ts";

/** A server that says what it is told back, in capitals. */
function shouting(name: string) {
  const state = { connections: 0, closed: 0 };
  const connect = () => {
    state.connections++;
    const [near, far] = memoryPair();
    far.open({
      bytes: (chunk) => void far.write(new TextEncoder().encode(new TextDecoder().decode(chunk).toUpperCase())),
      closed: () => state.closed++,
    });
    return Promise.resolve(near);
  };
  return { port: { name, connect }, state };
}

async function visit(place: string, hello: string): Promise<string> {
  using socket = await Deno.connect({ hostname: "127.0.0.1", port: Number(place.split(":")[1]) });
  await socket.write(new TextEncoder().encode(hello));
  const heard = new Uint8Array(100);
  const read = await socket.read(heard).catch(() => null);
  return new TextDecoder().decode(heard.subarray(0, read ?? 0));
}

Deno.test("openDoors() joins whoever has the token to the server that they name", async () => {
  const { port, state } = shouting("orders");
  await using doors = openDoors([port]);
  assert.equal(await visit(doors.place, `${doors.token} orders\nhello`), "HELLO");
  assert.equal(await visit(doors.place, `${doors.token} orders\nagain`), "AGAIN");
  assert.equal(await doors.empty(10_000), 0);
  assert.deepEqual(state, { connections: 2, closed: 2 });
});

Deno.test("openDoors() lets nobody in without the token, nor to a server that is not there", async () => {
  const { port, state } = shouting("orders");
  await using doors = openDoors([port]);
  assert.equal(await visit(doors.place, "wrong orders\nhello"), "");
  assert.equal(await visit(doors.place, `${doors.token} __proto__\nhello`), "");
  assert.equal(await visit(doors.place, `${"x".repeat(2000)}`), "");
  assert.equal(state.connections, 0);
});

Deno.test("openDoors() turns away whoever comes while too many are there", async () => {
  const { port, state } = shouting("orders");
  await using doors = openDoors([port]);
  await using stack = new AsyncDisposableStack();
  const hello = new TextEncoder().encode(`${doors.token} orders\nhello`);
  for (let i = 0; i < 64; i++) {
    const socket = await Deno.connect({ hostname: "127.0.0.1", port: Number(doors.place.split(":")[1]) });
    stack.use(socket);
    await socket.write(hello);
    assert.equal(await socket.read(new Uint8Array(100)), 5);
  }
  assert.equal(await visit(doors.place, `${doors.token} orders\nhello`), "");
  assert.equal(state.connections, 64);
});

Deno.test("openDoors() closes what is open when it ends, and does not wait for a server that cannot be reached", async () => {
  const { port, state } = shouting("orders");
  const never = { name: "kb", connect: () => new Promise<never>(() => {}) };
  const doors = openDoors([port, never]);
  using socket = await Deno.connect({ hostname: "127.0.0.1", port: Number(doors.place.split(":")[1]) });
  await socket.write(new TextEncoder().encode(`${doors.token} orders\nhello`));
  assert.equal(await socket.read(new Uint8Array(100)), 5);
  using other = await Deno.connect({ hostname: "127.0.0.1", port: Number(doors.place.split(":")[1]) });
  await other.write(new TextEncoder().encode(`${doors.token} kb\n`));
  await doors[Symbol.asyncDispose]();
  assert.equal(await socket.read(new Uint8Array(1)), null);
  assert.deepEqual(state, { connections: 1, closed: 1 });
});
