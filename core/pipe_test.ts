import assert from "node:assert/strict";
import { type ByteConnection, ClosedError, memoryPair } from "./pipe.ts";

const bytes = (...values: number[]) => new Uint8Array(values);

/** Opens a connection and logs what its reader is told. */
function logOf(end: ByteConnection): (number[] | "closed")[] {
  const log: (number[] | "closed")[] = [];
  end.open({ bytes: (chunk) => log.push([...chunk]), closed: () => log.push("closed") });
  return log;
}

/** Everything that is on its way arrives. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

Deno.test("memoryPair delivers in order, both ways, and never before write has returned", async () => {
  const [a, b] = memoryPair();
  const [atA, atB] = [logOf(a), logOf(b)];
  for (let i = 0; i < 100; i++) a.write(bytes(i));
  b.write(bytes(200));
  assert.deepEqual([atA, atB], [[], []]);
  await settled();
  assert.deepEqual(atB, Array.from({ length: 100 }, (_, i) => [i]));
  assert.deepEqual(atA, [[200]]);
});

Deno.test("memoryPair needs microtasks only", async () => {
  const [a, b] = memoryPair();
  const log = logOf(b);
  a.write(bytes(1));
  await null;
  assert.deepEqual(log, [[1]]);
});

Deno.test("memoryPair keeps what arrives before open, the close included", async () => {
  const [a, b] = memoryPair();
  a.write(bytes(1));
  await a.close();
  await settled();
  const log = logOf(b);
  await settled();
  assert.deepEqual(log, [[1], "closed"]);
});

Deno.test("memoryPair keeps the order of an answer that is written while a chunk is read", async () => {
  const [a, b] = memoryPair();
  const log = logOf(a);
  b.open({ bytes: (chunk) => (b.write(chunk), b.write(bytes(0))), closed() {} });
  a.write(bytes(1));
  a.write(bytes(2));
  await settled();
  assert.deepEqual(log, [[1], [0], [2], [0]]);
});

for (const [name, side] of [["the writer's", 0], ["the reader's", 1]] as const) {
  Deno.test(`memoryPair closes both ends, once, after what was written, from ${name} side`, async () => {
    const pair = memoryPair();
    const [atA, atB] = [logOf(pair[0]), logOf(pair[1])];
    pair[0].write(bytes(1));
    await pair[side].close();
    await pair[side].close();
    await pair[1 - side]?.close();
    await settled();
    assert.deepEqual([atA, atB], [["closed"], [[1], "closed"]]);
    for (const end of pair) assert.throws(() => end.write(bytes(2)), ClosedError);
  });
}

Deno.test("memoryPair closes an end that nobody has opened", async () => {
  const [a, b] = memoryPair();
  const log = logOf(a);
  await b.close();
  await settled();
  assert.deepEqual(log, ["closed"]);
  assert.throws(() => b.write(bytes(1)), { name: "ClosedError", message: "the connection is closed" });
});
