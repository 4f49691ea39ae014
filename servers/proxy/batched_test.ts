import { type ByteConnection, ClosedError } from "../../core/mod.ts";
import { batched } from "./batched.ts";
import assert from "node:assert/strict";

const bytes = (text: string) => new TextEncoder().encode(text);

function pipe() {
  const taken: string[] = [];
  const waiting: PromiseWithResolvers<void>[] = [];
  const below: ByteConnection = {
    open: () => {},
    write: (chunk) => {
      taken.push(new TextDecoder().decode(chunk));
      const turn = Promise.withResolvers<void>();
      waiting.push(turn);
      return turn.promise;
    },
    close: () => Promise.resolve(),
  };
  return { taken, waiting, below };
}
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("batched() writes what comes in one turn, or while the pipe is busy, together and in order", async () => {
  const { taken, waiting, below } = pipe();
  const connection = batched(below);
  connection.write(bytes("a"));
  connection.write(bytes("b"));
  await turn();
  for (const text of ["c", "d", "e"]) connection.write(bytes(text));
  await turn();
  assert.deepEqual(taken, ["ab"]);
  waiting[0]?.resolve();
  await turn();
  assert.deepEqual(taken, ["ab", "cde"]);
  waiting[1]?.resolve();
  await connection.flushed();
});

Deno.test("batched() does not copy what is large", async () => {
  const large = new Uint8Array(1_000_000);
  const seen: Uint8Array[] = [];
  const connection = batched({
    open: () => {},
    write: (chunk) => void seen.push(chunk),
    close: () => Promise.resolve(),
  });
  connection.write(bytes("a"));
  connection.write(large);
  connection.write(bytes("b"));
  await connection.flushed();
  assert.equal(seen.length, 3);
  assert.equal(seen[1], large);
});

Deno.test("batched() says once that the pipe takes nothing any more", async () => {
  let told = 0;
  const connection = batched(
    { open: () => {}, write: () => Promise.reject(new ClosedError()), close: () => Promise.resolve() },
    () => told++,
  );
  connection.write(bytes("a"));
  connection.write(bytes("b"));
  await connection.flushed();
  assert.equal(told, 1);
  assert.throws(() => connection.write(bytes("c")), ClosedError);
});
