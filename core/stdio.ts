import { type ByteConnection, ClosedError } from "./pipe.ts";

/** This process's own stdin and stdout as a connection, for programs that are servers. Closing it stops reading. */
export function stdioConnection(): ByteConnection {
  const stdin = Deno.stdin.readable.getReader();
  const stdout = Deno.stdout.writable.getWriter();
  let closed = false;
  return {
    async open(reader) {
      for (;;) {
        const { value, done } = await stdin.read().catch(() => ({ value: undefined, done: true }));
        if (done || value === undefined) break;
        reader.bytes(value);
      }
      reader.closed();
    },
    async write(chunk) {
      if (closed) throw new ClosedError();
      try {
        await stdout.write(chunk);
      } catch (error) {
        throw new ClosedError(`nobody reads the output any more (${error})`);
      }
    },
    async close() {
      closed = true;
      await stdin.cancel().catch(() => {});
    },
  };
}
